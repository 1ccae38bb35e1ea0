"""The SQL of the embedded index: its tables, and rows to and from passages with their terms and vectors."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.errors import IndexUnavailable
from corpus.french import analyze
from corpus.index.postings import Codes, codes_of
from corpus.ports import TextSeal
from corpus.types import Category, Passage

SCHEMA_VERSION: Final = 2
_TEXTS: Final = ("title", "heading", "url", "body")
KEPT_DELETIONS: Final = 10_000
"""Deletions remembered per tenant for other processes; who is further behind reads everything again."""

_SCHEMA: Final = """
create table if not exists tenant(
  id integer primary key, name text not null unique, generation integer not null default 0,
  forgotten integer not null default 0);
create table if not exists document(
  tenant integer not null, id text not null, digest text not null, primary key (tenant, id)) without rowid;
create table if not exists passage(
  id integer primary key autoincrement, tenant integer not null, generation integer not null, document text not null,
  name text not null, position integer not null, terms blob not null, audience text not null,
  category text not null, entities text not null, effective_from text, effective_to text, vector blob,
  title text not null, heading text not null, url text not null, published text, body text not null);
create index if not exists passage_document on passage(tenant, document);
create index if not exists passage_generation on passage(tenant, generation);
create table if not exists gone(tenant integer not null, generation integer not null, passage integer not null);
create index if not exists gone_generation on gone(tenant, generation);
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage without the values that belong to a search, and its terms in reading order."""

    passage: Passage
    codes: Codes


def connect(path: Path) -> sqlite3.Connection:
    """In autocommit mode. NORMAL may lose the last commits in a power cut: the next ingest makes them again."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma synchronous=normal")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def check(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` for a file whose pages do not fit together, which reading alone may not meet."""
    for (said,) in connection.execute("pragma quick_check(1)"):
        if said != "ok":
            damaged = sqlite3.DatabaseError(said)
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables. Raises `IndexUnavailable` for a file of another version."""
    found = connection.execute("pragma user_version").fetchone()[0]
    if found not in (0, 1, SCHEMA_VERSION):
        raise IndexUnavailable("La base documentaire vient d'une autre version : supprimer le fichier puis réindexer.")
    if found == 1:
        _from_full_text(connection)
    connection.executescript(_SCHEMA)
    connection.execute(f"pragma user_version={SCHEMA_VERSION}")


def _from_full_text(connection: sqlite3.Connection) -> None:
    """Version 1 kept each passage's terms as text in an FTS5 table of its tenant. Nothing is analysed again."""
    connection.execute("begin immediate")
    try:
        if connection.execute("pragma user_version").fetchone()[0] == 1:  # another process may have done it meanwhile
            connection.execute("alter table passage add column terms blob not null default x''")
            for (tenant,) in connection.execute("select id from tenant").fetchall():
                held = connection.execute(f"select rowid, lex from fts_{tenant}")  # noqa: S608
                coded = [(codes_of(lex.split()).tobytes(), row) for row, lex in held]
                connection.executemany("update passage set terms = ? where id = ?", coded)
                connection.execute(f"drop table fts_{tenant}")
            connection.execute("alter table passage drop column words")
            connection.execute(f"pragma user_version={SCHEMA_VERSION}")
        connection.execute("commit")
    finally:
        if connection.in_transaction:
            connection.rollback()


def lexical_terms(passage: Passage) -> list[str]:
    """What the lexical leg knows of a passage: title, heading path and text, analysed."""
    return analyze(indexed_text(passage))


def tenant_state(connection: sqlite3.Connection, name: str) -> tuple[int, int] | None:
    """(tenant id, generation), or None for a tenant that has nothing."""
    return cast(
        tuple[int, int] | None,
        connection.execute("select id, generation from tenant where name = ?", (name,)).fetchone(),
    )


def open_tenant(connection: sqlite3.Connection, name: str) -> tuple[int, int]:
    """(tenant id, the generation that this write makes). Inside a write transaction only."""
    connection.execute("insert or ignore into tenant(name) values (?)", (name,))
    connection.execute("update tenant set generation = generation + 1 where name = ?", (name,))
    state = tenant_state(connection, name)
    assert state is not None
    return state


def insert(
    connection: sqlite3.Connection,
    state: tuple[int, int],
    passages: Sequence[tuple[Passage, list[str]]],
    vectors: NDArray[np.float32] | None,
    seal: TextSeal | None = None,
) -> None:
    """Passages with their terms and, row for row, their vectors; their texts under the seal."""
    tenant, generation = state
    kept = seal.sealed if seal else _as_it_is
    connection.executemany(
        "insert into passage(tenant, generation, document, name, position, terms, audience, category, entities,"
        " effective_from, effective_to, vector, title, heading, url, published, body)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (tenant, generation, passage.document_id, passage.id, passage.position, codes_of(terms).tobytes(),
             passage.audience, passage.category, json.dumps(passage.entities), _iso(passage.effective_from),
             _iso(passage.effective_to), None if vectors is None else vectors[index].astype(np.float16).tobytes(),
             kept(passage.title), kept(json.dumps(passage.heading)), kept(passage.url), _iso(passage.published),
             kept(passage.text))
            for index, (passage, terms) in enumerate(passages)
        ],
    )  # fmt: skip


def remove(connection: sqlite3.Connection, state: tuple[int, int], document_ids: Iterable[str]) -> int:
    """How many of the documents were there."""
    tenant, generation = state
    removed = 0
    for document in document_ids:
        where = (tenant, document)
        held = connection.execute("select id from passage where tenant = ? and document = ?", where).fetchall()
        connection.executemany("insert into gone values (?, ?, ?)", [(tenant, generation, row) for (row,) in held])
        connection.execute("delete from passage where tenant = ? and document = ?", where)
        removed += connection.execute("delete from document where tenant = ? and id = ?", where).rowcount
    _forget(connection, tenant)
    return removed


def _forget(connection: sqlite3.Connection, tenant: int) -> None:
    """Drop the oldest remembered deletions; `forgotten` tells who is too far behind to follow."""
    bound = (connection.execute("select max(rowid) from gone").fetchone()[0] or 0) - KEPT_DELETIONS
    old = "from gone where tenant = ?1 and rowid <= ?2"
    connection.execute(
        f"update tenant set forgotten = max(forgotten, coalesce((select max(generation) {old}), 0)) where id = ?1",  # noqa: S608
        (tenant, bound),
    )
    connection.execute(f"delete {old}", (tenant, bound))


def rows_of_document(connection: sqlite3.Connection, document: str, tenant: str) -> list[int]:
    """Its passages' rows in reading order."""
    found = connection.execute(
        "select passage.id from passage join tenant on tenant.id = tenant where document = ? and tenant.name = ?"
        " order by position",
        (document, tenant),
    )
    return [row for (row,) in found]


def seal_anew(connection: sqlite3.Connection, seal: TextSeal, *, public: str) -> int:
    """The texts of every tenant but the public one under the seal's present key; how many passages. Their rows keep
    their numbers: what readers hold in memory of them stays true. Inside a write transaction only."""
    theirs = "tenant in (select id from tenant where name != ?)"
    teams = f"select id, {', '.join(_TEXTS)} from passage where {theirs}"  # noqa: S608
    changed = f"update passage set {', '.join(f'{name} = ?' for name in _TEXTS)} where id = ?"  # noqa: S608
    found = connection.execute(teams, (public,)).fetchall()
    for row, *texts in found:
        connection.execute(changed, (*(seal.sealed(seal.opened(text)) for text in texts), row))
    return len(found)


def _as_it_is(text: str) -> str:
    return text


def stored(connection: sqlite3.Connection, wanted: Sequence[int], seal: TextSeal | None = None) -> dict[int, Stored]:
    """Row -> what is stored, its texts opened, for at most a few thousand rows."""
    opened = seal.opened if seal else _as_it_is
    marks = ",".join("?" * len(wanted))
    columns = (
        "id, terms, name, document, position, title, heading, body, url, category, published, effective_from,"
        " effective_to, entities, audience"
    )
    found = connection.execute(f"select {columns} from passage where id in ({marks})", list(wanted))  # noqa: S608
    return {row: Stored(_passage(values, opened), np.frombuffer(terms, np.uint32)) for row, terms, *values in found}


def _passage(row: Sequence[Any], opened: Callable[[str], str]) -> Passage:
    name, document, position, title, heading, body, url, category, published, starts, ends, entities, audience = row
    return Passage(
        id=name,
        document_id=document,
        position=position,
        title=opened(title),
        heading=tuple(json.loads(opened(heading))),
        text=opened(body),
        url=opened(url),
        category=cast(Category, category),
        published=day(published),
        effective_from=day(starts),
        effective_to=day(ends),
        entities=tuple(json.loads(entities)),
        audience=audience,
    )


def day(value: Any) -> date | None:
    return None if value is None else date.fromisoformat(value)


def _iso(value: date | None) -> str | None:
    return None if value is None else value.isoformat()
