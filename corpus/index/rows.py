"""The SQL of the embedded index: tables, one FTS table per tenant, and rows to and from passages."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.errors import IndexUnavailable
from corpus.french import analyze
from corpus.index.bm25 import Statistics
from corpus.types import Category, Passage

SCHEMA_VERSION: Final = 1
KEPT_DELETIONS: Final = 10_000
"""Deletions remembered per tenant for other processes; who is further behind reads everything again."""

_SCHEMA: Final = """
create table if not exists tenant(
  id integer primary key, name text not null unique, generation integer not null default 0,
  forgotten integer not null default 0, passages integer not null default 0, words integer not null default 0);
create table if not exists document(
  tenant integer not null, id text not null, digest text not null, primary key (tenant, id)) without rowid;
create table if not exists passage(
  id integer primary key autoincrement, tenant integer not null, generation integer not null, document text not null,
  name text not null, position integer not null, words integer not null, audience text not null,
  category text not null, entities text not null, effective_from text, effective_to text, vector blob,
  title text not null, heading text not null, url text not null, published text, body text not null);
create index if not exists passage_document on passage(tenant, document);
create index if not exists passage_generation on passage(tenant, generation);
create table if not exists gone(tenant integer not null, generation integer not null, passage integer not null);
create index if not exists gone_generation on gone(tenant, generation);
"""


def connect(path: Path) -> sqlite3.Connection:
    """In autocommit mode. NORMAL may lose the last commits in a power cut: the next ingest makes them again."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=normal")
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables. Raises `IndexUnavailable` for a file of another version."""
    found = connection.execute("pragma user_version").fetchone()[0]
    if found not in (0, SCHEMA_VERSION):
        raise IndexUnavailable("La base documentaire vient d'une autre version : supprimer le fichier puis réindexer.")
    connection.executescript(_SCHEMA)
    connection.execute(f"pragma user_version={SCHEMA_VERSION}")


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
    # One FTS table a tenant: no team's words weigh in another's scores, and no filter starves the first hits.
    connection.execute(
        f"create virtual table if not exists fts_{state[0]} using fts5("
        "lex, tokenize='unicode61 remove_diacritics 0', detail=none)"
    )
    return state


def insert(
    connection: sqlite3.Connection,
    state: tuple[int, int],
    passages: Sequence[tuple[Passage, list[str]]],
    vectors: NDArray[np.float32] | None,
) -> None:
    """Passages with their terms and, row for row, their vectors."""
    tenant, generation = state
    for index, (passage, terms) in enumerate(passages):
        blob = None if vectors is None else vectors[index].astype(np.float16).tobytes()
        row = connection.execute(
            "insert into passage(tenant, generation, document, name, position, words, audience, category, entities,"
            " effective_from, effective_to, vector, title, heading, url, published, body)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (tenant, generation, passage.document_id, passage.id, passage.position, len(terms), passage.audience,
             passage.category, json.dumps(passage.entities), _iso(passage.effective_from), _iso(passage.effective_to),
             blob, passage.title, json.dumps(passage.heading), passage.url, _iso(passage.published), passage.text),
        ).lastrowid  # fmt: skip
        connection.execute(f"insert into fts_{tenant}(rowid, lex) values (?, ?)", (row, " ".join(terms)))  # noqa: S608
    _add(connection, tenant, len(passages), sum(len(terms) for _, terms in passages))


def remove(connection: sqlite3.Connection, state: tuple[int, int], document_ids: Iterable[str]) -> int:
    """How many of the documents were there."""
    tenant, generation = state
    removed = 0
    for document in document_ids:
        where = (tenant, document)
        held = connection.execute("select id, words from passage where tenant = ? and document = ?", where).fetchall()
        rows = [(row,) for row, _ in held]
        _add(connection, tenant, -len(held), -sum(words for _, words in held))
        connection.executemany(f"delete from fts_{tenant} where rowid = ?", rows)  # noqa: S608
        connection.executemany("insert into gone values (?, ?, ?)", [(tenant, generation, row) for (row,) in rows])
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


def _add(connection: sqlite3.Connection, tenant: int, passages: int, words: int) -> None:
    """Keep the tenant's totals, which are the N and the average length of BM25, without counting all rows again."""
    connection.execute(
        "update tenant set passages = passages + ?, words = words + ? where id = ?", (passages, words, tenant)
    )


def matching(connection: sqlite3.Connection, tenant: int, terms: Sequence[str]) -> Iterator[int]:
    """Ids of the passages that hold a term, best first; read only as far as needed."""
    query = " OR ".join(f'"{term}"' for term in terms)
    found = connection.execute(f"select rowid from fts_{tenant} where fts_{tenant} match ? order by rank", (query,))  # noqa: S608
    return (row for (row,) in found)


def statistics(connection: sqlite3.Connection, tenant: int, terms: Sequence[str]) -> Statistics:
    """The tenant's share of BM25's constants."""
    connection.execute(
        f"create virtual table if not exists temp.words_{tenant} using fts5vocab(main, fts_{tenant}, row)"
    )
    found = (
        connection.execute(f"select term, doc from temp.words_{tenant} where term = ?", (term,)).fetchone()  # noqa: S608
        for term in terms
    )
    passages, words = connection.execute("select passages, words from tenant where id = ?", (tenant,)).fetchone()
    return Statistics(passages, words, dict(row for row in found if row is not None))


def terms_of(connection: sqlite3.Connection, tenant: int, rows: Sequence[int]) -> dict[int, list[str]]:
    """Row -> its terms, for at most a few hundred rows."""
    marks = ",".join("?" * len(rows))
    found = connection.execute(f"select rowid, lex from fts_{tenant} where rowid in ({marks})", list(rows))  # noqa: S608
    return {row: lex.split() for row, lex in found}


def names_of(connection: sqlite3.Connection, rows: Sequence[int]) -> dict[int, str]:
    """Row -> its passage's id, for at most a few hundred rows; rows that went away meanwhile are absent."""
    marks = ",".join("?" * len(rows))
    return dict(connection.execute(f"select id, name from passage where id in ({marks})", list(rows)).fetchall())  # noqa: S608


def rows_of_document(connection: sqlite3.Connection, document: str, tenant: str) -> list[int]:
    """Its passages' rows in reading order."""
    found = connection.execute(
        "select passage.id from passage join tenant on tenant.id = tenant where document = ? and tenant.name = ?"
        " order by position",
        (document, tenant),
    )
    return [row for (row,) in found]


def passages_of(connection: sqlite3.Connection, wanted: Sequence[int]) -> dict[int, Passage]:
    """Row -> stored passage, without the values that belong to a search, for at most a few thousand rows."""
    marks = ",".join("?" * len(wanted))
    columns = (
        "id, name, document, position, title, heading, body, url, category, published, effective_from, effective_to,"
        " entities, audience"
    )
    found = connection.execute(f"select {columns} from passage where id in ({marks})", list(wanted))  # noqa: S608
    return {row[0]: _passage(row) for row in found}


def _passage(row: Sequence[Any]) -> Passage:
    _, name, document, position, title, heading, body, url, category, published, starts, ends, entities, audience = row
    return Passage(
        id=name,
        document_id=document,
        position=position,
        title=title,
        heading=tuple(json.loads(heading)),
        text=body,
        url=url,
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
