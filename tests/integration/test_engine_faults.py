"""What the engine lives through: a full disk, a database that restarts, jobs that kill, jobs that nobody runs."""

import argparse
import asyncio
import json
import os
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.commands.jobs import jobs
from bot.engine import Letters
from bot.engine.dispatch import SUSPECT
from bot.engine.presence import GRACE_SECONDS, REAP_SECONDS
from bot.engine.upkeep import ATTEMPTS
from bot.errors import WrongSetting
from bot.runtime.processes import _only_worker
from bot.settings import Settings, load_settings
from tests.dumping import dumped
from tests.integration.engine_rig import enqueue, forget_jobs, let_go, lines, log_of, until, worker

pytest_plugins = ("tests.integration.engine_databases",)


def change(jobs_url: str, statement: str, **values: object) -> None:
    """On the engine's own table of jobs."""
    engine = sa.create_engine(jobs_url)
    table = "workflow_status" if jobs_url.startswith("sqlite") else "dbos.workflow_status"
    with engine.begin() as connection:
        connection.execute(sa.text(statement.replace("JOBS", table)), values)
    engine.dispose()


async def test_a_full_disk_is_waited_out(tmp_path: Path) -> None:
    """The step's record finds no room for a while: the job neither fails nor stands still, and every line of the log,
    DBOS's own about it included, is JSON."""
    jobs_url, file = f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file):
        await enqueue(jobs_url, "full")
        until(lambda: "one last full" in lines(file), "last step")
    assert lines(file).count("one full full") == 1
    assert not [line for line in lines(file) if "failed" in line]
    said = [json.loads(line) for line in log_of(file).read_text().splitlines()]
    assert any("Database connection failed" in line["event"] for line in said)


async def test_a_job_that_nobody_runs_is_queued_again(jobs_url: str, tmp_path: Path) -> None:
    """Marked as a living worker's that knows nothing of it: it would block its thread until a restart."""
    file = tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file):
        await enqueue(jobs_url, "s1")
        until(lambda: "one last s1" in lines(file), "last step")
        change(jobs_url, "update JOBS set status = 'PENDING', executor_id = 'one' where workflow_uuid = 'reply:s1'")
        await enqueue(jobs_url, "s2")  # in the same thread
        until(lambda: "one last s2" in lines(file), "next job of the thread")


