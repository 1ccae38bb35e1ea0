"""Other programs' way in: an HTTP API and an MCP server over the same answers as Slack's."""
