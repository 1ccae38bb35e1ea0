"""A web ingestion over a server of our own: what addresses are read with, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bot.documents.web_sources import Owner, WebIngestion
from bot.store import web_sources
from bot.store.database import Database
from bot.store.tables import Row
from corpus.index.embedded import EmbeddedIndex
from corpus.sources.fetching import Reach
from corpus.types import Filters
from tests.beginnings import migrated
from tests.web_server import WebServer, response, web_server

TODAY = date(2026, 11, 21)
OWNER = Owner("T1", "public", "cli")
HTML = "<html><head><title>Fiche</title></head><body>{}<main><h1>Fiche</h1><p>{}</p></main></body></html>"
LONG = "Cette fiche parle longuement du préavis et du loyer, pour avoir de quoi être lue comme le sont les vraies. " * 4


@dataclass
class Shelf:
    """A web ingestion over a server of ours; `address` is its page."""

    web_ingestion: WebIngestion
    web: WebServer

    @property
    def address(self) -> str:
        return self.web.url("/fiche")

    def page(self, text: str, *, menu: str = "", **headers: str) -> None:
        self.web.answers["/fiche"] = response(HTML.format(menu, f"{text} {LONG}").encode(), **headers)

    def feed(self, *entries: tuple[str, str, str]) -> None:
        items = "".join(
            f"<item><guid>{name}</guid><title>{name}</title><description>{text}</description>"
            f"{f'<pubDate>{day}</pubDate>' if day else ''}</item>"
            for name, day, text in entries
        )
        xml = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Flux</title>{items}</channel></rss>'
        self.web.answers["/fiche"] = response(xml.encode(), media="application/rss+xml")

    async def row(self) -> Row:
        rows = await self.web_ingestion.database.read(lambda c: web_sources.remembered(c))
        (row,) = rows
        return row

    async def held(self, tenant: str = "T1") -> list[str]:
        return sorted(await self.web_ingestion.index.digests(tenant=tenant))

    async def found(self, words: str, *, audience: str = "public", tenant: str = "T1") -> list[str]:
        filters = Filters(audiences=frozenset({audience}))
        found = await self.web_ingestion.index.search(words, vector=None, tenants=[tenant], filters=filters, limit=5)
        return [passage.text for passage in found]


@asynccontextmanager
async def shelf(folder: Path) -> AsyncIterator[Shelf]:
    database, index = Database(migrated(folder / "bot.sqlite3")), EmbeddedIndex(folder / "corpus.sqlite3")
    try:
        async with web_server() as web:
            reach = Reach(internal=web.inside)
            yield Shelf(WebIngestion(database, index, None, reach, web.url("/w/api.php"), lambda: TODAY), web)
    finally:
        await index.aclose()
        database.close()
