"""Publications -> rows and documents: what is new, of the field and no copy is found by its words at once."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

import numpy as np
import sqlalchemy as sa

from bot.errors import CorpusAway
from bot.news.alike import Gallery, marks_of, sketch_of, title_key
from bot.news.feeds import Feed
from bot.news.reading import Publication
from bot.news.subjects import subject_of, topics
from bot.store import news
from bot.store.database import Database
from bot.store.news import State
from bot.store.tables import Row
from corpus.chunking import indexed_text
from corpus.errors import EmbedderUnavailable, IndexUnavailable, StaleIndex
from corpus.ingest import ingest, renewed
from corpus.ports import Embedder, PassageArchive
from corpus.sentences import sentences
from corpus.types import SHARED_TENANT, Document

BATCH: Final = 100
"""Publications of one transaction: a feed of ten thousand never holds up the database."""
NEAR_DAYS: Final = 4
"""How long the same news goes on coming from other sources."""
LEAD: Final = 300
"""Characters of the first sentences, which a digest tells."""
EMBEDDED_AT_ONCE: Final = 20
_NONE: Final = b""
_TOLD: Final = {"kept": "added", "copy": "copies", "aside": "aside", "old": "old"}
"""Under which name a new row is counted, by its state."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of the publications of one reading."""

    added: int = 0
    changed: int = 0
    copies: int = 0
    aside: int = 0
    old: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class Keeper:
    """Where news go. `oldest`: publications of an earlier day are not taken in."""

    database: Database
    index: PassageArchive
    now: datetime
    oldest: date

    async def keep(self, feed: Feed, publications: Sequence[Publication]) -> Kept:
        """Repeats freely: what is in the index already is left alone. Raises `CorpusAway`."""
        try:
            held = await self.index.digests(tenant=SHARED_TENANT)
            counted: dict[str, int] = {}
            rest = iter(publications)
            while batch := list(islice(rest, BATCH)):
                states = await self._batch(feed, batch, held.keys())
                for state in states:
                    counted[state] = counted.get(state, 0) + 1
        except (IndexUnavailable, StaleIndex) as error:
            raise CorpusAway from error
        return Kept(**counted)

    async def _batch(self, feed: Feed, batch: Sequence[Publication], held: Collection[str]) -> list[str]:
        known = await self.database.read(lambda c: news.known(c, [each.id for each in batch]))
        # Read before the transaction: whoever else writes, a message's ack among them, waits for its end.
        made = await asyncio.to_thread(
            lambda: {each.id: self._row(each, feed) for each in batch if each.id not in known}
        )
        told, rows = await self.database.write(lambda c: self._sorted(c, feed, batch, made))
        # Known and kept, but not in the index: a death between the two, or an index that was begun anew.
        lost = [each.id for each in batch if told[each.id] == "known" and each.id in rows and each.id not in held]
        if lost:
            await self.database.write(lambda c: news.change(c, lost, embedded=False))
        wanted = [each for each in batch if told[each.id] in ("added", "changed") or each.id in lost]
        documents = [document_of(each, feed, rows[each.id]) for each in wanted]
        await ingest(documents, index=self.index, embedder=None, tenant=SHARED_TENANT)
        return list(told.values())

    def _sorted(
        self, connection: sa.Connection, feed: Feed, batch: Sequence[Publication], made: Mapping[str, Row]
    ) -> tuple[dict[str, str], dict[str, Row]]:
        """(what each publication turned out to be, the rows of those that are kept). `made`: rows of new ones."""
        news.alone(connection)
        rows = news.known(connection, [each.id for each in batch])
        fresh = {name: row for name, row in made.items() if name not in rows}
        since = (self.now - timedelta(days=NEAR_DAYS)).isoformat(timespec="milliseconds")
        gallery = Gallery.of(news.sketches(connection, since=since)) if fresh else Gallery()
        titled = news.titled(connection, [row["title_key"] for row in fresh.values()])
        for name, row in fresh.items():
            if row["state"] == "kept":
                _compare(name, row, titled, gallery)
        news.add(connection, list(fresh.values()))
        told = {name: _TOLD[row["state"]] for name, row in fresh.items()}
        for each in batch:
            if each.id not in fresh:
                told[each.id] = self._again(connection, feed, each, rows[each.id])
        return told, {name: row for name, row in (rows | fresh).items() if row["state"] == "kept"}

    def _again(self, connection: sa.Connection, feed: Feed, each: Publication, row: Row) -> str:
        """A correction by who published it first is taken over; its day stays, and it is no news again."""
        if row["state"] != "kept" or row["feed_id"] != feed.id or row["content"] == each.content:
            return "known"
        values = {"title": each.title, "lead": lead_of(each.text), "content": each.content, "embedded": False}
        news.change(connection, [each.id], **values)
        row.update(values)
        return "changed"

    def _row(self, each: Publication, feed: Feed) -> Row:
        subject = subject_of(each.title, each.text)
        state: State = "aside" if subject is None else "old" if each.published_on < self.oldest else "kept"
        kept = state == "kept"
        return {
            "item_id": each.id,
            "feed_id": feed.id,
            "publisher": feed.name,
            "state": state,
            "copy_of": None,
            "title": each.title,
            "url": each.url,
            "lead": lead_of(each.text) if kept else "",
            "topic": subject.topic if subject else "",
            "schemes": list(subject.schemes) if subject else [],
            "published_on": each.published_on.isoformat(),
            "seen_at": self.now.astimezone(UTC).isoformat(timespec="milliseconds"),
            "content": each.content,
            "title_key": title_key(each.title, each.published_on.isoformat()),
            "sketch": sketch_of(each.title, each.text).tobytes() if kept else _NONE,
            "marks": marks_of(each.title, each.text) if kept else "",
            "embedded": False,
        }


