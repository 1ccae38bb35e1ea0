"""HubSpot: transport, reader, and the writer that only a click reaches."""
