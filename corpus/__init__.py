"""Text at rest: articles, sources, French analysis, embeddings and the passage index."""
