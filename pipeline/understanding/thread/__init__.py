"""A message and its thread: frames, and what a message does to them."""
