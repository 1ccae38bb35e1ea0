"""A commune's own geo-dvf tables, fetched for one answer: for what no service publishes as a price (garages, land)."""

import asyncio
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import httpx

from pipeline.tools.dvf.download import HOPS, DownloadFailed
from pipeline.tools.dvf.market import Market, read_market
from pipeline.tools.dvf.reach import ForbiddenRedirect, Resolve, check_peer, redirected, resolve

YEARS: Final = 3
"""Whole years before the current one that are asked for when no year is: the last one may not be published yet."""
BIGGEST: Final = 30_000_000
"""Bytes of one table; the largest communes have some megabytes a year."""
SECONDS: Final = 5.0
LATE: Final = "Les fichiers DVF de la commune n'ont pas été reçus à temps."


class CommuneFiles:
    """`client` uses no proxy (the address connected to could not be checked) and follows no redirect; `base` is the
    server of the files. Nothing is kept."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        base: str,
        *,
        today: Callable[[], date],
        seconds: float = SECONDS,
        resolve: Resolve = resolve,
    ) -> None:
        self._client = client
        self._base = base
        self._today = today
        self._seconds = seconds
        self._resolve = resolve

    async def market(self, insee: str, *, year: int | None) -> Market | None:
        """Of that year, or of the last ones; None when no table is published. Raises `DownloadFailed` and
        `UnreadableFile`, both French."""
        last = self._today().year - 1
        years = [year] if year is not None else list(range(last - YEARS + 1, last + 1))
        with tempfile.TemporaryDirectory(prefix="dvf-") as folder:
            paths = [Path(folder) / f"{insee}-{each}.csv" for each in years]
            try:
                async with asyncio.timeout(self._seconds):
                    held = await asyncio.gather(*(self._fetch(insee, y, p) for y, p in zip(years, paths, strict=True)))
            except (TimeoutError, httpx.TimeoutException) as error:
                raise DownloadFailed(LATE) from error
            except ForbiddenRedirect as error:
                raise DownloadFailed(str(error)) from error
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
                raise DownloadFailed("Le serveur des fichiers DVF est indisponible pour le moment.") from error
            found = [path for path, there in zip(paths, held, strict=True) if there]
            return await asyncio.to_thread(read_market, found, insee=insee) if found else None

    async def _fetch(self, insee: str, year: int, path: Path) -> bool:
        """Whether the table is published. Raises `DownloadFailed`, `ForbiddenRedirect` and httpx's errors."""
        department = insee[:3] if insee.startswith("97") else insee[:2]
        url = f"{self._base}/csv/{year}/communes/{department}/{insee}.csv"
        for _ in range(HOPS):
            async with self._client.stream("GET", url, follow_redirects=False) as response:
                check_peer(response, base=self._base)
                if response.has_redirect_location:
                    location = response.headers["location"]
                    url = await redirected(url, location, base=self._base, resolve=self._resolve)
                    continue
                if response.status_code in (404, 410):
                    return False
                response.raise_for_status()
                await _save(response, path)
                return True
        raise DownloadFailed("Le serveur renvoie sans fin d'une adresse à l'autre.")


async def _save(response: httpx.Response, path: Path) -> None:
    held = 0
    with path.open("wb") as table:
        async for chunk in response.aiter_bytes():
            held += len(chunk)
            if held > BIGGEST:
                raise DownloadFailed("Le fichier DVF de la commune dépasse la taille permise.")
            table.write(chunk)
