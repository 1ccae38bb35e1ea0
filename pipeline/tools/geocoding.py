"""A French address -> its point, by the national geocoder (IGN's Géoplateforme, Base Adresse Nationale)."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, decimal, plain, rows_of, unusable

PATH: Final = "/search"
LEAST_SCORE: Final = 0.6
"""Under which the geocoder's own score says that it guessed."""
PRECISE: Final = {"housenumber": "au numéro", "street": "à la rue"}
"""Kinds of result that are a point of an address; a whole town or a locality is none."""


@dataclass(frozen=True, slots=True)
class Point:
    """Degrees WGS 84, and how near the address it stands (« au numéro », « à la rue »)."""

    longitude: float
    latitude: float
    precision: str

    @property
    def query(self) -> str:
        """As Géorisques wants it: longitude first, whatever its parameter is called."""
        return f"{self.longitude:.6f},{self.latitude:.6f}"


class Geocoder:
    """Only the address and the commune's code are sent."""

    def __init__(self, source: JsonService) -> None:
        self._source = source

    async def point(self, address: str, *, commune: str, codes: Collection[str]) -> Point | SourceFailed | None:
        """The address in one of the communes `codes`; None when the geocoder has no such address there."""
        query = {"q": f"{address} {commune}" if commune not in address else address, "limit": "1", "autocomplete": "0"}
        if len(codes) == 1:
            query["citycode"] = next(iter(codes))
        (answer,) = await self._source.ask(Request(PATH, query))
        if isinstance(answer, SourceFailed):
            return answer
        try:
            return read_point(answer, codes)
        except Malformed:
            return SourceFailed(unusable(self._source.label))


def read_point(answer: Any, codes: Collection[str]) -> Point | None:
    """The first feature, when it is a street or a number of one of these communes and sure enough. Raises
    `Malformed`."""
    features = rows_of(answer, "features")
    if not features:
        return None
    about, where = features[0].get("properties"), features[0].get("geometry")
    if not isinstance(about, dict) or not isinstance(where, dict):
        raise Malformed
    precision = PRECISE.get(plain(about.get("type")))
    if precision is None or str(about.get("citycode")) not in codes:
        return None
    if decimal(about.get("score"), least=0, most=10) < LEAST_SCORE:
        return None
    pair = where.get("coordinates")
    if not isinstance(pair, list) or len(pair) != 2:
        raise Malformed
    return Point(decimal(pair[0], least=-180, most=180), decimal(pair[1], least=-90, most=90), precision)
