"""Acked means kept: a job survives SIGKILL on both databases, and a failed one is told."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.engine import Engine
from bot.ports import JobName
from bot.settings import load_settings
from bot.store.database import Database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/jobs.sqlite3"
        return
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    yield load_settings().database_url
    engine = sa.create_engine(load_settings().database_url)
    with engine.begin() as connection:
        connection.execute(sa.text("drop schema if exists dbos cascade"))
    engine.dispose()


@contextlib.contextmanager
def _worker(url: str, name: str, file: Path) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "tests.integration.engine_worker", url, name, str(file)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        _until(lambda: f"{name} up" in _lines(file) or process.poll() is not None, "worker")
        assert process.poll() is None, "the worker did not start"
        yield process
    finally:
        process.kill()
        process.communicate()


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _let_go(file: Path) -> None:
    """From now on the second step ends; until then it lasts, however late the kill strikes."""
    file.with_suffix(".go").touch()


def _until(look: Callable[[], bool], what: str, *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, f"no {what} within {seconds} s"
        time.sleep(0.05)


async def _enqueue(url: str, subject: str) -> None:
    engine = Engine(url, executor_id="web", jobs={})
    database = Database(url)
    try:
        await database.write(lambda c: engine.enqueue(c, JobName.REPLY, subject, "thread-1"))
    finally:
        database.close()
        await engine.close()


async def test_a_killed_worker_resumes_where_it_stopped(url: str, tmp_path: Path) -> None:
    """SIGKILL in the second step: the first is not run again, the rest is."""
    file = tmp_path / "lines"
    with _worker(url, "one", file) as process:
        await _enqueue(url, "s1")
        _until(lambda: "one slow s1" in _lines(file), "second step")
        process.kill()
    _let_go(file)
    with _worker(url, "one", file):
        _until(lambda: "one last s1" in _lines(file), "last step")
    assert _lines(file).count("one first s1") == 1


async def test_an_orderly_stop_leaves_no_job_running(url: str, tmp_path: Path) -> None:
    """A step that lasts longer than a stop may is cancelled, not left to work with closed things; it is run again."""
    file = tmp_path / "lines"
    with _worker(url, "one", file) as process:
        await _enqueue(url, "s1")
        _until(lambda: "one slow s1" in _lines(file), "second step")
        process.terminate()
        _until(lambda: "one down" in _lines(file), "end of the stop")
    assert not {"one late s1", "one failed s1"} & set(_lines(file))
    _let_go(file)
    with _worker(url, "one", file):
        _until(lambda: "one last s1" in _lines(file), "last step")
    assert _lines(file).count("one slow s1") == 2


async def test_a_rolled_back_transaction_leaves_no_job(url: str, tmp_path: Path) -> None:
    """The job joins the caller's transaction: what was not committed was never asked."""
    file = tmp_path / "lines"
    _let_go(file)
    with _worker(url, "one", file):
        engine, database = Engine(url, executor_id="web", jobs={}), Database(url)

        def doomed(connection: sa.Connection) -> None:
            engine.enqueue(connection, JobName.REPLY, "ghost", "thread-1")
            raise RuntimeError

        with pytest.raises(RuntimeError):
            await database.write(doomed)
        database.close()
        await engine.close()
        await _enqueue(url, "real")
        _until(lambda: "one last real" in _lines(file), "last step")
    assert not any("ghost" in line for line in _lines(file))


async def test_a_job_that_fails_is_told(url: str, tmp_path: Path) -> None:
    """Never silent: the job's `failed` runs, as a step."""
    file = tmp_path / "lines"
    _let_go(file)
    with _worker(url, "one", file):
        await _enqueue(url, "broken")
        _until(lambda: "one failed broken nobody retries this" in _lines(file), "failure")


@pytest.mark.servers
async def test_another_worker_takes_over_on_postgresql(tmp_path: Path) -> None:
    """The killed worker does not come back: its job ends on another one."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    url, file = load_settings().database_url, tmp_path / "lines"
    with _worker(url, "one", file) as process:
        await _enqueue(url, "s2")
        _until(lambda: "one slow s2" in _lines(file), "second step")
        process.kill()
    _let_go(file)
    with _worker(url, "two", file):
        _until(lambda: "two last s2" in _lines(file), "last step")
    assert "two first s2" not in _lines(file)
