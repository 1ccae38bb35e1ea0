"""Kills the processes at every named point while Slack, HubSpot, the disk and the database misbehave; then counts what
was lost, doubled or put out of order."""

from bench.chaos.command import main

__all__ = ["main"]
