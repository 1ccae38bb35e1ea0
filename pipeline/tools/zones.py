"""The A-B-C zone of a commune: the ministry's list as it stands today, else ours, each with its date."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from corpus.places import Gazetteer, Place
from corpus.zones import LETTERS, ZONES_AS_OF, ZONES_REVISED, ZoneList, vintage_of
from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, origin, rows_of, unusable
from pipeline.types import ToolCall, ToolResult

RESOURCE: Final = "13f7282b-8a25-43ab-9713-8bb4e476df55"
URL: Final = "https://www.data.gouv.fr/datasets/656715871172d08f8f680063"
MINISTRY: Final = "ministère chargé du logement, Licence Ouverte 2.0"
NOT_TENSE: Final = (
    "Ce zonage fixe des plafonds de loyer et de ressources ; il ne dit pas si la commune est en zone tendue."
)


@dataclass(frozen=True, slots=True)
class Zone:
    """A bis, A, B1, B2 or C, by a list in force since `since`."""

    letter: str
    since: date


class Zoning:
    """`live`: the tabular service that carries the ministry's list; without it, or when it fails, the built-in one."""

    def __init__(self, ours: ZoneList, places: Gazetteer, *, live: JsonService | None = None) -> None:
        self._ours = ours
        self._places = places
        self._live = live

    async def told(self, call: ToolCall, place: Place) -> ToolResult:
        """The zone with its vintage, behind Oui or Non where one `letter` is asked; an arrondissement has its city's.
        Raises `ZonesUnreadable`."""
        code = (self._places.city_of(place.insee) or place).insee
        zone, gaps, said = await self._now(code)
        replaced = ""
        if zone is None:
            letter = self._ours.of(code)
            if letter is None:
                return ToolResult(call=call, error=f"La zone A, B ou C de {place.name} n'est dans aucune liste lue.")
            zone = Zone(letter, ZONES_AS_OF)
            replaced = f" ; une autre la remplace depuis le {ZONES_REVISED:%d/%m/%Y}, la zone est donc à confirmer"
        letter = str(call.arguments.get("letter") or "")
        word = "" if not letter else "Oui : " if letter == zone.letter.replace(" ", "") else "Non : "
        sentences = (
            f"{word}{place.name} est en zone {zone.letter} du zonage A, B, C, d'après la liste en vigueur depuis le "
            f"{zone.since:%d/%m/%Y}{said} ({MINISTRY}){replaced}.",
            NOT_TENSE,
        )
        title = f"Zonage A, B, C de {place.label}{said}"
        return ToolResult(call=call, title=title, text=" ".join(sentences), url=URL, as_of=zone.since, gaps=gaps)

    async def _now(self, code: str) -> tuple[Zone | None, tuple[str, ...], str]:
        """The zone by today's list, or None and why; and what the service says of itself."""
        if self._live is None:
            return None, (), ""
        query = {"CODGEO__exact": code, "page_size": "5"}
        (answer,) = await self._live.ask(Request(f"/api/resources/{RESOURCE}/data/", query))
        if isinstance(answer, SourceFailed):
            return None, (f"{answer} La zone A, B, C est celle de notre liste.",), ""
        try:
            return read_zone(answer, code), (), origin(answer)
        except Malformed:
            return None, (f"{unusable(self._live.label)} La zone A, B, C est celle de notre liste.",), ""


def read_zone(answer: Any, code: str) -> Zone | None:
    """The one row of this commune, its zone under the column whose name bears the vintage; None when there is no row.
    Raises `Malformed`, also for another commune's row: a filter that is not understood returns the whole list."""
    rows = rows_of(answer)
    if not rows:
        return None
    if len(rows) > 1 or str(rows[0].get("CODGEO")) != code:
        raise Malformed
    dated = [(day, value) for name, value in rows[0].items() if (day := vintage_of(str(name))) is not None]
    if not dated:
        raise Malformed
    since, written = max(dated, key=lambda pair: pair[0])
    letter = LETTERS.get(str(written).replace(" ", "").replace("-", ""))
    if letter is None:
        raise Malformed
    return Zone(letter, since)
