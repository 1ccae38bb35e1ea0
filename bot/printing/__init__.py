"""Answers and records as PDF pages."""
