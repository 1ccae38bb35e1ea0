"""Acknowledge and hand on: no rule, no SQL."""
