"""What is on record applied to the case: a share to its amount (« il achète en VEFA à 310 000, hors d'eau on aura
appelé combien ? »), a delay to its day (« congé reçu le 12 octobre 2026 »)."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from corpus.facts.book import fact_book
from corpus.facts.cases import cases_asked
from corpus.facts.loading import load_vocabulary
from corpus.facts.matching import Asked
from corpus.facts.values import Base, Fact
from pipeline.planning.setting import Setting
from pipeline.reading import Quantity
from pipeline.types import ToolCall
from pipeline.understanding.cues import cue
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import Task

MOST: Final = 4
"""Cases that are worked out side by side."""
BEHIND: Final = 3
"""Messages of the thread in which the amount may have been told."""
SURELY: Final = 0.8


def recorded_call(asked: Asked, task: Task, setting: Setting) -> tuple[ToolCall, ...]:
    """The shares of one amount, or the last day of a delay, where the records that answer are such, and the message or
    the thread tells one amount or day that they are of; none where it asks something else of them."""
    if asked.facts and (asked.facts[0].since or asked.facts[0].until):
        return _deadline(asked, task, setting)
    shares = [fact for fact in asked.facts if fact.of and fact.group == asked.facts[0].group]
    if not shares or asked.form != "answer":
        return ()
    said = cases_asked([fact for fact in fact_book().groups[shares[0].group] if fact.of], task.reading.text)
    shares = [fact for fact in said if fact in shares] or list(said)
    base = load_vocabulary().bases[shares[0].of]
    amount = _amount(base, task, setting)
    if amount is None or len(shares) > MOST:
        return ()
    rate = _rate(shares, task.reading.quantities)
    told = {"facts": ",".join(fact.id for fact in shares), "amount": amount, **({"rate": rate} if rate else {})}
    return (ToolCall("calculator", {"kind": "recorded", **told}),)


def _deadline(asked: Asked, task: Task, setting: Setting) -> tuple[ToolCall, ...]:
    """The last day of a delay that runs from the one day that is told, or before it."""
    told = [fact for fact in asked.facts if fact.group == asked.facts[0].group and isinstance(fact.value, float)]
    if not told or asked.form != "answer" or len(told) > MOST:
        return ()
    said = cases_asked([f for f in fact_book().groups[told[0].group] if isinstance(f.value, float)], task.reading.text)
    told = [fact for fact in said if fact in told] or told
    days = _days(task.reading.text)
    if not days and task.inherited and cue("asked.which_day").search(flat(task.reading.text)):
        days = next((found for text in reversed(setting.state.said[-BEHIND:]) if (found := _days(text))), [])
    if len(days) != 1:
        return ()
    names = ",".join(fact.id for fact in told)
    return (ToolCall("calculator", {"kind": "deadline", "facts": names, "day": days[0].isoformat()}),)


def _days(text: str) -> list[date]:
    """Those that are told with their day of the month."""
    found = [q for q in quantities(text) if q.day is not None]
    return [q.day for q in found if q.day is not None and re.match(r"\d{1,2}\D|\d{4}-", q.text)]


def _rate(shares: Sequence[Fact], told: Sequence[Quantity]) -> float | None:
    """The one that the message tells within what is on record: « majoration de 60 % » where it may be 5 to 60 %."""
    ends = shares[0].value
    if len(shares) != 1 or not isinstance(ends, tuple):
        return None
    found = [q.value for q in told if q.unit == "%" and ends[0] <= q.value <= ends[1]]
    return found[0] if len(found) == 1 else None


def _amount(base: Base, task: Task, setting: Setting) -> float | None:
    """The one that the message tells; where it tells none and goes on with the thread, the last one told there."""
    told = [q for q in task.reading.quantities if _of_size(q, base)]
    if told:
        fits = [q for q in told if q.role == "other" or q.confidence < SURELY or q.role in base.roles]
        return fits[0].value if len(told) == len(fits) == 1 else None
    if not task.inherited or cue("standing.otherwise").search(flat(task.reading.text)):
        return None
    return _told_before(base, setting.state.said)


def _told_before(base: Base, said: Sequence[str]) -> float | None:
    for text in reversed(said[-BEHIND:]):
        found = [q for q in quantities(text) if _of_size(q, base)]
        if found:
            return found[0].value if len(found) == 1 else None
    return None


def _of_size(quantity: Quantity, base: Base) -> bool:
    return quantity.unit in ("€", "") and not quantity.period and quantity.value >= base.least
