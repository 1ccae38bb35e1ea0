"""The reader over a language model: one call, and code that checks every argument of its reply."""
