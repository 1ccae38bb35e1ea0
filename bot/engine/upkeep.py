"""Puts right what crashes leave: jobs that nobody runs although they are ours, and those that killed us too often."""

from typing import Final

import sqlalchemy as sa
import structlog
from dbos import DBOS, DBOSClient

from bot.engine.queues import CODE_VERSION, QUEUE_OF
from bot.ports import JobName

log = structlog.get_logger()

ATTEMPTS: Final = 50
"""Starts of one job, crashes and restarts included, after which it is given up and told: it kills who runs it."""
POISONED: Final = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


class Upkeep:
    """Run every few seconds by the dispatcher; any number of workers do no harm."""

    def __init__(self, dbos: DBOS, client: DBOSClient, executor_id: str) -> None:
        self._dbos, self._client, self._executor_id = dbos, client, executor_id
        self._orphans: set[str] = set()

    def run(self) -> None:
        self._requeue_orphans()
        self._bury_poisoned()

    def _requeue_orphans(self) -> None:
        """What is marked as ours twice in a row without running here: taken and never begun, or ended without a
        record. It would block its thread until the next start."""
        mine = self._dbos._sys_db.get_pending_workflows(self._executor_id, CODE_VERSION)
        active = set(self._dbos._active_workflows_set.activeList())
        orphans = {found.workflow_id for found in mine} - active
        for workflow_id in orphans & self._orphans:
            queue = QUEUE_OF[JobName(workflow_id.partition(":")[0])]
            self._dbos._sys_db.reenqueue_for_recovery(workflow_id, [self._executor_id], queue)
            log.warning("job_requeued", job=workflow_id)
        self._orphans = orphans - self._orphans

    def _bury_poisoned(self) -> None:
        """Each gets one job that tells it: found again until it stands, under one id for one burial."""
        status = self._dbos._sys_db.tables.workflow_status
        told = status.alias()
        moment_text = sa.cast(status.c.completed_at, sa.Text)
        burial = sa.literal(f"{JobName.ABANDONED}:", sa.Text).concat(status.c.workflow_uuid).concat("@" + moment_text)
        query = sa.select(status.c.workflow_uuid, status.c.completed_at).where(
            status.c.status == POISONED,
            status.c.name != JobName.ABANDONED.value,
            ~sa.exists().where(told.c.workflow_uuid == burial),
        )
        with self._dbos._sys_db.engine.begin() as connection:
            for workflow_id, moment in connection.execute(query).all():
                bury(self._client, connection, workflow_id, moment)
                log.error("job_poisoned", job=workflow_id, attempts=ATTEMPTS)


def bury(client: DBOSClient, connection: sa.Connection, workflow_id: str, moment: int) -> None:
    client.enqueue_in_transaction(
        connection,
        {
            "workflow_name": JobName.ABANDONED.value,
            "queue_name": QUEUE_OF[JobName.ABANDONED],
            "workflow_id": f"{JobName.ABANDONED}:{workflow_id}@{moment}",
            "queue_partition_key": workflow_id,
            "app_version": CODE_VERSION,
        },
        workflow_id,
    )
