"""A key set and changed on SQLite and on PostgreSQL: every row, of tables of any length, and read as it was written."""

import pytest
import sqlalchemy as sa

from bot.errors import WrongSetting
from bot.sealing import new_key
from bot.store import audit
from bot.store import tables as t
from bot.store.database import Database
from bot.store.forgetting import forget
from bot.store.opening import open_database
from bot.store.resealing import seal_anew, sealed_columns
from tests.dumping import dumped
from tests.unit.test_forgetting import USER, WORD, fill

pytest_plugins = ("tests.contract.databases",)

OLD, NEW = new_key(), new_key()
PART = WORD[-9:]
"""Of the word, as JSON too writes it."""
MANY = 250
"""Rows of one table: more than are sealed at a time."""


def fill_many(connection: sa.Connection) -> None:
    fill(connection)
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("select setval('audit_id_seq', 100)"))  # past the row that was filled by hand
    for number in range(MANY):
        audit.record(connection, team_id="T1", actor="U2", event="e", subject=f"s{number}", said=f"{WORD} {number}")


def texts(database: Database) -> dict[str, str]:
    with database.reader.connect() as connection:
        ordered = {table.name: sa.select(table).order_by(*table.primary_key) for table, _ in sealed_columns()}
        return {name: str(connection.execute(query).all()) for name, query in ordered.items()}


async def test_a_key_is_set_changed_and_the_old_one_needed_no_more(url: str) -> None:
    plain = open_database(url, ())
    await plain.write(fill_many)
    before = texts(plain)
    plain.close()
    for keys in ((OLD,), (NEW, OLD)):
        database = open_database(url, keys)
        assert await seal_anew(database) > MANY
        database.close()
    public = {t.news_feed.name, t.news_item.name, t.commune_snapshot.name}
    assert [name for name, rows in dumped(url).items() if PART in rows and name.split(".")[1] not in public] == []
    only = open_database(url, (NEW,))
    assert texts(only) == before
    await only.write(lambda c: forget(c, "user", USER))
    assert USER not in str(texts(only))
    only.close()
    with pytest.raises(WrongSetting, match="aucune de ces clés"):
        open_database(url, (OLD,))
