"""Official news: which feeds are read, what of them is kept, and how it gets into the corpus."""
