"""Trains the gate's verifier on mutations of our own articles and on pairs written for it."""
