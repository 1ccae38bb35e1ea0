"""What is looked up live about a place: which tools its aspects and schemes call for, besides sale prices."""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from corpus.places import Place
from pipeline.reading import Dwelling
from pipeline.schemes import having, schemes
from pipeline.types import ToolCall
from pipeline.understanding import cues
from pipeline.understanding.cues import cue

_CLAUSE: Final = re.compile(r"[?;,:!]")
MOST_CALLS: Final = 8
"""Tool calls of one question; they run at once, and each is a request to somebody else's server."""


@dataclass(frozen=True, slots=True)
class About:
    """What is asked of places. `wanted`: the intents of the message; `kind`: "flat", "house" or None (both); `rooms`:
    of the home; `low`: the user's own words, flattened; `address`: the one they name, which is of one place only."""

    wanted: Set[str] = frozenset()
    aspects: Set[str] = frozenset()
    schemes: Set[str] = frozenset()
    kind: str | None = None
    rooms: int | None = None
    low: str = ""
    address: str = ""


def place_calls(places: Sequence[Place], about: About) -> tuple[ToolCall, ...]:
    """For each place, what the subject depends on there; the first place first, at most `MOST_CALLS`."""
    if len(places) != 1:
        about = replace(about, address="")
    calls = (rule(place, about) for place in places for rule in RULES)
    return tuple(call for call in calls if call is not None)[:MOST_CALLS]


def asserted(low: str) -> tuple[str, ...]:
    """What is asked by Oui or Non, in the order of `[asserted]`: named where no word asks how much or which."""
    clauses = [text for text in _CLAUSE.split(low) if not cue("asked.open").search(text)]
    return tuple(dict.fromkeys(name for text in clauses for name in cues.said("asserted", text)))


def _of(place: Place) -> dict[str, str]:
    return {"insee": place.insee, "name": place.name}


def _status(place: Place, about: About) -> ToolCall | None:
    known = schemes()
    parts = {known[scheme].status for scheme in about.schemes if scheme in known and known[scheme].status}
    other = cue("asked.other_zoning").search(about.low) is not None
    if other:
        parts.discard("abc")
    if "status" in about.wanted and not parts and not other:
        parts |= {"tense", "abc", "denormandie", "control"}
    if cue("asked.zoned").search(about.low):
        parts.add("abc")
    if about.schemes & having("capped"):
        parts.add("abc")
    if not parts:
        return None
    asked = tuple(name for name in asserted(about.low) if name in parts)
    zones = tuple(name.removeprefix("zone_") for name in cues.said("options", about.low) if name.startswith("zone_"))
    letter = {"letter": zones[0]} if "abc" in asked and len(zones) == 1 else {}
    more = {"asserted": asked} if asked else {}
    return ToolCall("status", {**_of(place), "parts": tuple(sorted(parts)), **more, **letter})


def _risks(place: Place, about: About) -> ToolCall | None:
    if "risques" not in about.aspects:
        return None
    topics = cues.said("risk", about.low)
    asked = tuple(name for name in asserted(about.low) if name in topics)
    more = {"address": about.address, "topics": topics, "asserted": asked}
    return ToolCall("risks", {**_of(place), **{name: value for name, value in more.items() if value}})


def _rents(place: Place, about: About) -> ToolCall | None:
    """A yield needs a rent; what it is, the map can only estimate."""
    if not about.wanted & {"rents", "calc_yield"}:
        return None
    rooms = {} if about.rooms is None else {"rooms": about.rooms}
    return ToolCall("rents", {**_of(place), "type": about.kind, **rooms})


def _dpe(place: Place, about: About) -> ToolCall | None:
    if "energy" not in about.wanted:
        return None
    return ToolCall("dpe", _of(place))


RULES: Final[tuple[Callable[[Place, About], ToolCall | None], ...]] = (
    _status,
    _risks,
    _rents,
    _dpe,
)


def sales_call(place: Place, home: Dwelling) -> ToolCall:
    """A call of the sales tool: `type` is "flat", "house", "garage", "land" or None (homes of both kinds), `year` None
    for the latest; `rooms` (1..5) and `since` (first year of a trend, 0: as far as known) only when asked for."""
    kind = "flat" if home.rooms and home.kind is None else home.kind
    asked = {"rooms": home.rooms, "since": home.since}
    about = {"insee": place.insee, "name": place.name, "type": kind, "year": home.year}
    return ToolCall("sales", {**about, **{k: v for k, v in asked.items() if v is not None}})
