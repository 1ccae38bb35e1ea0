"""Looks facts up: by scheme, kind, zone and day; what changes, what follows, what contradicts what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property

from corpus.facts.loading import load_facts
from corpus.facts.values import Change, Fact


@dataclass(frozen=True, eq=False)
class FactBook:
    """Every record. The built-in one is `fact_book()`."""

    facts: tuple[Fact, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Fact]:
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def groups(self) -> Mapping[tuple[str, str, str], tuple[Fact, ...]]:
        """Records that differ by case or by date only, in the order of the files."""
        found: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self.facts:
            found.setdefault(fact.group, []).append(fact)
        return {name: tuple(held) for name, held in found.items()}

    def find(
        self, *, scheme: str = "", attribute: str = "", zone: str = "", on: date | None = None
    ) -> tuple[Fact, ...]:
        """Those that match everything told, in the order of the files. `zone`: one of those that a record names."""
        return tuple(
            fact
            for fact in self.facts
            if (not scheme or scheme in fact.schemes)
            and (not attribute or fact.attribute == attribute)
            and (not zone or zone in fact.zone.split(" et "))
            and (on is None or fact.holds(on))
        )

    def current(self, on: date) -> tuple[Fact, ...]:
        """Those in force on that day."""
        return self.find(on=on)

    def successor(self, fact: Fact) -> Fact | None:
        """The next record of the same case, where its value gives way to another."""
        later = [f for f in self._same_case(fact) if (f.effective_from or date.min) > (fact.effective_from or date.min)]
        return min(later, key=lambda f: f.effective_from or date.min, default=None)

    def predecessor(self, fact: Fact) -> Fact | None:
        """The record of the same case that it followed."""
        return next((f for f in self._same_case(fact) if self.successor(f) is fact), None)

    def changes_between(self, start: date, end: date) -> tuple[Change, ...]:
        """What begins or ends from `start` to `end`, both included, by day. A value that gives way to another the day
        after is one change, on the day of the new one; a disputed one is told as each source has it."""
        found: list[Change] = []
        for fact in self.facts:
            if fact.effective_from and start <= fact.effective_from <= end:
                found.append(Change(fact.effective_from, self.predecessor(fact), fact))
            if fact.effective_to and start <= fact.effective_to <= end:
                following = self.successor(fact)
                if following is None or not (start <= (following.effective_from or date.min) <= end):
                    found.append(Change(fact.effective_to, fact, following))
        return tuple(sorted(found, key=lambda change: change.day))

    def conflicts(self) -> tuple[tuple[Fact, ...], ...]:
        """Values on which sources disagree, each with its rivals: see `ranked`."""
        held = (tuple(f for f in group if f.status == "disputed") for group in self.groups.values())
        return tuple(ranked(group) for group in held if len(group) > 1)

    def _same_case(self, fact: Fact) -> Sequence[Fact]:
        return [f for f in self.groups[fact.group] if f.case == fact.case and f is not fact and f.unit == fact.unit]


def ranked(rivals: Iterable[Fact]) -> tuple[Fact, ...]:
    """The more official first, then the later said."""
    return tuple(sorted(rivals, key=lambda f: (not f.official, -(f.seen or date.min).toordinal())))


@cache
def fact_book() -> FactBook:
    """The built-in records, read at the first use. Raises `FactsUnreadable`."""
    return FactBook(load_facts())
