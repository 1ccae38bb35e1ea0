"""geo-dvf's files at the addresses of files.data.gouv.fr: a department's archive, a commune's table, of five years."""

import asyncio
import csv
import gzip
import io
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import communes
from sandbox.opendata.deeds import COLUMNS, lines
from sandbox.opendata.figures import markets_of
from sandbox.opendata.state import OpenData, served

PUBLISHED = range(2021, 2026)


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /geo-dvf, which stands for https://files.data.gouv.fr/geo-dvf/latest."""
    return [
        Route("/csv/{year:int}/departements/{code}.csv.gz", served(state, "files", _department), methods=["GET"]),
        Route("/csv/{year:int}/communes/{department}/{code}.csv", served(state, "files", _commune), methods=["GET"]),
    ]


async def _department(request: Request, empty: bool) -> Any:
    code, year = request.path_params["code"], request.path_params["year"]
    held = [each.insee for each in communes().values() if each.department == code and markets_of(each.insee)]
    if not held or year not in PUBLISHED:
        return Response("Not Found", 404, media_type="text/plain")
    packed = await asyncio.to_thread(_archive, tuple([] if empty else held), year)
    tag = f'"bac-a-sable-{code}-{year}-{len(packed)}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(packed, media_type="application/gzip", headers={"etag": tag})


async def _commune(request: Request, empty: bool) -> Any:
    code, year = request.path_params["code"], request.path_params["year"]
    commune = communes().get(code)
    here = commune is not None and commune.department == request.path_params["department"]
    if not here or markets_of(code) is None or year not in PUBLISHED:
        return Response("Not Found", 404, media_type="text/plain")
    table = await asyncio.to_thread(_table, () if empty else (code,), year)
    return Response(table, media_type="text/csv")


@lru_cache(maxsize=8)
def _archive(codes: Sequence[str], year: int) -> bytes:
    return gzip.compress(_table(codes, year), 5, mtime=0)


def _table(codes: Sequence[str], year: int) -> bytes:
    written = io.StringIO()
    writer = csv.DictWriter(written, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for code in codes:
        writer.writerows(lines(code, year))
    return written.getvalue().encode("utf-8")
