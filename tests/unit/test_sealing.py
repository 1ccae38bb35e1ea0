"""Texts at rest under a key: no byte of them in a file, other keys refused, the key changed while the bot runs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from bot.errors import TextsSealed, WrongSetting
from bot.sealing import MARK, OPEN, Sealing, new_key
from bot.settings import Settings, load_settings
from bot.store import tables as t
from bot.store.columns import SealedJson, SealedText, seal
from bot.store.database import Database
from bot.store.forgetting import KEPT, forget, rewrite
from bot.store.opening import open_database
from bot.store.resealing import seal_anew
from bot.wiring_tools import texts_told
from corpus.index.embedded import EmbeddedIndex
from corpus.index.sealing import seal_file_anew
from corpus.types import SHARED_TENANT, Filters, Passage
from tests.beginnings import migrated
from tests.unit.test_forgetting import PUBLIC, USER, WORD, fill

OLD, NEW = new_key(), new_key()
PART = WORD[-9:]
"""Of the word, as JSON too writes it."""
ALL = Filters(audiences=frozenset({"public"}))


def holding(folder: Path, word: str) -> list[str]:
    return [path.name for path in folder.iterdir() if word.encode() in path.read_bytes()]


def filled(folder: Path, *keys: str) -> Database:
    """Something in every column of every table, written under the keys."""
    database = open_database(migrated(folder / "bot.sqlite3"), keys)
    with database.engine.begin() as connection:
        fill(connection)
    return database


def texts(database: Database) -> dict[str, str]:
    with database.reader.connect() as connection:
        return {table.name: str(connection.execute(sa.select(table)).all()) for table in t.metadata.sorted_tables}


def test_every_text_of_a_team_has_a_sealed_type() -> None:
    """A new column of free text or JSON takes one of the two; the others hold ids, states and moments."""
    kept = [
        f"{table.name}.{column.name}"
        for table in t.metadata.sorted_tables
        if table.name not in PUBLIC | KEPT
        for column in table.columns
        if isinstance(column.type, sa.Text | sa.JSON)
    ]
    assert kept == []


def test_no_byte_of_a_text_is_in_a_file_and_every_one_is_read_again(tmp_path: Path) -> None:
    database = filled(tmp_path, OLD)
    read = texts(database)
    database.close()
    with sa.create_engine(f"sqlite:///{tmp_path}/bot.sqlite3").connect() as raw:
        stored = {table.name: str(raw.exec_driver_sql(f"select * from {table.name}").all()) for table in _of_teams()}
    assert {name for name, row in stored.items() if PART in row} == set()
    assert {name for name in stored if WORD in read[name]} >= {"answer", "proposal", "audit", "source", "watch"}


def _of_teams() -> list[sa.Table]:
    return [table for table in t.metadata.sorted_tables if table.name not in PUBLIC]


async def test_what_stood_there_before_a_key_was_set_is_sealed_too(tmp_path: Path) -> None:
    """Read as it is meanwhile; a text that looks sealed stays what somebody wrote."""
    database = filled(tmp_path)
    with database.engine.begin() as connection:
        connection.execute(t.watch.update().values(question=f"{MARK}{WORD}"))
        connection.execute(t.digest.update().values(content=f"{MARK}{WORD}"))
    database.close()
    keyed = open_database(database.url, (NEW,))
    assert f"{MARK}{WORD}" in texts(keyed)["watch"]
    await seal_anew(keyed)
    assert f"{MARK}{WORD}" in texts(keyed)["watch"]
    assert f"{MARK}{WORD}" in texts(keyed)["digest"]
    with keyed.engine.begin() as connection:
        for table in (t.news_item, t.news_feed, t.commune_snapshot):
            connection.execute(table.delete())  # public, and filled with the word by the test
    keyed.close()
    rewrite(keyed.url)
    assert holding(tmp_path, WORD) == []


def test_without_its_key_nothing_starts(tmp_path: Path) -> None:
    """One sentence that says what to do; a database without sealed texts asks for none."""
    url = migrated(tmp_path / "bot.sqlite3")
    open_database(url, ()).close()
    open_database(url, (OLD,)).close()
    with pytest.raises(WrongSetting, match="TEXT_KEY manque"):
        open_database(url, ())
    with pytest.raises(TextsSealed):
        OPEN.opened(Sealing((OLD,)).sealed(WORD))


@pytest.mark.parametrize("wrong", ["motdepasse", OLD[:-4], f"{OLD},court"], ids=["word", "cut", "second"])
def test_a_key_that_is_none_is_named(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXT_KEY", wrong)
    with pytest.raises(WrongSetting, match="TEXT_KEY : attendu une clé") as said:
        load_settings()
    assert wrong not in str(said.value)


def test_a_sealed_column_is_not_compared_in_sql() -> None:
    """It would find nothing, without a word."""
    for column in (t.answer.c.question, t.answer.c.record):
        with pytest.raises(TypeError, match="sealed"):
            sa.select(t.answer).where(column == "Pinel")
    assert "IS NOT NULL" in str(sa.select(t.answer).where(t.answer.c.memory.is_not(None)))


def test_somebody_is_forgotten_in_sealed_texts(tmp_path: Path) -> None:
    """Their id stands in the words of others' rows as well."""
    database = filled(tmp_path, OLD)
    with database.engine.begin() as connection:
        forget(connection, "user", USER)
    read = texts(database)
    database.close()
    assert [table.name for table in _of_teams() if USER in read[table.name]] == []


