"""What the model of the entries never learns from, so that what goes by it can be fitted on these."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from corpus.questions.bank import QuestionBank
from pipeline.understanding.own_words import own_words
from pipeline.understanding.situations import Situation, situation_of

MESSAGES: Final = Path(__file__).parents[2] / "data" / "entry_messages.jsonl"
THREADS: Final = MESSAGES.with_name("entry_threads.jsonl")
SITUATIONS: Final = MESSAGES.with_name("entry_situations.jsonl")
APART: Final = frozenset(
    ("marseille", "rennes", "annecy", "tours", "amiens", "kevin", "jean-marc", "odile", "presse", "leila", "gerard")
)
"""Personas of whom nothing is learned."""


def places(bank: QuestionBank) -> dict[tuple[str, str], int]:
    """(article, heading) -> place of the entry, as rows of these files name it."""
    return {(entry.passage.document_id, entry.ways[0]): at for at, entry in enumerate(bank.entries)}


def heads() -> Iterator[tuple[str, str, tuple[str, str]]]:
    """(persona, message, the entry that answers it by article and heading) of messages of these that stand alone."""
    for line in MESSAGES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["by"] in APART and row["kind"] == "alone":
            yield row["by"], row["text"], (row["article"], row["question"])
    for line in THREADS.read_text(encoding="utf-8").splitlines():
        thread = json.loads(line)
        head = thread["messages"][0]
        if thread["by"] in APART and not head.get("near"):
            yield thread["by"], head["text"], (head["article"], head["question"])


def situations_told() -> Iterator[tuple[Mapping[str, Any], Situation]]:
    """Rows that tell a client's situation, each with what is read of it."""
    for line in SITUATIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (found := situation_of(own_words(row["text"]).text)) is not None:
            yield row, found
