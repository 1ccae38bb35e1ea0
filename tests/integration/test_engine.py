"""Acked means kept: a job survives SIGKILL on both databases, and a failed one is told."""

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.engine import Engine
from bot.ports import JobName
from bot.settings import load_settings
from bot.store.database import Database
from tests.integration.engine_rig import enqueue, let_go, lines, until, worker

pytest_plugins = ("tests.integration.engine_databases",)


async def test_a_killed_worker_resumes_where_it_stopped(jobs_url: str, tmp_path: Path) -> None:
    """SIGKILL in the second step: the first is not run again, the rest is."""
    file = tmp_path / "lines"
    with worker(jobs_url, "one", file) as process:
        await enqueue(jobs_url, "s1")
        until(lambda: "one slow s1" in lines(file), "second step")
        process.kill()
    let_go(file)
    with worker(jobs_url, "one", file):
        until(lambda: "one last s1" in lines(file), "last step")
    assert lines(file).count("one first s1") == 1


async def test_an_orderly_stop_leaves_no_job_running(jobs_url: str, tmp_path: Path) -> None:
    """A step that lasts longer than a stop may is cancelled, not left to work with closed things; it is run again."""
    file = tmp_path / "lines"
    with worker(jobs_url, "one", file) as process:
        await enqueue(jobs_url, "s1")
        until(lambda: "one slow s1" in lines(file), "second step")
        process.terminate()
        until(lambda: "one down" in lines(file), "end of the stop")
    assert not {"one late s1", "one failed s1"} & set(lines(file))
    let_go(file)
    with worker(jobs_url, "one", file):
        until(lambda: "one last s1" in lines(file), "last step")
    assert lines(file).count("one slow s1") == 2


async def test_a_rolled_back_transaction_leaves_no_job(jobs_url: str, tmp_path: Path) -> None:
    """The job joins the caller's transaction: what was not committed was never asked."""
    file = tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file):
        engine, database = Engine(jobs_url, executor_id="web", jobs={}), Database(jobs_url)

        def doomed(connection: sa.Connection) -> None:
            engine.enqueue(connection, JobName.REPLY, "ghost", "thread-1")
            raise RuntimeError

        with pytest.raises(RuntimeError):
            await database.write(doomed)
        database.close()
        await engine.close()
        await enqueue(jobs_url, "real")
        until(lambda: "one last real" in lines(file), "last step")
    assert not any("ghost" in line for line in lines(file))


async def test_a_job_that_fails_is_told(jobs_url: str, tmp_path: Path) -> None:
    """Never silent: the job's `failed` runs, as a step."""
    file = tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file):
        await enqueue(jobs_url, "broken")
        until(lambda: "one failed broken nobody retries this" in lines(file), "failure")


@pytest.mark.servers
async def test_another_worker_takes_over_on_postgresql(tmp_path: Path) -> None:
    """The killed worker does not come back: its job ends on another one."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    jobs_url, file = load_settings().database_url, tmp_path / "lines"
    with worker(jobs_url, "one", file) as process:
        await enqueue(jobs_url, "s2")
        until(lambda: "one slow s2" in lines(file), "second step")
        process.kill()
    let_go(file)
    with worker(jobs_url, "two", file):
        until(lambda: "two last s2" in lines(file), "last step")
    assert "two first s2" not in lines(file)
