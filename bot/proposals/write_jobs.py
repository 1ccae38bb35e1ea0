"""The durable jobs of an approved proposal: write it, or take the write back, and bring its card up to date."""

from collections.abc import Mapping
from typing import Final

from bot.engine import Job, Step
from bot.ports import CrmWriter, JobName
from bot.proposals import execution
from bot.proposals.lifecycle import proposal_of
from bot.proposals.showing import identify, show_card
from bot.slack.delivery import Workspaces
from bot.store.database import Database

CRM_PATIENCE: Final = 30.0
"""Seconds that a click waits for HubSpot: then its card says that nothing was written."""


def write_jobs(database: Database, slack: Workspaces, writer: CrmWriter | None) -> Mapping[JobName, Job]:
    """perform and undo."""

    async def perform(step: Step, subject: str) -> None:
        proposal_id = proposal_of(subject)
        await step("identify", lambda s: identify(database, slack, s), proposal_id)
        await step("execute", lambda s: execution.execute(database, writer, s), proposal_id, patience=CRM_PATIENCE)
        await step("show", lambda s: show_card(database, slack, s), proposal_id)

    async def undo(step: Step, attempt: str) -> None:
        proposal_id = proposal_of(attempt)
        await step("undo", lambda s: execution.take_back(database, writer, s), proposal_id, patience=CRM_PATIENCE)
        await step("show", lambda s: show_card(database, slack, s), proposal_id)

    async def failed(subject: str, error: BaseException) -> None:
        proposal_id = proposal_of(subject)
        await execution.give_up(database, proposal_id, error)
        await show_card(database, slack, proposal_id)

    return {JobName.PERFORM: Job(run=perform, failed=failed), JobName.UNDO: Job(run=undo, failed=failed)}
