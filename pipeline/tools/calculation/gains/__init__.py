"""The gain on a sale."""
