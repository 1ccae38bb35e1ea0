"""Every text of the database under the first key: after a key was set, and after it was changed."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.columns import SealedJson, SealedText
from bot.store.database import Database
from bot.store.opening import prove_anew

_BATCH: Final = 100


def sealed_columns() -> Iterator[tuple[sa.Table, list[sa.Column[Any]]]]:
    """Each table that holds words of users or clients, with the columns in which they stand."""
    for table in t.metadata.sorted_tables:
        columns = [column for column in table.columns if isinstance(column.type, SealedText | SealedJson)]
        if columns:
            yield table, columns


async def seal_anew(database: Database) -> int:
    """How many rows; others may read and write meanwhile. Raises `TextsSealed` for a text that no key opens, and may
    then be begun again: what was done stays done."""
    rows = 0
    for table, columns in sealed_columns():
        after: Sequence[Any] | None = None
        while True:
            found = await database.write(partial(_batch, table=table, columns=columns, after=after))
            rows += len(found)
            if len(found) < _BATCH:
                break
            after = found[-1]
    await database.write(lambda c: prove_anew(c, database.sealing))
    return rows


def _batch(
    connection: sa.Connection, table: sa.Table, columns: list[sa.Column[Any]], after: Sequence[Any] | None
) -> list[Sequence[Any]]:
    """The keys of the rows that come next, each locked from its reading to its writing."""
    keys = list(table.primary_key.columns)
    query = sa.select(*keys, *columns).order_by(*keys).limit(_BATCH).with_for_update()
    if after is not None:
        query = query.where(sa.tuple_(*keys) > sa.tuple_(*(sa.literal(part) for part in after)))
    done: list[Sequence[Any]] = []
    for row in connection.execute(query).all():
        key, values = row[: len(keys)], row[len(keys) :]
        texts = {column.name: text for column, text in zip(columns, values, strict=True) if text is not None}
        if texts:
            here = [part == value for part, value in zip(keys, key, strict=True)]
            connection.execute(table.update().where(*here).values(texts))
        done.append(key)
    return done
