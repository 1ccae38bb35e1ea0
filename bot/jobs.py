"""The durable jobs: a few repeatable steps each, ids as their only arguments."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.conversations import charts, publishing, signs
from bot.conversations import reply as conversation
from bot.conversations.budgets import Budgets
from bot.conversations.progressing import progress_of
from bot.conversations.reading_deals import with_portal
from bot.conversations.stopping import unless_stopped
from bot.conversations.turns import Turns, answer_of
from bot.digests.gathering import Sources
from bot.digests.publishing import Publishing, follow, post, prepare
from bot.digests.publishing import report_failure as report_digest_failure
from bot.documents import cards
from bot.documents.file_jobs import file_jobs
from bot.documents.refresh import refresh_job
from bot.documents.web_sources import WebIngestion
from bot.engine import Job, Step
from bot.installation.departures import forget_job, quiet
from bot.news.polling import NewsIngestion, poll_job
from bot.ports import AnswerId, CrmWriter, JobName, Portals
from bot.printing import posting
from bot.printing.sheet import Letterhead
from bot.proposals.lifecycle import Terms
from bot.proposals.showing import offer
from bot.proposals.write_jobs import write_jobs
from bot.rights import DealReaders
from bot.slack.delivery import Workspaces, email_of
from bot.store import answers
from bot.store.database import Database
from bot.store.inbox import utc_now
from bot.watches.asking import order_of
from bot.watches.changes import alert_job
from bot.watches.looking import Watching, watch_job
from pipeline.ports import Deps

if TYPE_CHECKING:
    from bot.installation.flow import Installing

log = structlog.get_logger()

THINK_PATIENCE = 60.0
"""Seconds that an answer is tried again; then the thread is told, rather than left with a placeholder."""

DIGEST_PATIENCE = 3600.0
"""Seconds that a digest's reading of Slack is tried again."""

OWN = re.compile(r"\b(?:mes|moi|my|mine|mon (?:portefeuille|pipe\w*|agenda)|ma (?:liste|semaine))\b", re.IGNORECASE)
"""Slack is asked who somebody is in the CRM where « mes dossiers » may be meant, or deals are restricted."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the jobs work with. `writer` is None where no CRM is connected, `installing` in one workspace;
    `portals` where each team has its own CRM."""

    database: Database
    slack: Workspaces
    deps: Deps
    writer: CrmWriter | None
    terms: Terms
    folder: Path = Path("var")
    web_ingestion: WebIngestion | None = None
    news: NewsIngestion | None = None
    digests: Sources | None = None
    budgets: Budgets = Budgets()  # noqa: RUF009 - frozen
    readers: DealReaders = DealReaders()  # noqa: RUF009 - frozen
    letterhead: Letterhead = Letterhead()  # noqa: RUF009 - frozen
    installing: "Installing | None" = None
    portals: Portals | None = None

    async def deps_of(self, team_id: str) -> Deps:
        """What an answer in this team is made with."""
        return self.deps if self.portals is None else with_portal(self.deps, await self.portals.of(team_id))

    async def writer_of(self, team_id: str) -> CrmWriter | None:
        """What writes into this team's CRM, if it has one."""
        if self.portals is None:
            return self.writer
        crm = await self.portals.of(team_id)
        return crm.writer if crm is not None else None

    @property
    def printing(self) -> posting.Printing:
        """What an answer's PDF needs of it."""
        return posting.Printing(self.database, self.slack, self.letterhead)

    @property
    def watching(self) -> Watching:
        """What the questions that channels watch need of it."""
        return Watching(self.database, self.slack, self.deps.tools, self.deps.now)

    @property
    def file_ingestion(self) -> cards.FileIngestion:
        """What dropped files need of it."""
        return cards.FileIngestion(
            self.database, self.slack, self.deps.index, self.deps.embedder, folder=self.folder / "uploads"
        )


def jobs_of(services: Services) -> Mapping[JobName, Job]:
    """sign: say in its thread that a message was read. reply: answer it there. chart: what is drawn of it.
    perform: write an approved proposal. undo: take a write back.
    The others are about dropped files and remembered addresses."""
    departures = services.installing.departures if services.installing else None
    jobs = {
        **_reply_jobs(services),
        **write_jobs(services.database, services.slack, services.writer_of),
        **file_jobs(services.file_ingestion),
        **({JobName.REFRESH: refresh_job(services.web_ingestion)} if services.web_ingestion else {}),
        **({JobName.POLL: poll_job(services.news)} if services.news else {}),
        JobName.PRINT: _print_job(services.printing),
        JobName.WATCH: watch_job(services.watching),
        **(_digest_jobs(services, services.digests) if services.digests else {}),
        **({JobName.FORGET_TEAM: forget_job(departures)} if departures else {}),
    }
    return quiet(jobs, departures)


