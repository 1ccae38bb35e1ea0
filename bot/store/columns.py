"""What all tables share: their metadata, how a moment and a text are kept, how a row is read."""

import json
from typing import Any, Final, NoReturn

import sqlalchemy as sa

from bot.sealing import MARK, OPEN, Sealing

Row = dict[str, Any]
"""One row as read, by column name."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def when(name: str, *, nullable: bool = True) -> sa.Column[str]:
    """UTC, ISO 8601 text: sorts as time on both databases."""
    return sa.Column(name, sa.String(32), nullable=nullable)


_SEALING: Final = "text_sealing"


def seal(engine: sa.Engine, sealing: Sealing) -> None:
    """What is read and written through the engine is opened and sealed; through another one, texts stay as they are."""
    vars(engine.dialect)[_SEALING] = sealing


def _sealing(dialect: sa.Dialect) -> Sealing:
    found = vars(dialect).get(_SEALING, OPEN)
    assert isinstance(found, Sealing)
    return found


class SealedText(sa.types.TypeDecorator[str]):
    """Words of users and clients. SQL sees what is stored: these are never compared, ordered or searched there."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else _sealing(dialect).sealed(value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else _sealing(dialect).opened(value)

    def coerce_compared_value(self, op: Any, value: Any) -> NoReturn:
        """Each sealing of a text is another: an equality would silently find nothing."""
        raise TypeError(f"a sealed column is not compared in SQL: {op!r}")


class SealedJson(sa.types.TypeDecorator[Any]):
    """The same for JSON: a sealed value is one JSON string."""

    impl = sa.JSON
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> Any:
        sealing = _sealing(dialect)
        if value is None or not (sealing.active or _marked(value)):
            return value
        return sealing.sealed(MARK + json.dumps(value))

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> Any:
        if not _marked(value):
            return value
        return json.loads(_sealing(dialect).opened(value).removeprefix(MARK))

    def coerce_compared_value(self, op: Any, value: Any) -> NoReturn:
        """As of a text."""
        raise TypeError(f"a sealed column is not compared in SQL: {op!r}")


def _marked(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(MARK)
