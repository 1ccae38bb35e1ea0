"""Jobs that did not end as they should, listed for the operator and run again on demand; the purge of finished ones."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

import sqlalchemy as sa
from dbos import DBOSClient
from dbos._serialization import DBOSPortableJSONSerializer

from bot.engine.queues import CODE_VERSION, NAME, QUEUE_OF, WORKERS
from bot.engine.storage import open_storage
from bot.engine.upkeep import POISONED
from bot.errors import StoreUnavailable
from bot.ports import JobName

FAILED = "failed"
BATCH = 500
DEPTH: Final = {"ENQUEUED": "waiting", "PENDING": "running"}

LetterKind = Literal["poisoned", "untold", "given_up"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A job that is not coming back by itself. poisoned: it ended the process that ran it too often; untold: it failed
    and so did its telling; given_up: it failed and the person was told."""

    job_id: str
    kind: LetterKind
    at: datetime
    attempts: int
    error: str


class Letters:
    """A client of the engine's tables, without a worker. Its methods raise `StoreUnavailable`."""

    def __init__(self, url: str) -> None:
        self._engine = open_storage(url)
        self._client = DBOSClient(
            system_database_url=url,
            system_database_engine=self._engine,
            application_name=NAME,
            serializer=DBOSPortableJSONSerializer(),
        )

    def close(self) -> None:
        self._client.destroy()
        self._engine.dispose()

    def waiting(self) -> dict[str, int]:
        """How many jobs wait or run, by DBOS's word for it; empty where no worker has ever run."""
        status = self._tables.workflow_status
        if not self._present():
            return {}
        query = (
            sa.select(status.c.status, sa.func.count())
            .where(status.c.status.in_(("ENQUEUED", "PENDING")))
            .group_by(status.c.status)
        )
        with _told(), self._client._sys_db.engine.connect() as connection:
            return {str(name): int(count) for name, count in connection.execute(query)}

    def depth(self) -> dict[tuple[str, str], int]:
        """How many jobs wait and run in each queue, those without any too; empty where no worker has ever run."""
        status = self._tables.workflow_status
        if not self._present():
            return {}
        query = (
            sa.select(status.c.queue_name, status.c.status, sa.func.count())
            .where(status.c.status.in_(tuple(DEPTH)), status.c.queue_name.in_(tuple(WORKERS)))
            .group_by(status.c.queue_name, status.c.status)
        )
        found = {(queue, state): 0 for queue in WORKERS for state in DEPTH.values()}
        with _told(), self._client._sys_db.engine.connect() as connection:
            return found | {(str(q), DEPTH[state]): int(n) for q, state, n in connection.execute(query)}

    def counted(self) -> dict[LetterKind, int]:
        """How many of each kind are listed."""
        found: dict[LetterKind, int] = dict.fromkeys(get_args(LetterKind), 0)
        for letter in self.listed():
            found[letter.kind] += 1
        return found

    def listed(self) -> Sequence[Letter]:
        """Newest first."""
        if not self._present():
            return []
        status, steps = self._tables.workflow_status, self._tables.operation_outputs
        told = sa.exists().where(steps.c.workflow_uuid == status.c.workflow_uuid, steps.c.function_name == FAILED)
        query = (
            sa.select(
                status.c.workflow_uuid,
                status.c.status,
                status.c.updated_at,
                status.c.recovery_attempts,
                status.c.error,
            )
            .where(
                status.c.name != JobName.ABANDONED.value,
                sa.or_(status.c.status.in_((POISONED, "ERROR")), sa.and_(status.c.status == "SUCCESS", told)),
            )
            .order_by(status.c.updated_at.desc())
        )
        with _told(), self._client._sys_db.engine.connect() as connection:
            return [_letter(row) for row in connection.execute(query)]

    def replay(self, job_id: str) -> bool:
        """Puts a listed job back into its queue, to be run from its first step; False where it is not listed. Its
        steps repeat harmlessly: what was posted is found again, what was written is not written twice."""
        if job_id not in {letter.job_id for letter in self.listed()}:
            return False
        status = self._tables.workflow_status
        with _told(), self._client._sys_db.engine.connect() as connection:
            partition = connection.scalar(
                sa.select(status.c.queue_partition_key).where(status.c.workflow_uuid == job_id)
            )
        queue = QUEUE_OF[JobName(job_id.partition(":")[0])]
        self._client.rewind_workflow(
            job_id, application_version=CODE_VERSION, queue_name=queue, queue_partition_key=partition
        )
        return True

    def purge(self, *, days: float) -> int:
        """Forgets jobs that ended, well or told, more than `days` ago; how many. The others stay."""
        if not self._present():
            return 0
        status, steps = self._tables.workflow_status, self._tables.operation_outputs
        before = int((time.time() - days * 86_400) * 1000)
        ended = (
            sa.select(status.c.workflow_uuid)
            .where(status.c.status.in_(("SUCCESS", "CANCELLED")), status.c.updated_at < before)
            .limit(BATCH)
        )
        purged = 0
        while True:
            with _told(), self._client._sys_db.engine.begin() as connection:
                ids = list(connection.execute(ended).scalars())
                for table in (self._tables.workflow_input, self._tables.workflow_output, steps, status):
                    connection.execute(sa.delete(table).where(table.c.workflow_uuid.in_(ids)))
            purged += len(ids)
            if len(ids) < BATCH:
                return purged

    def forget(self, subjects: Sequence[str]) -> int:
        """Erases all that the engine keeps of the jobs about these: an answer, a proposal, a source; how many jobs."""
        if not subjects or not self._present():
            return 0
        tables, wanted = self._tables, tuple(subjects)
        with _told(), self._client._sys_db.engine.begin() as connection:
            names = connection.execute(sa.select(tables.workflow_status.c.workflow_uuid)).scalars()
            ids = [name for name in names if any(subject in name for subject in wanted)]
            for table in reversed(tables.workflow_status.metadata.sorted_tables):
                if "workflow_uuid" in table.c:
                    for start in range(0, len(ids), BATCH):
                        some = ids[start : start + BATCH]
                        connection.execute(sa.delete(table).where(table.c.workflow_uuid.in_(some)))
        return len(ids)

    @property
    def _tables(self) -> Any:
        return self._client._sys_db.tables

    def _present(self) -> bool:
        schema = None if self._engine.dialect.name == "sqlite" else "dbos"
        with _told():
            return sa.inspect(self._engine).has_table("workflow_status", schema=schema)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sa.exc.SQLAlchemyError as error:
        raise StoreUnavailable from error


def _letter(row: Any) -> Letter:
    kinds: dict[str, LetterKind] = {POISONED: "poisoned", "ERROR": "untold"}
    return Letter(
        job_id=row.workflow_uuid,
        kind=kinds.get(row.status, "given_up"),
        at=datetime.fromtimestamp(row.updated_at / 1000, UTC),
        attempts=row.recovery_attempts or 0,
        error=str(row.error or "")[:300],
    )
