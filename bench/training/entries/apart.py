"""What the model of the entries never learns from, so that what goes by it can be fitted on these."""

from pathlib import Path
from typing import Final

MESSAGES: Final = Path(__file__).parents[2] / "data" / "entry_messages.jsonl"
THREADS: Final = MESSAGES.with_name("entry_threads.jsonl")
APART: Final = frozenset(("marseille", "rennes", "annecy", "tours", "amiens", "kevin", "jean-marc", "odile", "presse"))
"""Personas of whom nothing is learned."""
