"""A small server of geo-dvf files for tests: ranges, ETags, one fault at a time, and the log of what was asked."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from pipeline.tools.dvf.download import Target, fetch
from tests.dvf_lines import as_csv, sale
from tests.loopback import served

DATA = gzip.compress(as_csv([sale(n) for n in range(4000)]).encode(), mtime=0)
PATH = "/csv/2024/departements/01.csv.gz"


@dataclass
class Files:
    """A file server that understands ranges, with one fault at a time and the log of what was asked."""

    data: bytes = DATA
    tag: str = '"v1"'
    fault: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        self.asked.append({name: request.headers.get(name, "") for name in ("range", "if-range", "if-none-match")})
        asked = self.asked[-1]
        if self.fault.startswith(("http", "ftp", "//", "/csv")):
            return RedirectResponse(self.fault, status_code=302)
        if self.fault.isdigit():
            return PlainTextResponse("non", status_code=int(self.fault))
        headers = {"etag": self.tag, "content-length": str(len(self.data))}
        if asked["if-none-match"] == self.tag:
            return Response(status_code=304, headers={"etag": self.tag})
        if self.fault == "cut":
            self.fault = ""
            return StreamingResponse(self._half(), headers=headers)
        if asked["range"] and asked["if-range"] == self.tag:
            start = int(asked["range"].removeprefix("bytes=").removesuffix("-"))
            said = f"bytes {start + (1 if self.fault == 'shifted' else 0)}-{len(self.data) - 1}/{len(self.data)}"
            return Response(self.data[start:], status_code=206, headers={"etag": self.tag, "content-range": said})
        return Response(self.data, headers={"etag": self.tag})

    async def _half(self) -> AsyncIterator[bytes]:
        yield self.data[: len(self.data) // 2]
        await asyncio.sleep(0.05)
        raise RuntimeError("the line is cut")


@contextmanager
def serving(files: Files) -> Iterator[str]:
    with served(Starlette(routes=[Route("/{path:path}", files.answer)])) as base:
        yield base


def target(base: str, folder: Path) -> Target:
    return Target(url=base + PATH, base=base, path=folder / "2024" / "01.csv.gz")


async def sync(base: str, folder: Path, **how: int) -> str:
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
        return await fetch(client, target(base, folder), biggest=how.get("biggest", 200_000_000))