async def test_a_job_that_kills_its_worker_is_told_listed_and_replayed(
    jobs_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends as a failure that is told, once; the command lists it, and runs it again when asked to."""
    file = tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file) as process:
        await enqueue(jobs_url, "deadly")
        process.wait(timeout=60)
    change(jobs_url, "update JOBS set recovery_attempts = :n where workflow_uuid = 'reply:deadly'", n=ATTEMPTS + 1)
    with worker(jobs_url, "one", file):
        until(lambda: any(line.startswith("one failed deadly Ce travail") for line in lines(file)), "failure told")
        settings = Settings(database_url=jobs_url, _env_file=None)
        listing = argparse.Namespace(replay=None)
        await jobs(listing, settings)
        assert "reply:deadly" in capsys.readouterr().out
        file.with_suffix(".harmless").touch()
        assert await jobs(argparse.Namespace(replay="reply:other"), settings) == 1
        assert await jobs(argparse.Namespace(replay="reply:deadly"), settings) == 0
        until(lambda: "one last deadly" in lines(file), "end of the replay")
    capsys.readouterr()
    await jobs(listing, settings)
    assert "Aucun travail inabouti" in capsys.readouterr().out
    assert len([line for line in lines(file) if "failed deadly" in line]) == 1


async def test_a_job_that_kills_its_worker_takes_no_other_with_it(tmp_path: Path) -> None:
    """What was started often is started alone: a long job beside it ends, though no worker lives as long with both."""
    jobs_url, file = f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path / "lines"
    let_go(file)
    for life in range(4 * SUSPECT):
        with worker(jobs_url, f"life-{life}", file) as process:
            if life == 0:
                await enqueue(jobs_url, "long", thread="thread-2")
                await enqueue(jobs_url, "deadly")
            until(lambda p=process: p.poll() is not None or _ended(file, "long"), "end")  # type: ignore[misc]
        if _ended(file, "long"):
            return
    pytest.fail("the long job never ended")


def _ended(file: Path, subject: str) -> bool:
    return any(line.endswith(f" last {subject}") for line in lines(file))


async def test_a_failed_job_is_listed_and_finished_ones_are_purged(jobs_url: str, tmp_path: Path) -> None:
    """What ended is forgotten after its days; what failed without a word stays to be looked at."""
    file = tmp_path / "lines"
    let_go(file)
    with worker(jobs_url, "one", file):
        for subject in ("good", "broken"):
            await enqueue(jobs_url, subject)
        until(lambda: {"one last good", "one failed broken nobody retries this"} <= set(lines(file)), "both ends")
        letters = Letters(jobs_url)
        until(lambda: not letters.waiting(), "end of both")
        try:
            assert [(letter.job_id, letter.kind) for letter in letters.listed()] == [("reply:broken", "given_up")]
            assert "nobody retries this" not in str(dumped(jobs_url))  # it may quote what somebody wrote
            assert letters.purge(days=1) == 0
            change(
                jobs_url, "update JOBS set status = 'ERROR' where workflow_uuid = 'reply:broken'"
            )  # as if nobody was told
            change(jobs_url, "update JOBS set updated_at = :then", then=int((time.time() - 2 * 86_400) * 1000))
            assert letters.purge(days=1) == 1
            assert [(letter.job_id, letter.kind) for letter in letters.listed()] == [("reply:broken", "untold")]
            assert letters.counted() == {"poisoned": 0, "untold": 1, "given_up": 0}
        finally:
            letters.close()


async def test_what_waits_is_counted_by_its_queue(jobs_url: str, tmp_path: Path) -> None:
    """Also by a process that has no worker, and where none runs any more."""
    file = tmp_path / "lines"
    with worker(jobs_url, "one", file):
        pass
    await enqueue(jobs_url, "later")
    letters = Letters(jobs_url)
    try:
        told = {place: count for place, count in letters.depth().items() if count}
        assert told == {("threads", "waiting"): 1}
        assert letters.depth()["files", "running"] == 0
    finally:
        letters.close()


async def test_another_name_takes_over_on_sqlite(tmp_path: Path) -> None:
    """One worker serves a file: what a worker of another name left there is its to finish."""
    jobs_url, file = f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path / "lines"
    with worker(jobs_url, "one", file) as process:
        await enqueue(jobs_url, "s1")
        until(lambda: "one slow s1" in lines(file), "second step")
        process.kill()
    let_go(file)
    with worker(jobs_url, "two", file):
        until(lambda: "two last s1" in lines(file), "last step")


def test_the_lock_follows_the_database(tmp_path: Path) -> None:
    """Two folders for files, one database, named by another path: the second process is refused; its own database is
    not."""
    (tmp_path / "link").symlink_to(tmp_path)

    def settings(folder: str, database: str) -> Settings:
        return Settings(var_dir=tmp_path / folder, database_url=f"sqlite:///{tmp_path}/{database}", _env_file=None)

    with _only_worker(settings("a", "one.sqlite3")):
        with pytest.raises(WrongSetting, match="sert déjà"), _only_worker(settings("b", "link/one.sqlite3")):
            pass
        with _only_worker(settings("a", "two.sqlite3")):
            pass


@pytest.mark.servers
async def test_failover_survives_a_restart_of_the_database(tmp_path: Path) -> None:
    """All connections are cut: each worker takes its name again, keeps its own jobs, and still takes over a dead one's;
    the log says so."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    jobs_url, file = load_settings().database_url, tmp_path / "lines"
    try:
        with worker(jobs_url, "two", file) as two, worker(jobs_url, "one", file) as one:
            await enqueue(jobs_url, "s1")
            until(lambda: {"one slow s1", "two slow s1"} & set(lines(file)), "second step")
            holder, other = ("one", "two") if "one slow s1" in lines(file) else ("two", "one")
            ours = "pid <> pg_backend_pid() and datname = current_database()"
            change(jobs_url, f"select pg_terminate_backend(pid) from pg_stat_activity where {ours}")
            until(lambda: log_of(file).read_text().count("presence_retaken") == 2, "names taken again")
            await asyncio.sleep(GRACE_SECONDS + 2 * REAP_SECONDS)  # what a worker too quick to take over would need
            let_go(file)
            until(lambda: f"{holder} last s1" in lines(file), "last step on the same worker")
            assert not [line for line in lines(file) if line.startswith(other) and line.endswith("s1")]
            file.with_suffix(".go").unlink()
            await enqueue(jobs_url, "deadly")
            let_go(file)
            until(lambda: one.poll() is not None and two.poll() is not None, "end of both, one after the other")
            assert [line.split()[1] for line in lines(file) if line.endswith(" deadly")].count("first") == 1
    finally:
        forget_jobs()
