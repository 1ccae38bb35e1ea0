"""Loans: instalments, what may be borrowed, what repaying early costs."""
