"""Gifts, successions, partitions, shares of companies."""
