"""The values of the records: one fact, where it can be checked, and the closed vocabulary that it is written in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, get_args

Status = Literal["sure", "to_verify", "disputed"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
Bound = Literal["", "max", "min"]
BOUNDS: Final[tuple[Bound, ...]] = get_args(Bound)
Content = float | tuple[float, float] | date | str
"""What a record holds: a number, a range, a day, or words."""


DELAYS: Final = ("jour", "semaine", "mois", "an")
"""Units of a delay that runs from a day."""


@dataclass(frozen=True, slots=True)
class Source:
    """The official page on which a fact can be checked."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """One kind of fact. `words`: how questions name it; `cues`: phrases that ask for it and for nothing else; `weak`:
    phrases that may ask for it among others."""

    id: str
    title: str
    words: str = ""
    cues: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it is written after one and after several; `of`: the plainer one that a text may use instead."""

    id: str
    one: str
    many: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class Base:
    """An amount that a share is taken of. `said`: « du prix »; `roles`: what a number may have been read as to be it;
    `least`: euros below which a number is none."""

    id: str
    said: str
    roles: frozenset[str]
    least: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The attributes and units that records may use, what a share may be taken of, the phrases by which questions say
    what they want of them, and how words are cut short."""

    attributes: Mapping[str, Attribute]
    units: Mapping[str, Unit]
    bases: Mapping[str, Base]
    asks: Mapping[str, tuple[str, ...]]
    short: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One dated record.

    `scheme`: a row of the schemes; `also`: others that it answers for; `label`: what it is the value of, with its
    article; `condition`, `zone`: in which case, `hints`: other words for it; `effective_to`: its last day, None while
    no end is known; `said_by`: who says a disputed value, `seen`: on a page of which day where that is known,
    `official` where that is a public body; `revised`: another record holds the same at other dates; `main`: it belongs
    in a summary of its scheme; `closes`: after its value (a day) nobody is taken in, which `after` then says;
    `sentence`: told so instead of being rendered; `dated`: words of its own for its dates; `of`: the amount that a
    share in per cent is taken of, a row of the bases; `since`, `until`: from which event on, or before which one, a
    delay runs.
    """

    id: str
    scheme: str
    attribute: str
    label: str
    value: Content
    source: Source
    consulted_on: date
    unit: str = ""
    condition: str = ""
    zone: str = ""
    hints: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    status: Status = "sure"
    article: str = ""
    also: tuple[str, ...] = ()
    words: str = ""
    bound: Bound = ""
    verb: str = ""
    dated: str = ""
    sentence: str = ""
    of: str = ""
    since: str = ""
    until: str = ""
    after: str = ""
    said_by: str = ""
    seen: date | None = None
    official: bool = False
    main: bool = False
    closes: bool = False
    revised: bool = False

    @property
    def group(self) -> tuple[str, str, str]:
        """What it shares with the records that differ from it by case or by date only."""
        return self.scheme, self.attribute, self.label

    @property
    def case(self) -> tuple[str, str]:
        return self.condition, self.zone

    @property
    def schemes(self) -> frozenset[str]:
        return frozenset((self.scheme, *self.also))

    def holds(self, on: date) -> bool:
        """Whether it is in force on that day."""
        began = self.effective_from is None or self.effective_from <= on
        return began and (self.effective_to is None or on <= self.effective_to)

    def overlaps(self, other: "Fact") -> bool:
        first, last = (self.effective_from or date.min, self.effective_to or date.max)
        return first <= (other.effective_to or date.max) and (other.effective_from or date.min) <= last


@dataclass(frozen=True, slots=True)
class Change:
    """A value that begins or ends on a day. `old`, `new`: the record that gives way and the one that follows, either
    None where there is none."""

    day: date
    old: Fact | None
    new: Fact | None