def test_an_engine_with_another_key_opens_nothing(tmp_path: Path) -> None:
    """The key belongs to a connection's engine, never to the process."""
    database = filled(tmp_path, OLD)
    database.close()
    other = sa.create_engine(database.url)
    seal(other, Sealing((NEW,)))
    with other.connect() as connection, pytest.raises(TextsSealed):
        connection.execute(sa.select(t.answer.c.question)).all()
    other.dispose()


def _passage(text: str, document: str) -> Passage:
    return Passage(f"{document}#0", document, 0, f"Titre {text}", (text,), f"Texte {text}", "", "regulation")


async def test_a_teams_passages_are_sealed_in_the_index_and_found(tmp_path: Path) -> None:
    """What is built in is public, and stays readable."""
    path = tmp_path / "corpus.sqlite3"

    async def added(key: str) -> EmbeddedIndex:
        index = EmbeddedIndex(path, seal=Sealing((key,)))
        for tenant in ("T1", SHARED_TENANT):
            held = [_passage(WORD if tenant == "T1" else "article", tenant)]
            await index.upsert(tenant, held, np.eye(4, dtype=np.float32)[:1], tenant=tenant, digest="1")
        return index

    async def found(index: EmbeddedIndex) -> Any:
        return await index.search(WORD, vector=None, tenants=("T1",), filters=ALL, limit=3)

    index = await added(OLD)
    assert [hit.text for hit in await found(index)] == [f"Texte {WORD}"]
    await index.aclose()
    assert holding(tmp_path, WORD) == []
    assert holding(tmp_path, "Texte article") != []
    assert seal_file_anew(path, Sealing((NEW, OLD))) == 1
    renewed = EmbeddedIndex(path, seal=Sealing((NEW,)))
    assert [(hit.title, hit.heading) for hit in await found(renewed)] == [(f"Titre {WORD}", (WORD,))]
    await renewed.aclose()


def test_both_types_keep_nothing_as_nothing() -> None:
    dialect = sa.create_engine("sqlite://").dialect
    assert SealedText().process_bind_param(None, dialect) is None
    assert SealedJson().process_bind_param(None, dialect) is None


@pytest.mark.parametrize(
    ("keys", "more", "told"),
    [
        ("", {}, ""),
        (OLD, {}, ", textes chiffrés"),
        (f"{NEW},{OLD}", {}, ", textes chiffrés, 1 ancienne clé encore admise"),
        (OLD, {"weaviate_url": "http://weaviate:8080"}, ", textes chiffrés (pas dans Weaviate)"),
    ],
    ids=["none", "one", "two", "weaviate"],
)
def test_the_start_says_what_is_encrypted(keys: str, more: dict[str, Any], told: str) -> None:
    assert texts_told(Settings(text_key=keys, **more, _env_file=None)) == told
