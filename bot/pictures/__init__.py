"""Pictures of an answer's own figures: one look, one file a kind, the same figures in words and as a table."""
