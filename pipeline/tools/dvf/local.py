"""The tool "sales" over the geo-dvf files of this machine, for when neither online source has answered."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from pipeline.series import Series
from pipeline.tools.communes import CITIES, OUTSIDE_DVF
from pipeline.tools.dvf.commune_files import CommuneFiles
from pipeline.tools.dvf.download import DownloadFailed
from pipeline.tools.dvf.market import NAMES, Market, read_market
from pipeline.tools.dvf.text import figures, sentence, trend_sentence
from pipeline.tools.dvf.values import RULES, SOURCE, Kind, NoPrice, Price, UnreadableFile
from pipeline.tools.french import at
from pipeline.tools.json_service import plain
from pipeline.types import ToolCall, ToolResult

HOME = "https://www.data.gouv.fr/datasets/demandes-de-valeurs-foncieres-geolocalisees"
INSEE = re.compile(r"\d{5}|2[AB]\d{3}", re.ASCII)


def files_of(folder: Path, insee: str) -> tuple[Path, ...]:
    """Files that `dvf-sync` keeps for the commune's department, oldest year first: FOLDER/YEAR/DEPARTMENT.csv.gz."""
    department = insee[:3] if insee.startswith("97") else insee[:2]
    return tuple(sorted(folder.glob(f"[12][0-9][0-9][0-9]/{department}.csv.gz")))


class LocalSales:
    """`arguments`: `{"insee", "name", "type": "flat" | "house" | "garage" | "land" | None, "year"}` (None: flats and
    houses), and `rooms` (1..5, 5: five and more) for flats. `folder` is where `dvf-sync` writes; without a file there,
    `online` is asked for garages and land, which nobody else tells. Failures are French `error`s."""

    name = "sales"

    def __init__(self, folder: Path, *, online: CommuneFiles | None = None) -> None:
        self._folder = folder
        self._online = online

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name = str(call.arguments.get("insee") or ""), str(call.arguments.get("name") or "")
        if not INSEE.fullmatch(insee):
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les prix.")
        if insee.startswith(OUTSIDE_DVF):
            return ToolResult(call=call, error=f"{name or insee} est hors champ de DVF.")
        if insee in CITIES:
            return ToolResult(call=call, error=f"DVF suit {CITIES[insee][0]} par arrondissement : précisez lequel.")
        paths = await asyncio.to_thread(files_of, self._folder, insee)
        try:
            if paths:
                market = await asyncio.to_thread(read_market, paths, insee=insee)
            elif self._online is not None and call.arguments.get("type") in ("garage", "land"):
                online = await self._online.market(insee, year=_year(call))
                if online is None:
                    return ToolResult(call=call, error=f"Aucun fichier DVF n'est publié {at(name)} pour ces années.")
                market = online
            else:
                return ToolResult(call=call, error="Aucun fichier DVF de ce département n'est gardé sur cette machine.")
        except UnreadableFile as error:
            return ToolResult(call=call, error=str(error))
        except DownloadFailed as error:
            return ToolResult(call=call, error=str(error), outage=True)
        return _result(call, market, name=name or insee)


def _year(call: ToolCall) -> int | None:
    year = call.arguments.get("year")
    return year if isinstance(year, int) and not isinstance(year, bool) else None


def _result(call: ToolCall, market: Market, *, name: str) -> ToolResult:
    kinds: tuple[Kind, ...] = ("flat", "house")
    if call.arguments.get("type") in RULES:
        kinds = (call.arguments["type"],)
    asked_year, rooms = _year(call), call.arguments.get("rooms")
    size = rooms if isinstance(rooms, int) and not isinstance(rooms, bool) and 1 <= rooms <= 5 else None
    if size is not None and kinds[0] in ("flat", "house"):
        kinds = ("flat",)
    elif size is not None:
        size = None
    outcomes = [market.price(kind, year=asked_year, rooms=size) for kind in kinds]
    prices = [outcome for outcome in outcomes if isinstance(outcome, Price)]
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, NoPrice)]
    if not prices:
        return ToolResult(call=call, error=" ".join(dict.fromkeys(reasons)))
    trends = [market.trend(kind) for kind in kinds if size is None and asked_year is None]
    known_as = plain(market.town) if plain(market.town) != plain(name) else ""
    said = [sentence(price, where=at(name)) for price in prices]
    said += [text for trend in trends if (text := trend_sentence(trend))]
    return ToolResult(
        call=call,
        title=f"DVF, fichiers géolocalisés (calcul QuartierScope) : prix {at(name)}"
        + f" ({known_as})" * bool(known_as),
        text=" ".join([*said, *dict.fromkeys(reasons), *_called(known_as), *_rules(prices), f"{SOURCE}."]),
        figures=figures(_listed(prices, trends)),
        url=HOME,
        as_of=max(price.last_sale for price in prices),
        series=tuple(
            Series(
                NAMES[trend[0].kind].capitalize(),
                trend[0].unit,
                tuple((price.year, price.median, price.n, price.q1, price.q3) for price in trend),
            )
            for trend in trends
            if trend
        ),
    )


def _called(known_as: str) -> list[str]:
    """A file that names the commune otherwise may be older than a merger, or a test file, which says so."""
    return [f"Le fichier nomme la commune « {known_as} »."] if known_as else []


def _rules(prices: Sequence[Price]) -> list[str]:
    return list(dict.fromkeys(f"Calcul : {price.rule}." for price in prices))


def _listed(prices: Sequence[Price], trends: Sequence[Sequence[Price]]) -> tuple[Price, ...]:
    return tuple(dict.fromkeys([*prices, *(price for trend in trends for price in trend)]))
