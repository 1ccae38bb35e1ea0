"""What an answer costs and how long it takes."""
