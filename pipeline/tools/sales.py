"""The tool "sales": the last yearly prices of homes in a commune, from the Cerema's indicators of DVF."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import httpx

from pipeline.tools.french import at
from pipeline.tools.indicators import FIELDS, Kind, Page, Price, prices, read_page
from pipeline.tools.sales_text import KINDS, OF, figures, sentences, title
from pipeline.tools.source import Malformed
from pipeline.types import Series, ToolCall, ToolResult

PATH = "/indicateurs/dv3f/prix/annuel/"
HOME = "https://datafoncier.cerema.fr"
OUTSIDE_DVF = ("57", "67", "68", "976")
"""Moselle, Bas-Rhin, Haut-Rhin (land registry of local law) and Mayotte: DVF has no sale of theirs."""
BY_ARRONDISSEMENT = {"75056": "Paris", "69123": "Lyon", "13055": "Marseille"}
FEWEST = 10
"""Sales under which no price is given."""
TIMEOUT, BIGGEST, PAGES = 6.0, 5_000_000, 3

Asked = tuple[str, str, tuple[Kind, ...], int | None]


class SalesTool:
    """`arguments`: `{"insee": str, "name": str, "type": "flat" | "house" | None, "year": int | None}`.

    `client` has DVF_API_URL as its base. Every failure is a French `error`; nothing doubtful becomes a figure.
    """

    name = "sales"

    def __init__(self, client: httpx.AsyncClient, *, today: Callable[[], date], timeout: float = TIMEOUT) -> None:
        self._client = client
        self._today = today
        self._timeout = timeout

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name, kinds, _ = _asked(call.arguments)
        if not insee:
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les prix.")
        if insee.startswith(OUTSIDE_DVF):
            return ToolResult(call=call, error=_outside(name))
        try:
            async with asyncio.timeout(self._timeout):
                pages = await self._pages(insee)
            rows = [row for page in pages for row in page.rows]
            series = {kind: prices(rows, insee=insee, kind=kind) for kind in kinds}
        except (TimeoutError, httpx.TimeoutException):
            late = f"Le service de prix du Cerema n'a pas répondu à temps pour {name}."
            return ToolResult(call=call, error=late, outage=True)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
            down = f"Le service de prix du Cerema est indisponible : pas de prix pour {name}."
            return ToolResult(call=call, error=down, outage=True)
        except Malformed:
            return ToolResult(call=call, error=_nonsense(name), outage=True)
        return self._result(call, series, source=pages[0].source)

    async def _pages(self, insee: str) -> list[Page]:
        """The service gives the oldest year first, so the last page matters. Its `next` address is not followed:
        it may be http or another host; only the page number is."""
        pages: list[Page] = []
        for number in range(1, PAGES + 1):
            parameters = {"echelle": "communes", "code": insee, "fields": ",".join(FIELDS), "page_size": "100"}
            pages.append(read_page(await self._fetch({**parameters, **({"page": str(number)} if number > 1 else {})})))
            if not pages[-1].more:
                return pages
        raise Malformed

    async def _fetch(self, parameters: Mapping[str, str]) -> bytes:
        """Raises httpx's errors, and `Malformed` for a body over the size limit."""
        async with self._client.stream("GET", PATH, params=dict(parameters), timeout=self._timeout) as response:
            response.raise_for_status()
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > BIGGEST:
                    raise Malformed
            return bytes(body)

    def _result(
        self, call: ToolCall, series: Mapping[Kind, Mapping[int, Price | Malformed]], *, source: str
    ) -> ToolResult:
        insee, name, _, year = _asked(call.arguments)
        chosen: dict[Kind, tuple[Price, Price | None]] = {}
        reasons: list[str] = []
        empty: list[Kind] = []
        for kind, found in series.items():
            latest = year or max(found, default=None)
            price = found.get(latest) if latest else None
            if isinstance(price, Malformed):
                return ToolResult(call=call, error=_nonsense(name), outage=True)
            if price is None:
                empty.append(kind)
            elif price.sales < FEWEST:
                reasons.append(_too_few(name, kind))
            else:
                before = found.get(price.year - 1)
                chosen[kind] = (price, before if isinstance(before, Price) and before.sales >= FEWEST else None)
        if empty:
            reasons.append(_nothing(insee, name, "logements" if len(empty) == 2 else KINDS[empty[0]], year))
        if not chosen:
            return ToolResult(call=call, error=" ".join(reasons))
        newest = max(price.year for price, _ in chosen.values())
        today = self._today()
        return ToolResult(
            call=call,
            title=title(name, source),
            text=" ".join([*sentences(name, chosen, source=source, this_year=today.year), *reasons]),
            figures=figures(chosen),
            url=HOME,
            as_of=min(date(newest, 12, 31), today),
            series=_over_the_years({kind: series[kind] for kind in chosen}),
        )


def _over_the_years(found: Mapping[Kind, Mapping[int, Price | Malformed]]) -> tuple[Series, ...]:
    """Medians of the years that have enough sales; a year that is missing or doubtful is left out, not drawn."""
    drawn = []
    for kind, years in found.items():
        sound = [price for price in years.values() if isinstance(price, Price) and price.sales >= FEWEST]
        points = tuple((price.year, price.median, price.sales) for price in sorted(sound, key=lambda p: p.year))
        drawn.append(Series(KINDS[kind].capitalize(), "€/m²", points))
    return tuple(drawn)


def _asked(arguments: Mapping[str, Any]) -> Asked:
    """INSEE code (empty when it is none), the commune's name, the types of home, the year."""
    insee = str(arguments.get("insee") or "").strip().upper()
    valid = len(insee) == 5 and insee.isalnum() and insee.isascii()
    kind, year = arguments.get("type"), arguments.get("year")
    kinds: tuple[Kind, ...] = (kind,) if kind in ("flat", "house") else ("flat", "house")
    return insee if valid else "", str(arguments.get("name") or insee), kinds, year if isinstance(year, int) else None


def _outside(name: str) -> str:
    return (
        f"{name} est hors champ de DVF : la base ne couvre ni la Moselle, ni le Bas-Rhin, ni le Haut-Rhin, ni Mayotte. "
        "L'absence de prix n'y veut pas dire absence de ventes."
    )


def _nothing(insee: str, name: str, homes: str, year: int | None) -> str:
    if insee in BY_ARRONDISSEMENT:
        return f"DVF suit {BY_ARRONDISSEMENT[insee]} par arrondissement : précisez lequel."
    when = f" pour {year}" if year else ""
    return f"Le Cerema ne publie pas de prix des {homes} {at(name)}{when}."


def _too_few(name: str, kind: Kind) -> str:
    return f"Les ventes {OF[kind]} {at(name)} sont trop peu nombreuses pour donner un prix fiable."


def _nonsense(name: str) -> str:
    return f"Le service de prix du Cerema a renvoyé une réponse inexploitable pour {name} : je n'en tire aucun chiffre."
