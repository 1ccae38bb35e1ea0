"""What is right of one reading: its intents, slots, communes, writes and refusals, held against a labelled message."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bench.ranking.measures import percentile
from bench.training.marked import Span
from corpus.places import Gazetteer
from pipeline.planning.slot_values import monthly, yearly
from pipeline.reading import CALCULATIONS, INTENTS, PLACE_INTENTS, WRITES, Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Route
from pipeline.understanding.offline.fields import FIELDS

NOT_FOR_SEARCH: Final = ("out_of_field", "unsafe")
"""Messages that may be refused."""
LABELS: Final = frozenset((*INTENTS, "crm_write"))
KIND_OF: Final = {
    "crm_write_note": "create_note",
    "crm_write_task": "create_task",
    "crm_write_update": "update_property",
}
SAME: Final = {"interest": "charges", "elapsed": "other"}
"""Roles that the reader tells apart more finely than the labels do."""


@dataclass(slots=True)
class Tally:
    """Counts over one file."""

    hits: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    wrong: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A labelled message (`turn`, with its text and `marks`) in its thread, and what was made of it."""

    turn: Mapping[str, Any]
    text: str
    marks: Sequence[Span]
    state: ThreadState
    reading: Reading
    frame: Frame | None
    route: Route

    @property
    def gold(self) -> set[str]:
        return set(self.turn["intents"])


def scored(outcome: Outcome, tally: Tally, places: Gazetteer, *, thread: bool) -> bool:
    """Counts one message; whether all that was asked of it is right."""
    gold, reading, frame = outcome.gold, outcome.reading, outcome.frame
    found = _intents(reading, frame, thread=thread and bool(outcome.state.frames), gold=gold)
    _count(gold, found, tally)
    top = frame.kind if thread and frame and not reading.has(*WRITES) else reading.main
    tally.seen["top"] += 1
    tally.hits["top"] += top in gold or bool(gold & {"crm_write"} and reading.has(*WRITES))
    writes = set(KIND_OF) & gold
    good = bool(gold & found) if not writes else bool(writes & found)
    good &= _in_force(outcome, tally) if thread else _slots(outcome, tally)
    good &= _communes(outcome, places, tally)
    good &= _writes(outcome, tally, thread=thread)
    _refusals(gold, outcome.route, outcome.text, tally)
    if thread:
        tally.seen["turns"] += 1
        tally.hits["turns"] += good
    if not good or not gold & found:
        shown = {"gold": sorted(gold), "found": [list(i) for i in reading.intents]}
        tally.wrong.append({"text": outcome.text, **shown, "act": reading.act, "state": list(outcome.state.intents)})
    return good


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


def _writes(outcome: Outcome, tally: Tally, *, thread: bool) -> bool:
    """Whether writes were asked for where they are, and nowhere else; of a message also which."""
    turn, actions = outcome.turn, outcome.route.actions
    said = set(KIND_OF) & outcome.gold
    if "needs_action" not in turn and not said and "crm_write" not in outcome.gold:
        tally.extra["writes"] += bool(actions) and not thread
        return True
    wanted = bool(turn.get("needs_action", said or "crm_write" in outcome.gold))
    tally.seen["writes"] += wanted
    tally.hits["writes"] += wanted and bool(actions)
    if not thread:
        kinds = {action.kind for action in actions}
        tally.seen["write_kinds"] += 1
        right = kinds - {"unsupported"} == {KIND_OF[name] for name in said}
        tally.hits["write_kinds"] += right or "unsupported" in kinds
    return wanted == bool(actions)


