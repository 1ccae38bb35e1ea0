"""What the router reads in a question: words, places, requests for a write, and the thread it belongs to."""
