"""The labelled messages: one JSON object a line, spans marked in the text as `[230k](loan_amount)`."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.understanding.learned.linear import WEIGHTS
from pipeline.understanding.offline.fields import OUTSIDE

DATA: Final = WEIGHTS.with_name("data")
QUESTIONS: Final = "questions"
"""Folder of `DATA` with messages and threads that are labelled with what they are for, their numbers unmarked."""
MARK: Final = re.compile(r"\[([^\[\]]+)\]\(([a-z_]+)\)")
RULE: Final = re.compile(r"\{([^{}]*)\}")
"""Words that ask for a rule beside a sum."""


@dataclass(frozen=True, slots=True)
class Span:
    """A marked part of a message: a quantity with its role, or a field of a CRM write."""

    text: str
    start: int
    label: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message. `act`: "" in a thread whose author named none; `previous`: the main intents of the turns before it
    in its thread, latest last."""

    text: str
    intents: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    act: str = "new"
    previous: tuple[str, ...] = ()


def unmarked(marked: str) -> tuple[str, tuple[Span, ...]]:
    """`ok [20 ans](duration)` -> (`ok 20 ans`, its span)."""
    marked = RULE.sub(r"\1", marked)
    text, spans, last = "", [], 0
    for match in MARK.finditer(marked):
        text += marked[last : match.start()]
        spans.append(Span(match[1], len(text), match[2]))
        text += match[1]
        last = match.end()
    return text + marked[last:], tuple(spans)


def rules_marked(marked: str) -> list[str]:
    """`combien d'impôt {et il le déclare où ?}` -> `et il le déclare où ?`."""
    return [unmarked(found)[0] for found in RULE.findall(marked)]


def labelled(folder: Path = DATA) -> Iterator[Labelled]:
    """Every message of the folder's files: single ones, and the turns of threads."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield from messages(json.loads(line))


def messages(row: dict[str, Any]) -> Iterator[Labelled]:
    previous: list[str] = []
    for turn in row.get("turns") or (row,):
        text, spans = unmarked(turn["text"])
        spans = (
            *spans,
            *(Span(q["text"], q["start"], q["role"]) for q in turn.get("quantities") or () if "start" in q),
        )
        spans = (*spans, *(Span(w["text"], w["start"], w["field"]) for w in turn.get("writes") or () if "start" in w))
        yield Labelled(
            text, tuple(turn["intents"]), spans, turn.get("act", "" if "turns" in row else "new"), tuple(previous)
        )
        previous.append(turn["intents"][0])


def gold(text: str, spans: Sequence[tuple[int, int]], marked: Sequence[tuple[str, int, int]]) -> list[str]:
    """B-, I- and O labels of the words, from marked parts (label, start, end)."""
    labels = []
    for start, end in spans:
        inside = next((m for m in marked if m[1] < end and m[2] > start), None)
        first = inside is not None and start <= inside[1]
        labels.append(OUTSIDE if inside is None else f"{'B' if first else 'I'}-{inside[0]}")
    return labels
