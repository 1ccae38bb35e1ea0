"""Searches: the route's queries, fused, and what is searched again."""
