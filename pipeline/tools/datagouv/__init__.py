"""data.gouv.fr: its MCP server, its tabular service and the tool "open_data"."""
