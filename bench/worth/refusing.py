"""python -m bench refusing [--persona NAME] [--show]: the whole path over questions that nothing of ours answers, and
over their near twins that our articles answer.

`bench/data/unanswerable.tsv` and `bench/data/answerable.tsv`, by personas. An answer that cites anything is none of a
refusal, and a refusal of a twin is one too many: as `bench gold` counts them.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import structlog

from bench.fitted.answerable_rows import DATA, HELD, lines_of
from bench.sandboxed import sandbox
from bench.worth.gold import answered_turns, offline
from bench.worth.gold_scores import Score, score
from pipeline.types import Answer

NOTHING_ASKED: Final = {"needed": (), "forbidden": ()}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench refusing", description=__doc__)
    parser.add_argument("--persona", action="append", help="of these alone; by default of all")
    parser.add_argument("--show", action="store_true", help="list the questions that went wrong")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    rows = [row for row in rows_of() if not options.persona or row["persona"] in options.persona]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
        settings = offline(str(http.base_url).rstrip("/"), Path(folder))
        turns = asyncio.run(answered_turns(rows, settings, Path(folder)))
    scores = [(score(row, answer, category=kind), answer) for kind, row, answer in turns]
    report = report_of([one for one, _ in scores])
    print(json.dumps(report, ensure_ascii=False, indent=1))
    if options.show:
        _show(scores)
    if options.json:
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0


def rows_of() -> list[dict[str, Any]]:
    """As `bench gold` reads them, with their persona."""
    asked = [(persona, kind, text, False) for persona, kind, text in lines_of(DATA)]
    asked += [(persona, "held", text, True) for persona, text in lines_of(HELD)]
    return [
        {"persona": persona, "category": kind, "text": text, "answerable": held, **NOTHING_ASKED}
        for persona, kind, text, held in asked
    ]


def report_of(scores: Sequence[Score]) -> dict[str, dict[str, float]]:
    """Persona, then kind -> share refused in per cent; `held`: of those that are answered, one too many each."""
    found: dict[str, dict[str, float]] = {}
    for persona in ("all", *dict.fromkeys(one.row["persona"] for one in scores)):
        own = [one for one in scores if persona in ("all", one.row["persona"])]
        kinds = [("unanswerable", [one for one in own if not one.answerable])]
        kinds += [(kind, [one for one in own if one.category == kind]) for kind in sorted({o.category for o in own})]
        found[persona] = {
            kind: round(100 * sum(o.refused for o in each) / len(each), 1) for kind, each in kinds if each
        }
    return found


def _share(scores: Sequence[Score]) -> float:
    return round(100 * sum(one.refused for one in scores) / len(scores), 1)


def _show(scores: Sequence[tuple[Score, Answer]]) -> None:
    for one, answer in scores:
        if one.refused == one.answerable:
            route = answer.route
            kinds = ",".join(dict.fromkeys(citation.kind for citation in answer.citations))
            print(f"[{one.row['persona']} {one.category}] {one.row['text']}\n    {route.mode} {kinds} : {one.opening}")
