"""Official news over a server of ours: feeds that a test writes, what is kept of them, and the clock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from html import escape
from pathlib import Path

import sqlalchemy as sa

from bot.news.feeds import Feed
from bot.news.polling import NewsIngestion, poll, wake_due
from bot.store import news
from bot.store import tables as t
from bot.store.database import Database
from bot.store.tables import Row
from corpus.index.embedded import EmbeddedIndex
from corpus.sources.fetching import Reach
from corpus.types import SHARED_TENANT, Filters
from tests.web_server import WebServer, response, web_server

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
RFC = "%a, %d %b %Y %H:%M:%S GMT"


@dataclass(frozen=True)
class Entry:
    """One entry as a feed writes it; `day` as it writes it, "" for none."""

    title: str
    text: str = ""
    link: str = ""
    day: str = NOW.strftime(RFC)
    guid: str = ""


def rss(*entries: Entry, title: str = "Flux") -> bytes:
    items = "".join(
        f"<item><guid>{escape(each.guid or each.link or each.title)}</guid><title>{escape(each.title)}</title>"
        f"{f'<link>{escape(each.link)}</link>' if each.link else ''}<description>{escape(each.text)}</description>"
        f"{f'<pubDate>{each.day}</pubDate>' if each.day else ''}</item>"
        for each in entries
    )
    whole = f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title>{items}</channel></rss>'
    return response(whole.encode(), media="application/rss+xml")


@dataclass
class Newsroom:
    """What a test of news stands on; `at`: what the clock shows."""

    web: WebServer
    database: Database
    index: EmbeddedIndex
    feeds: tuple[Feed, ...]
    at: datetime = NOW
    days: int = 90
    enqueued: list[str] = field(default_factory=list)

    @property
    def ingestion(self) -> NewsIngestion:
        reach = Reach(internal=self.web.inside)
        return NewsIngestion(
            database=self.database,
            index=self.index,
            embedder=None,
            reach=reach,
            feeds=self.feeds,
            every=timedelta(minutes=30),
            days=self.days,
            admits=lambda url: ".gouv.fr/" in url,
            clock=lambda: self.at,
            pause=0.0,
        )

    def show(self, name: str, *entries: Entry) -> None:
        self.web.answers[f"/{name}"] = rss(*entries, title=name)

    async def tick(self) -> int:
        """One look of the clock; the jobs wait in `enqueued`."""
        return await wake_due(self.ingestion, lambda _c, _job, subject, _host: self.enqueued.append(subject))

    async def work(self) -> None:
        while self.enqueued:
            await poll(self.ingestion, self.enqueued.pop(0))

    async def round(self, **later: float) -> None:
        """Time passes, the clock ticks, every feed that is due is read."""
        self.at += timedelta(**later)
        await self.tick()
        await self.work()

    async def feed(self, name: str) -> Row:
        return (await self.database.read(lambda c: news.feeds(c, [name])))[name]

    async def rows(self, state: str = "kept") -> list[Row]:
        query = sa.select(t.news_item).where(t.news_item.c.state == state).order_by(t.news_item.c.title)
        return await self.database.read(lambda c: [dict(row) for row in c.execute(query).mappings()])

    async def titles(self, state: str = "kept") -> list[str]:
        return [row["title"] for row in await self.rows(state)]

    async def held(self) -> list[str]:
        return sorted(await self.index.digests(tenant=SHARED_TENANT))

    async def found(self, words: str) -> list[str]:
        filters = Filters()
        passages = await self.index.search(words, vector=None, tenants=[SHARED_TENANT], filters=filters, limit=5)
        return [f"{passage.title} {passage.text}" for passage in passages]


@asynccontextmanager
async def newsroom(folder: Path, database: Database, *names: str, kind: str = "feed") -> AsyncIterator[Newsroom]:
    """Feeds of these names, each at its own address of one server."""
    index = EmbeddedIndex(folder / "corpus.sqlite3")
    try:
        async with web_server() as web:
            feeds = tuple(Feed(name, name.capitalize(), web.url(f"/{name}"), kind) for name in names or ("anil",))  # type: ignore[arg-type]
            yield Newsroom(web, database, index, feeds)
    finally:
        await index.aclose()


def dated(day: date) -> str:
    return day.strftime("%a, %d %b %Y 08:00:00 GMT")


def elsewhere(room: Newsroom, database: Database) -> Newsroom:
    """Another process on the same data."""
    return replace(room, database=database, enqueued=[])
