"""Pure functions: value -> Block Kit."""
