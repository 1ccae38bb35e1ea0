"""What is looked up live about a place: which tools its aspects and schemes call for, besides sale prices."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.places import Place
from pipeline.routing.words import flat
from pipeline.types import ToolCall

MOST_CALLS: Final = 8
"""Tool calls of one question; they run at once, and each is a request to somebody else's server."""
STATUS_OF: Final[Mapping[str, str]] = {
    "denormandie": "denormandie",
    "zone-tendue": "tense",
    "zonage-abc": "abc",
    "encadrement-loyers": "control",
}
"""Scheme -> the part of a commune's status that it depends on."""
CAPPED: Final = frozenset(("relance-logement", "denormandie", "pinel", "locavantages"))
"""Schemes whose ceilings of rent depend on the A-B-C zone."""
TOPICS: Final = {
    "clay": re.compile(r"\bargil\w+|retrait[- ]gonflement|\brga\b"),
    "radon": re.compile(r"\bradon\b"),
    "zone": re.compile(r"\bsismi\w+|\bseism\w+"),
    "disasters": re.compile(r"\bcat[ -]?nat|catastrophes? nat"),
}
"""Risks that a question may be about rather than about risks at large -> their words."""
OTHER_ZONING: Final = re.compile(r"\bzon(?:age|e)s? (?:sismiques?|de sismicite|inond\w+|du plu|du ppr\w*|radon)\b")
ZONED: Final = re.compile(
    r"\bzones?\b.{0,60}\b(?:ptz|lli|pinel|jeanbrun)\b|\b(?:ptz|lli|pinel|jeanbrun)\b.{0,60}\bzones?\b"
)
RENTED: Final = re.compile(r"\bse lou\w+|\bmettre en location\b|\bcombien\b.{0,30}\blou(?:e|er|ee?s?)\b")


@dataclass(frozen=True, slots=True)
class About:
    """What is asked of a place; `kind`: "flat", "house" or None (both); `rooms`: of the home; `low`: the flattened
    words; `address`: the one they name, of one place only."""

    aspects: frozenset[str]
    schemes: frozenset[str]
    kind: str | None = None
    rooms: int | None = None
    low: str = ""
    address: str = ""


def place_calls(
    places: Sequence[Place],
    *,
    aspects: Iterable[str],
    schemes: Iterable[str],
    kind: str | None = None,
    rooms: int | None = None,
    text: str = "",
    address: str = "",
) -> tuple[ToolCall, ...]:
    """For each place, what the subject depends on there; the first place first, at most `MOST_CALLS`. `text`: the
    user's own words, where an address may stand."""
    about = About(frozenset(aspects), frozenset(schemes), kind, rooms, flat(text), address if len(places) == 1 else "")
    calls = (call for place in places for call in (rule(place, about) for rule in RULES))
    return tuple(call for call in calls if call is not None)[:MOST_CALLS]


def _of(place: Place) -> dict[str, str]:
    return {"insee": place.insee, "name": place.name}


def _status(place: Place, about: About) -> ToolCall | None:
    parts = {part for scheme, part in STATUS_OF.items() if scheme in about.schemes}
    other = OTHER_ZONING.search(about.low) is not None
    if other:
        parts.discard("abc")
    if "zonage" in about.aspects and "abc" not in parts and not other:
        parts.add("tense")
    if ZONED.search(about.low):
        parts.add("abc")
    if about.schemes & CAPPED and "loyers" in about.aspects:
        parts.add("abc")
    if not parts:
        return None
    return ToolCall("status", {**_of(place), "parts": tuple(sorted(parts))})


def _risks(place: Place, about: About) -> ToolCall | None:
    if "risques" not in about.aspects and not about.schemes & {"ppri", "etat-des-risques"}:
        return None
    topics = tuple(topic for topic, words in TOPICS.items() if words.search(about.low))
    more = {"address": about.address, "topics": topics}
    return ToolCall("risks", {**_of(place), **{name: value for name, value in more.items() if value}})


def _rents(place: Place, about: About) -> ToolCall | None:
    """A yield needs a rent; what it is, the map can only estimate."""
    if not about.aspects & {"loyers", "rendement"} and not RENTED.search(about.low):
        return None
    rooms = {} if about.rooms is None else {"rooms": about.rooms}
    return ToolCall("rents", {**_of(place), "type": about.kind, **rooms})


def _dpe(place: Place, about: About) -> ToolCall | None:
    if "energie" not in about.aspects and "dpe" not in about.schemes:
        return None
    return ToolCall("dpe", _of(place))


RULES: Final[tuple[Callable[[Place, About], ToolCall | None], ...]] = (
    _status,
    _risks,
    _rents,
    _dpe,
)
