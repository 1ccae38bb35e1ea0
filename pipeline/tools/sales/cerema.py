"""The tool "sales": the last yearly prices of homes in a commune, from the Cerema's indicators of DVF."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import date

import httpx

from pipeline.tools.json_service import Malformed
from pipeline.tools.sales.choice import (
    NOT_HOMES,
    OUTSIDE_DVF,
    Years,
    chosen,
    nonsense,
    only_homes,
    outside,
    over_the_years,
    read_asked,
)
from pipeline.tools.sales.indicators import Kind, Page, fields, prices, read_page
from pipeline.tools.sales.text import figures, sentences, title
from pipeline.types import ToolCall, ToolResult

PATH = "/indicateurs/dv3f/prix/annuel/"
HOME = "https://datafoncier.cerema.fr"
TIMEOUT, BIGGEST, PAGES = 6.0, 5_000_000, 3


class SalesTool:
    """`arguments`: `{"insee": str, "name": str, "type": "flat" | "house" | None, "year": int | None}`, and optionally
    `rooms` (1..5, 5: five and more; flats) and `since`: the first year of a trend, 0 for all that are known.

    The types "garage" and "land" are refused: the yearly indicators read here only tell homes.
    `client` has DVF_API_URL as its base. Every failure is a French `error`; nothing doubtful becomes a figure.
    """

    name = "sales"

    def __init__(self, client: httpx.AsyncClient, *, today: Callable[[], date], timeout: float = TIMEOUT) -> None:
        self._client = client
        self._today = today
        self._timeout = timeout

    async def run(self, call: ToolCall) -> ToolResult:
        asked = read_asked(call.arguments)
        insee, name = asked.insee, asked.name
        if not insee:
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les prix.")
        if insee.startswith(OUTSIDE_DVF):
            return ToolResult(call=call, error=outside(name))
        if call.arguments.get("type") in NOT_HOMES:
            return ToolResult(call=call, error=only_homes("Les indicateurs du Cerema", call.arguments["type"]))
        try:
            async with asyncio.timeout(self._timeout):
                pages = await self._pages(insee, rooms=asked.rooms)
            rows = [row for page in pages for row in page.rows]
            series = {kind: prices(rows, insee=insee, kind=kind) for kind in asked.kinds}
            sized = prices(rows, insee=insee, kind="flat", rooms=asked.rooms) if asked.rooms else {}
        except (TimeoutError, httpx.TimeoutException):
            late = f"Le service de prix du Cerema n'a pas répondu à temps pour {name}."
            return ToolResult(call=call, error=late, outage=True)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
            down = f"Le service de prix du Cerema est indisponible : pas de prix pour {name}."
            return ToolResult(call=call, error=down, outage=True)
        except Malformed:
            return ToolResult(call=call, error=nonsense(name), outage=True)
        return self._result(call, series, sized, source=pages[0].source)

    async def _pages(self, insee: str, *, rooms: int | None) -> list[Page]:
        """The service gives the oldest year first, so the last page matters. Its `next` address is not followed:
        it may be http or another host; only the page number is."""
        pages: list[Page] = []
        for number in range(1, PAGES + 1):
            columns = ",".join(fields(rooms))
            parameters = {"echelle": "communes", "code": insee, "fields": columns, "page_size": "100"}
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

    def _result(self, call: ToolCall, series: Mapping[Kind, Years], sized: Years, *, source: str) -> ToolResult:
        asked = read_asked(call.arguments)
        try:
            told = chosen(asked, series, sized)
        except Malformed:
            return ToolResult(call=call, error=nonsense(asked.name), outage=True)
        if isinstance(told, str):
            return ToolResult(call=call, error=told)
        today = self._today()
        return ToolResult(
            call=call,
            title=title(asked.name, source),
            text=" ".join([*sentences(asked.name, told.prices, source=source, this_year=today.year), *told.reasons]),
            figures=figures(told.prices),
            url=HOME,
            as_of=min(date(max(each.price.year for each in told.prices), 12, 31), today),
            series=over_the_years({each: sized if each.rooms else series[each.kind] for each in told.prices}),
        )
