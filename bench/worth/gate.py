"""python -m bench gate --data FILE --json OUT: what the gate publishes of drafts over given evidence.

Rows: `{id, question, evidence: [{id, kind, title, text, as_of, url}], draft}`; with `sentences: [{text, label, kind}]`
(label `supported` or not) the figures of each kind are told: how much unsupported is published, how much true is lost.
"""

import argparse
import gc
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from bench.ranking.measures import percentile
from corpus.types import Passage
from pipeline.grounding import GateFailed, ground
from pipeline.text.figures import figures
from pipeline.text.sentences import MARKER
from pipeline.types import Draft, Evidence, Grounded, ToolCall, ToolResult, Usage

Row = Mapping[str, Any]
_FIGURE_KINDS: Final = re.compile(r"wrong|figure|digit|derived|unit|tranche|period|date|amount|rate|number|swap")
"""Kinds whose error lies in a figure, where the sentence states one."""
REFUSED: Final = Grounded("", (), 0, 0)


@dataclass(frozen=True, slots=True)
class GivenEvidence(Evidence):
    """Evidence under the ids of the row."""

    given: tuple[tuple[int, Passage | ToolResult], ...] = ()

    def numbered(self) -> tuple[tuple[int, Passage | ToolResult], ...]:
        return self.given


@dataclass(slots=True)
class Tally:
    """Labelled sentences by kind. `published`: unsupported ones, as drafted; `kept`: true ones, as drafted; `lost`:
    true ones neither published nor replaced by their source."""

    unsupported: Counter[str] = field(default_factory=Counter)
    published: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    lost_for: Counter[str] = field(default_factory=Counter)
    replaced_for: Counter[str] = field(default_factory=Counter)
    wrong_figures: int = 0
    milliseconds: list[float] = field(default_factory=list)


def evidence_of(items: Sequence[Row]) -> Evidence:
    """The row's evidence as the gate gets it."""
    given = tuple((int(item["id"]), _piece(item)) for item in items)
    return GivenEvidence(given=given)


def _piece(item: Row) -> Passage | ToolResult:
    as_of = date.fromisoformat(str(item["as_of"])[:10]) if item.get("as_of") else None
    title, text, url = str(item.get("title") or ""), str(item["text"]), str(item.get("url") or "")
    if item["kind"] == "passage":
        name = f"given-{item['id']}"
        return Passage(f"{name}#0", name, 0, title, (), text, url, "regulation", published=as_of)
    tool = "facts" if item["kind"] == "fact" else str(item["kind"])
    return ToolResult(ToolCall(tool, {}), title, text, url=url, as_of=as_of)


def gated(row: Row, tally: Tally) -> dict[str, Any]:
    """What would be published of one row, and why the rest would not."""
    evidence = evidence_of(row["evidence"])
    began = time.process_time()
    try:
        grounded = ground(Draft(row["draft"], Usage("bench")), evidence, question=row.get("question") or "")
    except GateFailed:
        grounded = REFUSED
    tally.milliseconds.append(1000 * (time.process_time() - began))  # of the processor: others may be at work beside
    for sentence in row.get("sentences") or ():
        _count(sentence, grounded, tally)
    return {
        "id": row["id"],
        "kept": list(grounded.kept),
        "replaced": [{"sentence": sentence, "by": by} for sentence, by, _ in grounded.replaced],
        "text": grounded.text,
        "reasons": {**dict(grounded.dropped), **{sentence: why for sentence, _, why in grounded.replaced}},
    }


def _count(sentence: Row, grounded: Grounded, tally: Tally) -> None:
    text, kind = _bare(sentence["text"]), str(sentence.get("kind") or "")
    published = text in _bare(grounded.text)
    if is_true(sentence["label"]):
        tally.true[kind] += 1
        replaced = any(_same(text, _bare(before)) for before, _, _ in grounded.replaced)
        if not published and not replaced:
            tally.lost[kind] += 1
            tally.lost_for[_why(text, grounded)] += 1
        elif not published:
            tally.replaced_for[_why(text, grounded)] += 1
        tally.kept[kind] += published
    else:
        published = any(text in _bare(kept) for kept in grounded.kept)  # not as a part of its source's own sentence
        tally.unsupported[kind] += 1
        tally.published[kind] += published
        tally.wrong_figures += published and bool(figures(sentence["text"])) and bool(_FIGURE_KINDS.search(kind))


def _why(text: str, grounded: Grounded) -> str:
    """The kind of reason why a sentence was not published as written, without what it names."""
    told = (*grounded.dropped, *((said, why) for said, _, why in grounded.replaced))
    return next((why.split(" : ")[0] for said, why in told if _same(text, _bare(said))), "")


def is_true(label: object) -> bool:
    return str(label).lower() in {"true", "supported", "1"}


def _bare(text: str) -> str:
    """Without markers, Markdown and spacing: what a reader reads."""
    return re.sub(r"[\W_]+", " ", MARKER.sub(" ", text)).strip().casefold()


def _same(text: str, other: str) -> bool:
    return text == other or text in other or (other in text and len(other) > len(text) / 2)


def report_of(tally: Tally) -> dict[str, Any]:
    def share(some: Counter[str], all_: Counter[str]) -> float:
        return round(some.total() / max(1, all_.total()), 3)

    return {
        "unsupported": tally.unsupported.total(),
        "unsupported_published": share(tally.published, tally.unsupported),
        "true": tally.true.total(),
        "true_lost": share(tally.lost, tally.true),
        "true_as_written": share(tally.kept, tally.true),
        "wrong_figures_published": tally.wrong_figures,
        "p95_ms": round(percentile(tally.milliseconds, 0.95), 1) if tally.milliseconds else 0.0,
        "published_by_kind": {k: [tally.published[k], n] for k, n in sorted(tally.unsupported.items())},
        "as_written_by_kind": {k: [tally.kept[k], n] for k, n in sorted(tally.true.items())},
        "replaced_for": {why: [n, tally.replaced_for.total()] for why, n in sorted(tally.replaced_for.items())},
        "lost_for": {why: [n, tally.lost.total()] for why, n in sorted(tally.lost_for.items())},
        "lost_by_kind": {k: [tally.lost[k], n] for k, n in sorted(tally.true.items())},
    }


def rows_of(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def measured(path: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """(what would be published of each row, the figures over all)"""
    tally = Tally()
    rows = list(rows_of(path))
    for row in rows[:3]:  # what is loaded once is no answer's time
        gated(row, Tally())
    gc.freeze()  # as the bot does once it has started: no collection walks what was loaded
    answers = [gated(row, tally) for row in rows]
    gc.unfreeze()
    return answers, report_of(tally)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench gate", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path, help="a list of what would be published, one a row")
    options = parser.parse_args(arguments)
    answers, report = measured(options.data)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(answers, ensure_ascii=False, indent=1), encoding="utf-8")
    for name, value in report.items():
        if isinstance(value, dict):
            print(f"{name}:")
            for kind, (some, number) in value.items():
                print(f"  {kind or '(no kind)':<32}{some:>4} of {number}")
        else:
            print(f"{name:<28}{value}")
    return 0
