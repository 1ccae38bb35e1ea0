"""The weekly digest of a channel: when it is due, what it says, and how it gets there once."""
