"""What is said of the thread itself, and what it remembers."""
