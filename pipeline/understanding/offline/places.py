"""The communes that a message names: not a client's name, not an amount; a misspelt or foreign one is said."""

import re
from collections.abc import Sequence
from typing import Final

from corpus.places import Gazetteer, Mention
from pipeline.reading import NamedPlace, Quantity
from pipeline.understanding.offline.fields import Field
from pipeline.understanding.own_words import flat

NAMED: Final = re.compile(
    r"\b(?:[àÀa]|sur|vers|dans|in) (?P<name>(?:L[ae]s? )?[A-ZÀ-Ý][a-zà-ÿ'’]{2,}"
    r"(?:[ -](?:[A-ZÀ-Ý][a-zà-ÿ'’]+|l[ea]s?|d[eu]s?|sur|sous|en|lès))*)"
)
"""A capital after « à »; letters that are all capitals are an acronym."""
CODE: Final = re.compile(
    r"\b(?:à|a|commune|code|insee) (?P<code>\d{4,5})\b(?! ?(?:€|euros?|m2|m²|%|ans|mois))", re.IGNORECASE
)


def crm_aside(found: Sequence[Field]) -> tuple[tuple[int, int], ...]:
    """Spans in which a town's name is somebody's: « dossier Martin », « Mme Lille »."""
    return tuple((f.start, f.end) for f in found if f.name in ("deal_name", "body", "value"))


def named_places(
    text: str,
    mentions: Sequence[Mention],
    *,
    apart: Sequence[tuple[int, int]],
    amounts: Sequence[Quantity],
    places: Gazetteer,
) -> tuple[tuple[NamedPlace, ...], str]:
    """(the communes named, what no commune is called by)."""
    spans = [*apart, *((q.start, q.end) for q in amounts)]
    kept = [m for m in mentions if not any(m.start < end and m.end > start for start, end in spans)]
    found = tuple(
        NamedPlace(
            m.text,
            m.start,
            m.end,
            tuple(place.insee for place in m.places),
            m.ambiguous,
            tuple(place.label for place in m.places) if m.ambiguous else (),
        )
        for m in kept
    )
    return found, "" if mentions else unknown_place(text, places)


def unknown_place(text: str, places: Gazetteer) -> str:
    """A name or a code, where a place is expected, that is no French commune's; "" when there is none."""
    if (match := CODE.search(text)) and places.get(match["code"]) is None:
        return match["code"]
    for match in NAMED.finditer(text):
        name = match["name"].rstrip(" -'’")
        if not places.is_area(name) and not _is_scheme(name):
            return name
    return ""


def _is_scheme(name: str) -> bool:
    from pipeline import schemes

    return bool(schemes.said_in(flat(name)))


def blanked(low: str, where: Sequence[NamedPlace]) -> str:
    """Places blanked out, so that no name of a town reads as a word (« Le Bourget », « La Garde »)."""
    for place in where:
        low = low[: place.start] + " " * (place.end - place.start) + low[place.end :]
    return low
