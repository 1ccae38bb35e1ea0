"""Dropped files and remembered addresses: offered, ingested, listed, refreshed."""
