"""Adapters of `PassageIndex`: one contract, one test suite."""
