"""One file a tool; each satisfies `pipeline.ports.Tool`."""
