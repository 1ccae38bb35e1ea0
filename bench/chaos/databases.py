"""Where the bot of a run keeps its rows: always a database of its own, empty, gone afterwards."""

import asyncio
import contextlib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from bot.store.migrations import migrate_database


@contextlib.contextmanager
def database(backend: str, folder: Path) -> Iterator[str]:
    """Its URL, with the newest tables. `postgresql`: on the server that DATABASE_URL names, beside its database."""
    if backend == "sqlite":
        url = f"sqlite:///{folder}/bot.sqlite3"
        migrate_database(url)
        yield url
        return
    given = sa.make_url(os.environ["DATABASE_URL"]).set(drivername="postgresql+psycopg")
    name = f"quartierscope_chaos_{os.getpid()}"
    server = sa.create_engine(given, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    _drop(server, name)
    with server.connect() as connection:
        connection.execute(sa.text(f"create database {name}"))
    url = given.set(database=name).render_as_string(hide_password=False)
    try:
        migrate_database(url)
        yield url
    finally:
        _drop(server, name)


def _drop(server: sa.Engine, name: str) -> None:
    with server.connect() as connection:
        connection.execute(sa.text(f"drop database if exists {name} with (force)"))


async def restart(url: str) -> None:
    """POSTGRES_RESTART is a command that does it; without one, every connection is cut, which the bot sees the same."""
    if command := os.environ.get("POSTGRES_RESTART"):
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*shlex.split(command), stdout=quiet, stderr=quiet, cwd="/")
        await process.wait()
        return
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    cut = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
    with engine.begin() as connection:
        connection.execute(sa.text(f"{cut} and datname = current_database()"))
