"""Dated changes of rules: what took effect since the last digest, and what does in the thirty days to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from bot.digests.values import Entry
from corpus.errors import MalformedArticle
from corpus.sources.articles import read_articles
from pipeline.schemes import schemes
from pipeline.types import Figure, ToolCall, ToolResult

AHEAD: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DatedChange:
    """Something of a scheme that begins or ends on a day. `sentence`: French, as its source says it."""

    id: str
    day: date
    schemes: tuple[str, ...]
    sentence: str
    title: str
    url: str
    checked_on: date | None = None


def rule_entries(changes: Sequence[DatedChange], *, since: date, slot: date, told: frozenset[str]) -> tuple[Entry, ...]:
    """In the order of their days. One that comes is told once when it comes near, and once when it is there: `told`
    holds the keys of what earlier digests said."""
    entries: list[Entry] = []
    for change in sorted(changes, key=lambda each: each.day):
        ahead = change.day > slot
        if not since < change.day <= slot + AHEAD:
            continue
        key = f"rule:{change.id}:{'ahead' if ahead else 'there'}"
        if key in told:
            continue
        when = f"À venir, le {change.day:%d/%m/%Y}" if ahead else f"Depuis le {change.day:%d/%m/%Y}"
        entries.append(
            Entry(
                kind="rule",
                text=f"{when} : {change.sentence.rstrip('.')} [1].",
                evidence=(_evidence(change),),
                key=key,
                schemes=change.schemes,
            )
        )
    return tuple(entries)


def _evidence(change: DatedChange) -> ToolResult:
    return ToolResult(
        call=ToolCall("facts", {}),
        title=change.title,
        text=f"{change.sentence} Date : {change.day:%d/%m/%Y}.",
        figures=(Figure("Date d'effet, à venir ou depuis", change.day.year),),
        url=change.url,
        as_of=change.checked_on,
    )


def changes_between(start: date, end: date, *, followed: frozenset[str]) -> tuple[DatedChange, ...]:
    """What begins or ends between two days, both included, of the schemes that are followed."""
    return tuple(change for change in _dated() if start <= change.day <= end and followed.intersection(change.schemes))


@cache
def _dated() -> tuple[DatedChange, ...]:
    """The days from which and until which the built-in articles' rules apply."""
    found: list[DatedChange] = []
    for article in read_articles():
        if isinstance(article, MalformedArticle):
            continue
        link = article.links[0] if article.links else None
        known = tuple(entity for entity in article.entities if entity in schemes())[:1]
        if link is None or not known:
            continue
        bounds = ((article.effective_from, "la règle s'applique depuis"), (article.effective_to, "fin prévue au"))
        for day, said in bounds:
            if day is not None:
                found.append(
                    DatedChange(
                        id=f"{article.id}:{day.isoformat()}",
                        day=day,
                        schemes=known,
                        sentence=f"{article.title}, {said} {day:%d/%m/%Y}.",
                        title=f"{article.title} ({link.title})",
                        url=link.url,
                        checked_on=article.published,
                    )
                )
    return tuple(found)
