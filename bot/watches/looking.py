"""One look for one watch: what official sites say that they did not say at any look before, and its way to the channel.

The first look of a watch posts nothing: what stands there is known. Afterwards a page counts as new by its sentences,
not by its address, and only those are told, each through the gate of the answers.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
import structlog

from bot.digests.content import gated
from bot.digests.publishing import why_closed
from bot.digests.values import Entry
from bot.engine import Job, Step
from bot.news.alike import address_key
from bot.ports import JobName
from bot.slack.blocks.text import escape
from bot.slack.delivery import SlackRefused, SlackUnavailable, ThreadRef, Workspaces, channel_info, post_once
from bot.store import alerts, watches
from bot.store.database import Database
from bot.store.inbox import Enqueue, utc_now
from bot.store.tables import Row
from bot.watches.posting import content_of, post_alert
from corpus.french import words_of
from pipeline.planning.web_calls import web_call
from pipeline.ports import Tool
from pipeline.text.cleaning import inert
from pipeline.text.orders import is_order
from pipeline.text.sentences import passage_sentences
from pipeline.toolbox import run_tools
from pipeline.types import ToolResult

log = structlog.get_logger()

EVERY: Final = timedelta(days=1)
MOST_FOUND: Final = 3
MOST_SENTENCES: Final = 3
CLOCK: Final = "clock"
MANAGED: Final = "`/quartier veille` liste les veilles de ce canal et les arrête."
NOT_NOW: Final = "la recherche n'a rien pu lire cette fois"


@dataclass(frozen=True, slots=True)
class Watching:
    """What the steps work with. `tools`: by name; without `web` nothing can be watched."""

    database: Database
    slack: Workspaces
    tools: Mapping[str, Tool]
    clock: Callable[[], datetime]


async def wake_due(watching: Watching, enqueue: Enqueue) -> int:
    """How many watches were claimed here, each with its job in one transaction, whoever else looks."""
    now = watching.clock()
    rows = await watching.database.read(lambda c: watches.due(c, now=_iso(now)))

    def claim(connection: sa.Connection, row: Row) -> bool:
        if not watches.claim(connection, row, next_at=_iso(now + EVERY)):
            return False
        subject = f"{row['team_id']}:{row['watch_id']}:{row['next_at']}"
        enqueue(connection, JobName.WATCH, subject, f"watch:{row['channel']}")
        return True

    return sum([await watching.database.write(lambda c, r=row: claim(c, r)) for row in rows])  # type: ignore[misc]


def watch_job(watching: Watching) -> Job:
    """Look, then post what is new."""

    async def run(step: Step, subject: str) -> None:
        await step("look", lambda s: look(watching, s), subject)
        await step("post", lambda s: post(watching, s), subject)

    async def failed(subject: str, error: BaseException) -> None:
        """A channel that is closed to us has no watch any more; after every other failure tomorrow's look follows."""
        log.error("watch_failed", subject=subject, error=repr(error))
        row = await _watch(watching, subject)
        if row is not None and isinstance(error, SlackRefused):
            await _end(watching, row, reason=str(error))

    return Job(run=run, failed=failed)


async def look(watching: Watching, subject: str) -> None:
    """Repeats freely: what is found twice is one row."""
    row = await _watch(watching, subject)
    if row is None or row["state"] != "active":
        return
    call = web_call(row["question"])
    results = await run_tools((call,), tools=watching.tools)
    result = results[0] if results else ToolResult(call=call, error=NOT_NOW)
    if result.error is not None:
        reason = result.error
        await watching.database.write(lambda c: watches.failed(c, row, reason=reason))
        return
    before = await watching.database.read(lambda c: alerts.of_watch(c, row["watch_id"], team_id=row["team_id"]))
    known = frozenset(name for each in before for name in each["content"].get("sentences", ()))
    pages = [replace(page, text=inert(page.text), also=()) for page in (result, *result.also)]
    found = [content for page in pages if (content := news_of(page, row["question"], known)) is not None]
    state, now = ("found" if row["checked_at"] else "known"), utc_now()
    place = {"team_id": row["team_id"], "channel": row["channel"], "state": state, "found_at": now}

    def keep(connection: sa.Connection) -> None:
        for content in found if state == "known" else found[:MOST_FOUND]:
            named = hashlib.sha256(repr(content["sentences"]).encode()).hexdigest()[:40]
            alerts.add(connection, f"{row['watch_id']}:{named}", content=content, **place)
        watches.looked(connection, row, at=now)

    await watching.database.write(keep)
    log.info("watch_looked", watch=row["watch_id"], found=len(found), state=state)


def news_of(page: ToolResult, question: str, known: frozenset[str]) -> dict[str, Any] | None:
    """What the page says anew, as the JSON that is kept and posted; None for nothing. `known`, `sentences`: hashes."""
    said = {_name(page.url, sentence): sentence for sentence in passage_sentences(page.text)}
    fresh = {name: sentence for name, sentence in said.items() if name not in known}
    news = [sentence for sentence in fresh.values() if not is_order(sentence)]  # one would take the others down with it
    line = " ".join(f"{sentence.rstrip(' .')} [1]." for sentence in news[:MOST_SENTENCES])
    grounded = gated(Entry(kind="news", text=line, evidence=(page,))) if news else None
    if grounded is None or not grounded.sentences_kept:
        return None
    return {**content_of(f"Veille : {question}", grounded, remark=MANAGED), "sentences": list(fresh)}


def _name(url: str, sentence: str) -> str:
    """A sentence of a page, whatever its signs and accents."""
    return hashlib.sha256(f"{address_key(url)}\n{' '.join(words_of(sentence))}".encode()).hexdigest()[:16]


async def post(watching: Watching, subject: str) -> None:
    """found -> posting -> posted, each once: the intent is committed before the call, so that a death leads to a
    search. Raises `SlackRefused` for a channel that is closed to us."""
    row = await _watch(watching, subject)
    if row is None:
        return
    found = await watching.database.read(lambda c: alerts.of_watch(c, row["watch_id"], team_id=row["team_id"]))
    waiting = [each for each in found if each["state"] in ("found", "posting")]
    if not waiting:
        return
    if closed := why_closed(
        await channel_info(watching.slack.of(row["team_id"]), row["channel"]), shared_allowed=False
    ):
        await _end(watching, row, reason=closed)
        return
    for each in waiting:
        await post_alert(watching.database, watching.slack, each)


async def _end(watching: Watching, row: Row, *, reason: str) -> None:
    """Stopped by us: who asked for it is told in private, once."""
    if not await watching.database.write(lambda c: watches.stop(c, row, by=CLOCK, reason=reason)):
        return
    text = f"La veille « {escape(row['question'])} » de <#{row['channel']}> est arrêtée : {reason.rstrip('.')}."
    place, key = ThreadRef(row["created_by"], None), f"{row['watch_id']}:ended"
    try:
        await post_once(watching.slack.of(row["team_id"]), place, key=key, text=text, blocks=None, maybe_posted=False)
    except (SlackRefused, SlackUnavailable) as error:
        log.warning("watch_end_not_told", watch=row["watch_id"], error=repr(error))


async def _watch(watching: Watching, subject: str) -> Row | None:
    team_id, watch_id, _moment = subject.split(":", 2)
    return await watching.database.read(lambda c: watches.find(c, watch_id, team_id=team_id))


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