def _slots(outcome: Outcome, tally: Tally) -> bool:
    """Every quantity of a message with its role, found where it stands."""
    turn, reading = outcome.turn, outcome.reading
    calculates = any(intent in CALCULATIONS for intent in turn["intents"])
    gold = [(q["start"], q["start"] + len(q["text"]), q["role"]) for q in turn.get("quantities") or () if "start" in q]
    gold += [(m.start, m.end, m.label) for m in outcome.marks if m.label not in FIELDS]
    good = True
    for start, end, role in gold:
        match = next((q for q in reading.quantities if q.start < end and q.end > start), None)
        right = match is not None and SAME.get(match.role, match.role) == role
        tally.seen["quantities"] += 1
        tally.hits["quantities"] += right
        good &= right or role == "other"
    told = [q for q in reading.quantities if SAME.get(q.role, q.role) != "other"]
    good &= all(any(q.start < end and q.end > start for start, end, _ in gold) for q in told)
    if calculates and gold:
        right_kind = bool(set(reading.names) & set(turn["intents"]) & set(CALCULATIONS))
        tally.seen["calculations"] += 1
        tally.hits["calculations"] += good and right_kind
        tally.hits["calculation_kinds"] += right_kind
    return good if calculates else True


def _in_force(outcome: Outcome, tally: Tally) -> bool:
    """The inputs that hold after a turn of a thread."""
    gold, frame = outcome.turn.get("slots") or {}, outcome.frame
    if not gold or outcome.turn["intents"][0] not in CALCULATIONS:
        return True
    tally.seen["slots"] += 1
    slots = frame.slots if frame is not None and frame.calculates else {}
    held = {**slots, "charges": (*slots.get("charges", ()), *slots.get("interest", ()))}
    good = True
    for role, value in gold.items():
        if role == "other":
            continue
        wanted = sorted(float(v) for v in (value if isinstance(value, list) else [value]) if isinstance(v, int | float))
        if wanted != sorted(q.value for q in held.get(role, ())):
            alike = _alike(held, role)
            good &= all(any(abs(w - a) <= max(0.011, abs(w) * 0.001) for a in alike) for w in wanted)
    tally.hits["slots"] += good
    return good


def _alike(held: Mapping[str, Sequence[Quantity]], role: str) -> set[float]:
    """The values by which a role may be told: in thousands, by the month or the year, added up."""
    said = held.get(role, ())
    alike: set[float] = set()
    for q in said:
        by_period = (monthly(q, yearly_from=4000), yearly(q, monthly_below=150), q.value * 12, q.value / 12)
        alike |= {round(value, 2) for value in (q.value, q.value * 1000, *by_period)}
    alike.add(round(sum(q.value for q in said), 2))
    if role == "loan_amount":  # a loan for all of it is the price, with works and fees, less what is brought in
        price, whole, works, fees, down = (
            sum(q.value for q in held.get(name, ()))
            for name in ("purchase_price", "total_cost", "works", "fees_amount", "down_payment")
        )
        cost = price + whole
        alike |= {cost, cost + works + fees, cost - down, cost + works + fees - down}
    return alike


def _communes(outcome: Outcome, places: Gazetteer, tally: Tally) -> bool:
    gold, frame = outcome.turn.get("communes") or (), outcome.frame
    if not gold or outcome.turn["intents"][0] not in PLACE_INTENTS:
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
        tally.wrong.append({"text": text, "refused": route.intent})
        tally.extra["false_out_of_field"] += route.intent == "out_of_field"


def _share(part: int, of: int) -> float | None:
    return round(part / of, 4) if of else None


def report_of(tally: Tally) -> dict[str, Any]:
    """Shares of what was seen, None where nothing was; precision and recall of each intent."""
    names = sorted({*(n for n in tally.seen if n in LABELS), *(n for n in tally.extra if n in LABELS)})
    each: dict[str, dict[str, float | None]] = defaultdict(dict)
    f1 = []
    for name in names:
        hit, missed, extra = tally.hits[name], tally.missed[name], tally.extra[name]
        each[name] = {"n": hit + missed, "precision": _share(hit, hit + extra), "recall": _share(hit, hit + missed)}
        if hit + missed:
            f1.append(2 * hit / (2 * hit + missed + extra))
    seen, hits = tally.seen, tally.hits
    return {
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
