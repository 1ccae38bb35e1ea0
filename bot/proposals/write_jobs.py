"""The durable jobs of an approved proposal: write it, or take the write back, and bring its card up to date."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.engine import Job, Step
from bot.ports import CrmWriter, JobName
from bot.proposals import execution
from bot.proposals.lifecycle import proposal_of
from bot.proposals.showing import identify, show_card
from bot.slack.delivery import Workspaces
from bot.store import proposals
from bot.store.database import Database

CRM_PATIENCE: Final = 30.0
"""Seconds that a click waits for HubSpot: then its card says that nothing was written."""


WriterOf = Callable[[str], Awaitable[CrmWriter | None]]
"""A team's way to write into its CRM; None where it has connected none."""


def write_jobs(database: Database, slack: Workspaces, writer_of: WriterOf) -> Mapping[JobName, Job]:
    """perform and undo."""

    async def writer(proposal_id: str) -> CrmWriter | None:
        row = await database.read(lambda c: proposals.find(c, proposal_id))
        return None if row is None else await writer_of(row["team_id"])

    async def execute(proposal_id: str) -> None:
        await execution.execute(database, await writer(proposal_id), proposal_id)

    async def take_back(proposal_id: str) -> None:
        await execution.take_back(database, await writer(proposal_id), proposal_id)

    async def perform(step: Step, subject: str) -> None:
        proposal_id = proposal_of(subject)
        await step("identify", lambda s: identify(database, slack, s), proposal_id)
        await step("execute", execute, proposal_id, patience=CRM_PATIENCE)
        await step("show", lambda s: show_card(database, slack, s), proposal_id)

    async def undo(step: Step, attempt: str) -> None:
        proposal_id = proposal_of(attempt)
        await step("undo", take_back, proposal_id, patience=CRM_PATIENCE)
        await step("show", lambda s: show_card(database, slack, s), proposal_id)

    async def failed(subject: str, error: BaseException) -> None:
        proposal_id = proposal_of(subject)
        await execution.give_up(database, proposal_id, error)
        await show_card(database, slack, proposal_id)

    return {JobName.PERFORM: Job(run=perform, failed=failed), JobName.UNDO: Job(run=undo, failed=failed)}
