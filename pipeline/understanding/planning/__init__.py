"""From what was understood to a route: tools, searches, writes, or a question back."""
