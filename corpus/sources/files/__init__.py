"""Files that people drop: read apart from the bot, within limits, into Markdown text."""
