"""The durable jobs about dropped files."""

from collections.abc import Mapping

import structlog

from bot.documents import cards, ingestion
from bot.documents.cards import FileIngestion
from bot.engine import Job, Step
from bot.ports import AnswerId, JobName

log = structlog.get_logger()

FILE_PATIENCE = 120.0
"""Seconds that a file's download and indexing are tried again; then its card says that nothing was added."""


def file_jobs(files: FileIngestion) -> Mapping[JobName, Job]:
    """offer_files: show cards; find_files: after a lone mention; add_file: read and index; remove_file: remove."""

    async def offer_files(step: Step, answer_id: str) -> None:
        await step("cards", lambda s: cards.offer_cards(files, AnswerId(s)), answer_id)

    async def add_file(step: Step, subject: str) -> None:
        await step("add_file", lambda s: ingestion.add_file(files, s), subject, patience=FILE_PATIENCE)
        await step("show", lambda s: cards.show_card(files, s), subject)

    async def remove_file(step: Step, subject: str) -> None:
        await step("remove_file", lambda s: ingestion.remove_file(files, s), subject)
        await step("show", lambda s: cards.show_card(files, s), subject)

    async def find_files(step: Step, answer_id: str) -> None:
        await step(
            "find",
            lambda s: ingestion.find_files(files, AnswerId(s)),
            answer_id,
            patience=FILE_PATIENCE,
        )
        await step("cards", lambda s: cards.offer_cards(files, AnswerId(s)), answer_id)

    async def failed(subject: str, error: BaseException) -> None:
        await ingestion.give_up(files, subject, error)
        await cards.show_card(files, subject)

    async def unseen(subject: str, error: BaseException) -> None:
        log.error("files_not_offered", subject=subject, error=repr(error), exc_info=error)

    return {
        JobName.OFFER_FILES: Job(run=offer_files, failed=unseen),
        JobName.ADD_FILE: Job(run=add_file, failed=failed),
        JobName.REMOVE_FILE: Job(run=remove_file, failed=failed),
        JobName.FIND_FILES: Job(run=find_files, failed=unseen),
    }
