"""What is looked up live about a place: which tools its aspects and schemes call for, besides sale prices."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from corpus.places import Place
from pipeline.types import ToolCall

MOST_CALLS: Final = 8
"""Tool calls of one question; they run at once, and each is a request to somebody else's server."""
STATUS_OF: Final[Mapping[str, str]] = {
    "denormandie": "denormandie",
    "zone-tendue": "tense",
    "zonage-abc": "tense",
    "encadrement-loyers": "control",
}
"""Scheme -> the part of a commune's status that it depends on."""


def place_calls(places: Sequence[Place], *, aspects: Iterable[str], schemes: Iterable[str]) -> tuple[ToolCall, ...]:
    """For each place, what the subject depends on there; the first place first, at most `MOST_CALLS`."""
    about = (frozenset(aspects), frozenset(schemes))
    calls = (call for place in places for call in (rule(place, *about) for rule in RULES))
    return tuple(call for call in calls if call is not None)[:MOST_CALLS]


def _status(place: Place, aspects: frozenset[str], schemes: frozenset[str]) -> ToolCall | None:
    parts = {part for scheme, part in STATUS_OF.items() if scheme in schemes}
    if "zonage" in aspects:
        parts.add("tense")
    if not parts:
        return None
    return ToolCall("status", {"insee": place.insee, "name": place.name, "parts": tuple(sorted(parts))})


RULES: Final[tuple[Callable[[Place, frozenset[str], frozenset[str]], ToolCall | None], ...]] = (_status,)
