"""Taxes of a year: regimes of rents, income tax, wealth tax."""
