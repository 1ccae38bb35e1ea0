"""A team leaves: its tokens go at once, its jobs end without a word, its data after a delay in which it may return."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.engine import Job, Letters, Step
from bot.errors import CorpusAway, StepFailed, WorkspaceGone
from bot.ports import JobName
from bot.store import crm_accounts, workspaces
from bot.store.database import Database
from bot.store.inbox import Enqueue, utc_now
from corpus.errors import IndexUnavailable
from corpus.ports import PassageIndex

if TYPE_CHECKING:
    import sqlalchemy as sa

    from bot.installation.stores import Installations
    from bot.installation.tokens import Tokens

log = structlog.get_logger()
PARTITION: Final = "forget"
NAMES: Final = re.compile("[:/]")
"""Between the ids that the subject of a job is made of."""
DATED: Final = (JobName.DIGEST, JobName.ALERT, JobName.WATCH)
"""Jobs named by their team."""


@dataclass(frozen=True, slots=True)
class Departures:
    """What these steps work with. `days`: how long a team that has left may come back to what it had."""

    database: Database
    installations: "Installations"
    tokens: "Tokens"
    index: PassageIndex
    days: int

    async def uninstalled(self, body: Mapping[str, Any]) -> None:
        """Of Slack's `app_uninstalled`, or `tokens_revoked` with the bot's: in one transaction, before the ack."""
        told = [str(name) for name in (body.get("team_id"), body.get("enterprise_id")) if name]
        team_id = next((name for name in told if name.startswith("T")), None)
        enterprise_id = next((name for name in told if name.startswith("E")), None)
        at, now = float(body.get("event_time") or 0), datetime.now(UTC)
        forget_at = (now + timedelta(days=self.days)).isoformat(timespec="milliseconds")

        def gone(connection: "sa.Connection") -> list[str]:
            rows = workspaces.leaving(connection, team_id=team_id, enterprise_id=enterprise_id)
            left = [row for row in rows if not _late(row["installed_at"], at)]
            for row in left:
                team = None if row["org_install"] else row["team_id"]
                self.installations.delete(connection, enterprise_id=row["enterprise_id"], team_id=team)
                crm_accounts.disconnect(connection, row["team_id"], by=workspaces.ACTOR)
                workspaces.leave(connection, row["team_id"], now=utc_now(), forget_at=forget_at)
            return [row["team_id"] for row in left]

        for team in await self.database.write(gone):
            self.tokens.drop(team)
            log.info("workspace_left", team=team, forget_at=forget_at)

    async def left(self, names: frozenset[str]) -> bool:
        """Whether one of these ids is of a team that has left."""
        return await self.database.read(lambda c: workspaces.departed(c, names))


def _late(installed_at: str, event_time: float) -> bool:
    """Whether the event is of an earlier installation: Slack delivers again, also after somebody came back. Slack tells
    whole seconds."""
    return event_time > 0 and event_time < int(datetime.fromisoformat(installed_at).timestamp())


def quiet(jobs: Mapping[JobName, Job], departures: Departures | None) -> Mapping[JobName, Job]:
    """The same jobs, which end without a word where their team has left."""
    if departures is None:
        return jobs
    return {name: Job(run=partial(_run, name, job, departures), failed=job.failed) for name, job in jobs.items()}


async def _run(name: JobName, job: Job, departures: Departures, step: Step, subject: str) -> None:
    if name is not JobName.FORGET_TEAM and await departures.left(frozenset(NAMES.split(subject))):
        log.info("job_of_absent_workspace", job=name.value)
        return
    try:
        await job.run(step, subject)
    except StepFailed as failed:
        # What another process saw of it is its name alone.
        if not isinstance(failed.__cause__, WorkspaceGone) and str(failed) != WorkspaceGone.__name__:
            raise
        log.info("job_of_absent_workspace", job=name.value)


async def wake_due(departures: Departures, enqueue: Enqueue) -> int:
    """How many teams are to be forgotten now: one job a team and departure, whoever wakes it and however often."""

    def wake(connection: "sa.Connection") -> int:
        rows = workspaces.due(connection, now=utc_now())
        for row in rows:
            enqueue(connection, JobName.FORGET_TEAM, f"{row['team_id']}:{row['left_at']}", PARTITION)
        return len(rows)

    return await departures.database.write(wake)


def forget_job(departures: Departures) -> Job:
    """The team's passages, then its rows, then the engine's letters about it."""

    async def run(step: Step, subject: str) -> None:
        await step("index", lambda s: _unindexed(departures, s), subject)
        await step("rows", lambda s: _erased(departures, s), subject)

    async def failed(subject: str, error: BaseException) -> None:
        log.error("workspace_not_forgotten", subject=subject, error=repr(error), exc_info=error)

    return Job(run=run, failed=failed)


async def _owed(departures: Departures, subject: str) -> str | None:
    """The team, unless it has come back meanwhile."""
    team_id, _, left_at = subject.partition(":")
    row = await departures.database.read(lambda c: workspaces.find(c, team_id))
    return team_id if row is not None and row["left_at"] == left_at else None


async def _unindexed(departures: Departures, subject: str) -> None:
    team_id = await _owed(departures, subject)
    if team_id is None:
        return
    try:
        held = await departures.index.digests(tenant=team_id)
        await departures.index.delete(list(held), tenant=team_id)
    except IndexUnavailable as error:
        raise CorpusAway from error


async def _erased(departures: Departures, subject: str) -> None:
    team_id = await _owed(departures, subject)
    if team_id is None:
        return

    def erase(connection: "sa.Connection") -> tuple[list[str], dict[str, int]]:
        named = [f"{job}:{team_id}:" for job in DATED] + workspaces.subjects(connection, team_id)
        return named, workspaces.forget(connection, team_id)

    jobs, rows = await departures.database.write(erase)
    letters = Letters(departures.database.url)
    try:
        await asyncio.to_thread(letters.forget, jobs)
    finally:
        letters.close()
    log.info("workspace_forgotten", team=team_id, rows=rows)
