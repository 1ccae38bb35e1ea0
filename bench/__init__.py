"""Measurements: retrieval and answers."""