def _reply_jobs(services: Services) -> Mapping[JobName, Job]:
    """What a message is owed: a sign of life, after those of what was written before it in its thread; its answer, in
    the same order; its charts, when there is time for them."""
    database, slack = services.database, services.slack
    turns, telemetry = Turns(database, slack), services.deps.telemetry
    show = partial(publishing.publish, database, slack, telemetry=telemetry)

    async def sign(step: Step, subject: str) -> None:
        place = partial(signs.sign, database, slack, turns, enqueue=step.enqueue, telemetry=telemetry)
        await step.alone("place", place, subject)

    async def reply(step: Step, subject: str) -> None:
        await step("think", lambda s: think(services, AnswerId(s)), subject, patience=THINK_PATIENCE)
        await step("publish", lambda s: show(AnswerId(s), enqueue=step.enqueue), subject)
        await step("offer", lambda s: offer(database, slack, AnswerId(s)), subject)
        await step("catch_up", lambda s: turns.catch_up(AnswerId(s), enqueue=step.enqueue), subject)

    async def chart(step: Step, subject: str) -> None:
        await step.alone(
            "chart", lambda s: charts.post(database, slack, AnswerId(s)), subject, patience=charts.PATIENCE
        )

    async def failed(subject: str, error: BaseException) -> None:
        await publishing.report_failure(database, slack, answer_of(subject), error, telemetry=telemetry)

    return {
        JobName.SIGN: Job(run=sign, failed=failed),
        JobName.REPLY: Job(run=reply, failed=failed),
        JobName.CHART: Job(run=chart, failed=charts.given_up),
    }


def _print_job(printing: posting.Printing) -> Job:
    """One answer as a PDF, in its thread."""

    async def run(step: Step, subject: str) -> None:
        await step("post", lambda s: posting.post(printing, posting.printed(s)), subject, patience=posting.PATIENCE)

    async def failed(subject: str, error: BaseException) -> None:
        await posting.given_up(printing, posting.printed(subject), error)

    return Job(run=run, failed=failed)


def _digest_jobs(services: Services, sources: Sources) -> Mapping[JobName, Job]:
    """One channel's digest of one week; its cards and its chart follow it into its thread. Its alerts of one day."""
    publishing = Publishing(sources, services.slack, services.terms)

    async def run(step: Step, subject: str) -> None:
        await step("prepare", lambda s: prepare(publishing, s), subject, patience=DIGEST_PATIENCE)
        await step("post", lambda s: post(publishing, s), subject)
        await step("offer", lambda s: follow(publishing, s, enqueue=step.enqueue), subject)

    async def failed(subject: str, error: BaseException) -> None:
        await report_digest_failure(publishing, subject, error)

    return {JobName.DIGEST: Job(run=run, failed=failed), JobName.ALERT: alert_job(publishing)}


async def think(services: Services, answer_id: AnswerId) -> None:
    row = await services.database.read(lambda c: answers.get(c, answer_id))
    if row["state"] in {"thought", "published"}:
        return
    slack = services.slack.of(row["team_id"])
    progress = await progress_of(services.database, slack, row)
    wanted = services.readers.restricted or OWN.search(row["question"])
    asker = await email_of(slack, row["asked_by"]) if wanted else ""
    making = conversation.answer_claimed(
        answer_id,
        database=services.database,
        deps=await services.deps_of(row["team_id"]),
        terms=services.terms,
        report=progress,
        show=progress.show,
        asker_email=asker,
        budgets=services.budgets,
        readers=services.readers,
        instead=order_of(row, can_watch="web" in services.deps.tools, moment=utc_now()),
    )
    try:
        result = await unless_stopped(making, services.database, answer_id)
    finally:
        await progress.stop()
    if result is None:
        services.deps.telemetry.event("answered", mode="none", intent="stopped", outcome="stopped")
        log.info("answer_stopped", answer_id=answer_id)
        return
    log.info(
        "answered",
        answer_id=answer_id,
        mode=result.route.mode,
        intent=result.route.intent,
        refused=result.refused,
        citations=len(result.citations),
        dropped=result.sentences_dropped,
        degraded=result.degraded,
        model=result.cost.model if result.cost else "",
        euros=result.cost.euros if result.cost else None,
        seconds=round(result.seconds, 3),
    )
