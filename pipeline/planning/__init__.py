"""From a `Reading` in its thread to a `Route`: tools, searches, writes, or a question back."""
