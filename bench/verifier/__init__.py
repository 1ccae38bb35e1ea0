"""Trains the gate's verifier on sentences that people wrote over given evidence."""
