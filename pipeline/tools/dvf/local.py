"""The tool "sales" over the geo-dvf files of this machine, for when neither online source has answered."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from pipeline.tools.communes import CITIES, OUTSIDE_DVF
from pipeline.tools.dvf.market import NAMES, Market, read_market
from pipeline.tools.dvf.text import figures, sentence, trend_sentence
from pipeline.tools.dvf.values import RULE, SOURCE, Kind, NoPrice, Price, UnreadableFile
from pipeline.tools.french import at
from pipeline.types import Series, ToolCall, ToolResult

HOME = "https://www.data.gouv.fr/datasets/demandes-de-valeurs-foncieres-geolocalisees"
INSEE = re.compile(r"\d{5}|2[AB]\d{3}", re.ASCII)


def files_of(folder: Path, insee: str) -> tuple[Path, ...]:
    """Files that `dvf-sync` keeps for the commune's department, oldest year first: FOLDER/YEAR/DEPARTMENT.csv.gz."""
    department = insee[:3] if insee.startswith("97") else insee[:2]
    return tuple(sorted(folder.glob(f"[12][0-9][0-9][0-9]/{department}.csv.gz")))


class LocalSales:
    """`arguments` are those of the online tool: `{"insee", "name", "type": "flat" | "house" | None, "year"}`; and
    `rooms` (1..5, 5: five and more) for flats. `folder` is where `dvf-sync` writes. Failures are French `error`s."""

    name = "sales"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name = str(call.arguments.get("insee") or ""), str(call.arguments.get("name") or "")
        if not INSEE.fullmatch(insee):
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les prix.")
        if insee.startswith(OUTSIDE_DVF):
            return ToolResult(call=call, error=f"{name or insee} est hors champ de DVF.")
        if insee in CITIES:
            return ToolResult(call=call, error=f"DVF suit {CITIES[insee][0]} par arrondissement : précisez lequel.")
        paths = await asyncio.to_thread(files_of, self._folder, insee)
        if not paths:
            return ToolResult(call=call, error="Aucun fichier DVF de ce département n'est gardé sur cette machine.")
        try:
            market = await asyncio.to_thread(read_market, paths, insee=insee)
        except UnreadableFile as error:
            return ToolResult(call=call, error=str(error))
        return _result(call, market, name=name or insee)


def _result(call: ToolCall, market: Market, *, name: str) -> ToolResult:
    kinds: tuple[Kind, ...] = ("flat", "house")
    if call.arguments.get("type") in kinds:
        kinds = (call.arguments["type"],)
    year, rooms = call.arguments.get("year"), call.arguments.get("rooms")
    asked_year = year if isinstance(year, int) and not isinstance(year, bool) else None
    size = rooms if isinstance(rooms, int) and not isinstance(rooms, bool) and 1 <= rooms <= 5 else None
    if size is not None:
        kinds = ("flat",)
    outcomes = [market.price(kind, year=asked_year, rooms=size) for kind in kinds]
    prices = [outcome for outcome in outcomes if isinstance(outcome, Price)]
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, NoPrice)]
    if not prices:
        return ToolResult(call=call, error=" ".join(dict.fromkeys(reasons)))
    trends = [market.trend(kind) for kind in kinds if size is None and asked_year is None]
    said = [sentence(price, where=at(name)) for price in prices]
    said += [text for trend in trends if (text := trend_sentence(trend))]
    return ToolResult(
        call=call,
        title=f"DVF, fichiers géolocalisés (calcul QuartierScope) : prix {at(name)}",
        text=" ".join([*said, *dict.fromkeys(reasons), f"Calcul : {RULE}.", f"{SOURCE}."]),
        figures=figures(_listed(prices, trends)),
        url=HOME,
        as_of=max(price.last_sale for price in prices),
        series=tuple(
            Series(
                NAMES[trend[0].kind].capitalize(), "€/m²", tuple((price.year, price.median, price.n) for price in trend)
            )
            for trend in trends
            if trend
        ),
    )


def _listed(prices: Sequence[Price], trends: Sequence[Sequence[Price]]) -> tuple[Price, ...]:
    return tuple(dict.fromkeys([*prices, *(price for trend in trends for price in trend)]))
