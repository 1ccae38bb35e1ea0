"""A worker of one job as a process of its own, on each database: started, fed, killed."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import sqlalchemy as sa

from bot.engine import Engine
from bot.ports import JobName
from bot.settings import load_settings
from bot.store.database import Database


def forget_jobs() -> None:
    """PostgreSQL is shared by the tests."""
    engine = sa.create_engine(load_settings().database_url)
    with engine.begin() as connection:
        connection.execute(sa.text("drop schema if exists dbos cascade"))
    engine.dispose()


@contextlib.contextmanager
def worker(url: str, name: str, file: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Up when the block begins, killed when it ends."""
    command = [sys.executable, "-m", "tests.integration.engine_worker", url, name, str(file)]
    with log_of(file).open("ab") as log:
        process = subprocess.Popen(command, stderr=log)
    try:
        until(lambda: f"{name} up" in lines(file) or process.poll() is not None, "worker")
        assert f"{name} up" in lines(file), f"the worker did not start: {log_of(file).read_text()[-2000:]}"
        yield process
    finally:
        process.kill()
        process.wait()


def log_of(file: Path) -> Path:
    """What the workers wrote to stderr."""
    return file.with_suffix(".log")


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def let_go(file: Path) -> None:
    """From now on the second step ends; until then it lasts, however late the kill strikes."""
    file.with_suffix(".go").touch()


def until(look: Callable[[], bool], what: str, *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, f"no {what} within {seconds} s"
        time.sleep(0.05)


async def enqueue(url: str, subject: str, *, thread: str = "thread-1") -> None:
    engine = Engine(url, executor_id="web", jobs={})
    database = Database(url)
    try:
        await database.write(lambda c: engine.enqueue(c, JobName.REPLY, subject, thread))
    finally:
        database.close()
        await engine.close()
