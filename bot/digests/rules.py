"""Dated changes of rules: what took effect or ended since the last digest, and what will in the thirty days to come."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from bot.digests.values import Entry
from corpus.facts.book import fact_book
from corpus.facts.values import Change, Fact
from pipeline.text.fact_wording import sentence
from pipeline.types import ToolCall, ToolResult

AHEAD: Final = timedelta(days=30)
MOST_CASES: Final = 3
"""Values of one rule (zones, first year and then…) that a line tells; the others can be asked for in the thread."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule whose value begins or ends: its dated records, of one day, or of several where sources disagree.
    `ends`: nothing is known to follow."""

    id: str
    days: tuple[date, ...]
    facts: tuple[Fact, ...]
    ends: bool

    @property
    def day(self) -> date:
        return self.days[0]

    @property
    def schemes(self) -> frozenset[str]:
        return frozenset().union(*(fact.schemes for fact in self.facts))

    @property
    def is_main(self) -> bool:
        return any(fact.main for fact in self.facts)


def rule_changes(start: date, end: date, *, followed: frozenset[str]) -> tuple[RuleChange, ...]:
    """What begins or ends between two days, both included, of the schemes that are followed; what belongs in a summary
    of its scheme comes first, then by day."""
    groups: dict[tuple[object, ...], list[Change]] = {}
    for change in fact_book().changes_between(start, end):
        fact = change.new or change.old
        if fact is not None and followed & fact.schemes:
            day = None if fact.status == "disputed" else change.day
            groups.setdefault((*fact.group, day), []).append(change)
    found = [_change(changes) for changes in groups.values()]
    return tuple(sorted(found, key=lambda change: (not change.is_main, change.day)))


def _change(changes: Sequence[Change]) -> RuleChange:
    disputed = any(fact is not None and fact.status == "disputed" for c in changes for fact in (c.old, c.new))
    told = ((c.new, c.old) if disputed else (c.new or c.old,) for c in changes)  # what each source says
    facts = tuple(dict.fromkeys(fact for some in told for fact in some if fact is not None))
    days = tuple(sorted({change.day for change in changes}))
    name = "|".join((*facts[0].group, *(day.isoformat() for day in days)))
    return RuleChange(
        id=hashlib.sha256(name.encode()).hexdigest()[:16],
        days=days,
        facts=facts,
        ends=all(change.new is None for change in changes),
    )


def rule_entries(changes: Iterable[RuleChange], *, since: date, slot: date, told: frozenset[str]) -> tuple[Entry, ...]:
    """One that comes is told once when it comes near, and once when it is there: `told` holds the keys of what earlier
    digests said."""
    entries: list[Entry] = []
    for change in changes:
        key = f"rule:{change.id}:{'ahead' if change.day > slot else 'there'}"
        if since < change.day <= slot + AHEAD and key not in told:
            entries.append(entry_of(change, slot=slot, key=key))
    return tuple(entries)


def entry_of(change: RuleChange, *, slot: date, key: str) -> Entry:
    """Each case's own sentence under the day, with the page on which it can be checked."""
    shown = change.facts[:MOST_CASES]
    when = _when(change, slot)
    told = [f"{sentence(fact, slot).rstrip('.')} [{n}]" for n, fact in enumerate(shown, start=1)]
    return Entry(
        kind="rule",
        text=f"{when} : {' ; '.join(told)}.",
        evidence=tuple(_evidence(fact, when, slot) for fact in shown),
        key=key,
        schemes=tuple(sorted(change.schemes)),
    )


def _when(change: RuleChange, slot: date) -> str:
    if len(change.days) > 1:
        return "Selon les sources, " + " ou ".join(f"le {day:%d/%m/%Y}" for day in change.days)
    ahead, day = change.day > slot, f"{change.day:%d/%m/%Y}"
    if change.ends:
        return f"Jusqu'au {day}" if ahead else f"Fini le {day}"
    return f"À compter du {day}" if ahead else f"Depuis le {day}"


def _evidence(fact: Fact, when: str, slot: date) -> ToolResult:
    own = sentence(fact, slot)
    return ToolResult(
        call=ToolCall("facts", {}),
        title=fact.source.title,
        text=f"{own} {when} : {own}",
        url=fact.source.url,
        as_of=fact.consulted_on,
    )