def _compare(name: str, row: Row, titled: dict[str, str], gallery: Gallery) -> None:
    """The first of several is kept; the others say of which they are copies."""
    sketch = np.frombuffer(row["sketch"], np.uint32)
    twin = titled.get(row["title_key"]) or gallery.twin(sketch, row["marks"])
    if twin is not None:
        row.update(state="copy", copy_of=twin, lead="", sketch=_NONE, marks="")
        return
    titled[row["title_key"]] = name
    gallery.add(name, sketch, row["marks"])


def lead_of(text: str) -> str:
    """Its first whole sentences."""
    lead = ""
    for sentence in sentences(text[: 4 * LEAD]):
        if lead and len(lead) + len(sentence) >= LEAD:
            break
        lead = f"{lead} {sentence}".strip()
    return lead if len(lead) <= 2 * LEAD else f"{lead[:LEAD].rsplit(' ', 1)[0]}…"


def document_of(each: Publication, feed: Feed, row: Row) -> Document:
    """Everybody's, under its publisher's name and the day on which it says to be published."""
    return Document(
        id=each.id,
        title=f"{feed.name} : {each.title}",
        url=each.url,
        text=each.text,
        category=topics()[row["topic"]].category,
        published=date.fromisoformat(row["published_on"]),
        entities=tuple(row["schemes"]),
    )


async def embed(feed: Feed, *, database: Database, index: PassageArchive, embedder: Embedder | None) -> int:
    """Vectors for what the feed's publications lack them, the latest first; how many. Repeats freely, and stops where
    the embedder fails. Raises `CorpusAway`."""
    done = 0
    if embedder is None:
        return done
    try:
        while names := await database.read(lambda c: news.without_vectors(c, feed.id, limit=EMBEDDED_AT_ONCE)):
            held = await index.digests(tenant=SHARED_TENANT)
            for name in names:
                if name in held:
                    passages = await index.passages(name, tenant=SHARED_TENANT)
                    vectors = await embedder.passages([indexed_text(passage) for passage in passages])
                    digest = renewed(held[name], embedder=embedder.version)
                    await index.upsert(name, passages, vectors, tenant=SHARED_TENANT, digest=digest)
            await database.write(lambda c, some=names: news.change(c, some, embedded=True))  # type: ignore[misc]
            done += len(names)
    except EmbedderUnavailable:
        return done
    except (IndexUnavailable, StaleIndex) as error:
        raise CorpusAway from error
    return done
