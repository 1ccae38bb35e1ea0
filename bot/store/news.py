"""Official news at rest: how each feed goes, and one row a publication that it has shown."""

from collections.abc import Collection, Sequence
from typing import Any, Final, Literal

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.inbox import insert_once
from bot.store.tables import Row

State = Literal["kept", "copy", "aside", "old", "retired"]
_ONE_AT_A_TIME: Final = 0x51536E77
"""PostgreSQL's advisory lock of `alone`; any number that nobody else takes."""
SEVERAL: Final = 500
"""Values of one `in`: SQLite takes no more than some thousands."""


def alone(connection: sa.Connection) -> None:
    """Nobody else adds news until this transaction ends: two workers would not see each other's copies. SQLite has
    one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ONE_AT_A_TIME)))


def feeds(connection: sa.Connection, feed_ids: Collection[str]) -> dict[str, Row]:
    """How those feeds go, by id; a feed that nobody has claimed yet has no row."""
    query = sa.select(t.news_feed).where(t.news_feed.c.feed_id.in_(tuple(feed_ids)))
    return {row["feed_id"]: dict(row) for row in connection.execute(query).mappings()}


def claim(connection: sa.Connection, feed_id: str, *, now: str, next_at: str) -> bool:
    """True for the clock that wakes this feed now; the others see that it is due at `next_at`."""
    if insert_once(connection, t.news_feed, feed_id=feed_id, next_at=next_at):
        return True
    changed = connection.execute(
        t.news_feed.update()
        .where(t.news_feed.c.feed_id == feed_id, t.news_feed.c.next_at <= now)
        .values(next_at=next_at)
    )
    return changed.rowcount == 1


def note(connection: sa.Connection, feed_id: str, **values: Any) -> None:
    """What the last reading said of the feed."""
    connection.execute(t.news_feed.update().where(t.news_feed.c.feed_id == feed_id).values(**values))


def known(connection: sa.Connection, item_ids: Sequence[str]) -> dict[str, Row]:
    """Of these publications, those that were seen before."""
    found: dict[str, Row] = {}
    for start in range(0, len(item_ids), SEVERAL):
        query = sa.select(t.news_item).where(t.news_item.c.item_id.in_(tuple(item_ids[start : start + SEVERAL])))
        found |= {row["item_id"]: dict(row) for row in connection.execute(query).mappings()}
    return found


def titled(connection: sa.Connection, title_keys: Sequence[str]) -> dict[str, str]:
    """Title key -> the kept publication of that title and day."""
    query = sa.select(t.news_item.c.title_key, t.news_item.c.item_id).where(
        t.news_item.c.title_key.in_(tuple(title_keys)), t.news_item.c.state == "kept"
    )
    return {row.title_key: row.item_id for row in connection.execute(query)}


def sketches(connection: sa.Connection, *, since: str) -> list[tuple[str, bytes, str]]:
    """(id, sketch, marks) of what was kept since that moment (UTC, ISO)."""
    columns = (t.news_item.c.item_id, t.news_item.c.sketch, t.news_item.c.marks)
    query = sa.select(*columns).where(t.news_item.c.state == "kept", t.news_item.c.seen_at >= since)
    return [(item_id, sketch, marks) for item_id, sketch, marks in connection.execute(query)]


def add(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """New publications; each of them unknown."""
    if rows:
        connection.execute(t.news_item.insert(), list(rows))


def change(connection: sa.Connection, item_ids: Sequence[str], **values: Any) -> None:
    """Columns of rows that exist."""
    for start in range(0, len(item_ids), SEVERAL):
        some = tuple(item_ids[start : start + SEVERAL])
        connection.execute(t.news_item.update().where(t.news_item.c.item_id.in_(some)).values(**values))


def without_vectors(connection: sa.Connection, feed_id: str, *, limit: int) -> list[str]:
    """Ids of the feed's publications that are found by words alone, the latest first."""
    query = (
        sa.select(t.news_item.c.item_id)
        .where(t.news_item.c.feed_id == feed_id, t.news_item.c.state == "kept", t.news_item.c.embedded.is_(False))
        .order_by(t.news_item.c.seen_at.desc())
        .limit(limit)
    )
    return list(connection.execute(query).scalars())


def past(connection: sa.Connection, *, before: str, limit: int = SEVERAL) -> list[str]:
    """Ids of kept publications whose day is before that one (ISO)."""
    query = sa.select(t.news_item.c.item_id).where(t.news_item.c.state == "kept", t.news_item.c.published_on < before)
    return list(connection.execute(query.limit(limit)).scalars())


def retire(connection: sa.Connection, item_ids: Sequence[str]) -> None:
    """Out of the corpus; known for ever, so that a feed that still shows it brings nothing back."""
    change(connection, item_ids, state="retired", lead="", sketch=b"", marks="")


def published_between(connection: sa.Connection, *, since: str, until: str, limit: int = 200) -> list[Row]:
    """What we have come to know after `since` and up to `until` (UTC, ISO), the latest publication first."""
    query = (
        sa.select(t.news_item)
        .where(t.news_item.c.state == "kept", t.news_item.c.seen_at > since, t.news_item.c.seen_at <= until)
        .order_by(t.news_item.c.published_on.desc(), t.news_item.c.seen_at.desc(), t.news_item.c.item_id)
        .limit(limit)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def counts(connection: sa.Connection) -> dict[str, int]:
    """Feed -> how many of its publications are kept."""
    query = (
        sa.select(t.news_item.c.feed_id, sa.func.count())
        .where(t.news_item.c.state == "kept")
        .group_by(t.news_item.c.feed_id)
    )
    return {feed_id: int(number) for feed_id, number in connection.execute(query)}
