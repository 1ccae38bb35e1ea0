"""The database as a process begins with it: its newest tables, and the keys that open its texts."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import StoreUnavailable, TextsSealed, WrongSetting
from bot.sealing import Sealing
from bot.store import tables as t
from bot.store.database import Database
from bot.store.inbox import insert_once
from bot.store.migrations import migrate_database

_ROW: Final = 1
_WORD: Final = "texte"


def open_database(url: str, keys: Sequence[str]) -> Database:
    """Migrated. Raises `StoreUnavailable`, and `WrongSetting` where its texts are sealed under none of the keys."""
    migrate_database(url)
    database = Database(url, Sealing(keys))
    try:
        _check_key(database)
    except SQLAlchemyError as error:
        database.close()
        raise StoreUnavailable from error
    except WrongSetting:
        database.close()
        raise
    return database


def _check_key(database: Database) -> None:
    """At the first start with a key its proof is kept: from then on no process starts without one that opens it."""
    sealing = database.sealing
    with database.reader.connect() as connection:
        proof = connection.execute(sa.select(t.text_key.c.proof).where(t.text_key.c.id == _ROW)).scalar()
    if proof is None:
        if sealing.active:
            with database.engine.begin() as connection:
                insert_once(connection, t.text_key, id=_ROW, proof=sealing.sealed(_WORD))
        return
    if not sealing.active:
        raise WrongSetting(
            "TEXT_KEY manque : les textes de cette base sont chiffrés, remettez la clé qui les a chiffrés."
        )
    try:
        sealing.opened(proof)
    except TextsSealed:
        raise WrongSetting(
            "TEXT_KEY : aucune de ces clés n'ouvre les textes de cette base ; ajoutez l'ancienne clé après la nouvelle,"
            " séparée par une virgule."
        ) from None


def prove_anew(connection: sa.Connection, sealing: Sealing) -> None:
    """When every text stands under the first key: the others are needed no more."""
    renewed = t.text_key.update().where(t.text_key.c.id == _ROW).values(proof=sealing.sealed(_WORD))
    connection.execute(renewed)
