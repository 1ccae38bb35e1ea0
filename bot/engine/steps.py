"""Jobs and their steps: each step is repeated until it succeeds or its patience ends, and remembered when it did."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa
import stamina
import structlog
from dbos import DBOS
from dbos._error import DBOSException

from bot.errors import JobPoisoned, StepFailed, StoreUnavailable, reference_of
from bot.ports import Boundary, JobName
from pipeline.errors import Retryable
from pipeline.metering.telemetry import SILENT, Telemetry

log = structlog.get_logger()

PATIENCE = 24 * 3600.0
"""Seconds that a step goes on trying while what it needs is away: an answer that is owed outlives an outage."""

StepFunction = Callable[[str], Awaitable[Any]]


class Step(Protocol):
    """Runs the function and remembers what it returned (an id, a truth value, nothing); the argument is an id.
    `patience` bounds, in seconds, how long it is tried again after a `Retryable` error, which is raised when that time
    is over. Our own database is waited for without end: where it is away nothing could be kept of giving up."""

    def __call__(
        self, name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE
    ) -> Awaitable[Any]: ...

    def alone(
        self, name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE
    ) -> Awaitable[Any]:
        """The only step of its job: that it is done is what the job's own end says, and no mark is kept besides."""

    def enqueue(self, connection: sa.Connection, job: JobName, subject: str, partition: str, /) -> None:
        """Another job, in the caller's transaction."""


@dataclass(frozen=True, slots=True)
class Job:
    """`run` is a few steps; `failed` is run, as a step, when one of them gave up."""

    run: Callable[[Step, str], Awaitable[None]]
    failed: Callable[[str, BaseException], Awaitable[None]]


class Running:
    """The jobs under way in this process, so that none goes on beside what is being closed around it: it would take a
    closed connection for a failed source, and publish that."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def enter(self) -> None:
        """Called by each job as it begins. Raises CancelledError when no more may begin: it resumes at the launch."""
        if self._stopping:
            raise asyncio.CancelledError
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, seconds: float) -> None:
        """Give those under way `seconds` to end, then cancel them where they stand: their last step is run again."""
        self._stopping = True
        if not self._tasks:
            return
        _ended, late = await asyncio.wait(self._tasks, timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            log.info("jobs_interrupted", count=len(late))
            await asyncio.wait(late)


def workflow(name: JobName, job: Job, running: Running, step: "Steps") -> Callable[[str], Awaitable[None]]:
    """The job as DBOS runs it: whatever is raised in it is told by the job's `failed`."""

    async def run(subject: str) -> None:
        running.enter()
        with step.telemetry.stage(f"job.{name}", key=subject, reference=reference_of(subject)):
            try:
                await job.run(step, subject)
            except DBOSException:
                raise  # cancelled, fenced off or superseded: another run owns this job
            except Exception as error:  # noqa: BLE001 - the jobs' error listener: a failed job is never silent
                await _give_up(job, subject, _cause(error), step)

    return run


def burial(jobs: Mapping[JobName, Job], running: Running, step: Step) -> Callable[[str], Awaitable[None]]:
    """Tells, as that job's failure, of one that ended the process too often."""

    async def run(job_id: str) -> None:
        running.enter()
        name, _, subject = job_id.partition(":")
        await _give_up(jobs[JobName(name)], subject, JobPoisoned(), step)

    return run


async def _give_up(job: Job, subject: str, error: BaseException, step: Step) -> None:
    """Raises what the telling raised, which leaves a dead letter."""

    async def failed(subject_id: str) -> None:
        await job.failed(subject_id, error)

    try:
        await step("failed", failed, subject)
    except DBOSException:
        raise
    except Exception as second:
        why = _cause(second)
        log.error("failure_not_told", subject=subject, error=repr(error), then=repr(why), exc_info=why)
        raise


@dataclass(frozen=True, slots=True)
class Steps:
    """Each passes the boundaries `NAME:begun`, `NAME:done` (what it did is not remembered yet) and, unless it is alone,
    `NAME:kept`."""

    boundary: Boundary
    queue: Callable[[sa.Connection, JobName, str, str], None]
    telemetry: Telemetry = SILENT

    def enqueue(self, connection: sa.Connection, job: JobName, subject: str, partition: str, /) -> None:
        self.queue(connection, job, subject, partition)

    async def __call__(self, name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE) -> Any:
        async def run(subject_id: str) -> Any:
            return await self.alone(name, function, subject_id, patience=patience)

        kept = await DBOS.run_step_async({"name": name, "retries_allowed": False}, run, subject)
        self.boundary(f"{name}:kept")
        return kept

    async def alone(self, name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE) -> Any:
        self.boundary(f"{name}:begun")
        # Not DBOS's own retries: they count attempts, so that the longest outage they survive is a matter of seconds.
        again = stamina.retry_context(
            on=_wait, attempts=None, timeout=patience, wait_initial=0.5, wait_max=30.0, wait_jitter=0.5
        )
        try:
            with self.telemetry.stage(name):
                async for attempt in again:
                    with attempt:
                        result = await _once_the_store_answers(function, subject)
        except DBOSException:
            raise
        except Exception as error:
            # Kept by DBOS beside the job, where a message might quote what somebody wrote.
            raise StepFailed(error) from error
        self.boundary(f"{name}:done")
        return result


def _cause(error: Exception) -> BaseException:
    """What went wrong in the step; where another process saw it, that it did."""
    return error.__cause__ or error if isinstance(error, StepFailed) else error


async def _once_the_store_answers(function: StepFunction, subject: str) -> Any:
    again = stamina.retry_context(
        on=StoreUnavailable, attempts=None, timeout=None, wait_initial=0.5, wait_max=30.0, wait_jitter=0.5
    )
    result = None
    async for attempt in again:
        with attempt:
            result = await function(subject)
    return result


def _wait(error: Exception) -> bool | float:
    """Whether to try again; or the seconds that the other side asks to wait."""
    if not isinstance(error, Retryable):
        return False
    asked = getattr(error, "retry_after", None)
    return True if asked is None else float(asked)
