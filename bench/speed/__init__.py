"""How fast, how many at once, at what cost."""
