"""What a message asks, taken apart, told as a case, or put otherwise."""
