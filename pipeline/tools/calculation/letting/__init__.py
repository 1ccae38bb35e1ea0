"""Letting: yields, rents and their limits, what is shared between owners and with tenants."""
