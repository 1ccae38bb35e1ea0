"""Our own prices per square metre, computed with DuckDB from geo-dvf files kept on this machine."""
