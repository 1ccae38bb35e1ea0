"""Embedders over HTTP: what is the same for all in `remote`, one module a protocol."""
