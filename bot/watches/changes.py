"""Alerts between two digests, where a channel wants them: a rule of its schemes changes today, or a date of an open
deal's scheme comes near. One line each, once."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

import sqlalchemy as sa
import structlog

from bot.digests.content import french_date, gated
from bot.digests.due import PARIS
from bot.digests.gathering import Sources, shows_deals
from bot.digests.publishing import Publishing, open_to_us
from bot.digests.rules import RuleChange, entry_of, rule_changes
from bot.digests.subscriptions import wanted_of
from bot.digests.values import Entry
from bot.engine import Job, Step
from bot.ports import JobName
from bot.store import alerts, digests, subscriptions
from bot.store.inbox import Enqueue, utc_now
from bot.store.tables import Row
from bot.watches.posting import content_of, post_alert
from pipeline.schemes import having

log = structlog.get_logger()

FIRST_HOUR: Final = 8
"""Of the day in Paris: nobody is woken by a line."""
MOST_A_DAY: Final = 3
KIND: Final = "rule"
"""Before the id of each of these alerts, as a watch's id stands before its own."""
SET_BY: Final = "`/quartier digest` règle ces alertes ou les coupe."


async def wake_due(sources: Sources, enqueue: Enqueue) -> int:
    """A job a day for each channel that wants alerts; the job's name holds the day, so that asking twice is once."""
    now = sources.clock().astimezone(PARIS)
    if now.hour < FIRST_HOUR:
        return 0
    rows = [row for row in await sources.database.read(subscriptions.active) if row["alerts"]]

    def ask(connection: sa.Connection) -> None:
        for row in rows:
            subject = f"{row['team_id']}:{row['channel']}:{now:%Y-%m-%d}"
            enqueue(connection, JobName.ALERT, subject, f"digest:{row['team_id']}:{row['channel']}")

    if rows:
        await sources.database.write(ask)
    return len(rows)


def alert_job(publishing: Publishing) -> Job:
    """Look, then post what is new."""

    async def run(step: Step, subject: str) -> None:
        await step("look", lambda s: look(publishing, s), subject)
        await step("post", lambda s: post(publishing, s), subject)

    async def failed(subject: str, error: BaseException) -> None:
        """The digest of the week says it all the same, or why it cannot."""
        log.error("alert_failed", subject=subject, error=repr(error))

    return Job(run=run, failed=failed)


async def look(publishing: Publishing, subject: str) -> None:
    """Repeats freely. Raises `Undeliverable` for a channel that is closed to us."""
    team_id, channel, day = subject.split(":")
    place = {"team_id": team_id, "channel": channel}
    row = await publishing.database.read(lambda c: subscriptions.find(c, **place))
    if row is None or row["state"] != "active" or not row["alerts"]:
        return
    today, wanted = date.fromisoformat(day), wanted_of(row)
    shared = await open_to_us(publishing.slack.of(team_id), row)
    deals = None
    if await shows_deals(publishing.sources, **place, shared=shared):
        deals = await publishing.sources.deals.of(team_id).all()
    of_deals = frozenset().union(*(each.schemes for each in deals or ())) - having("facet")
    until = today + timedelta(days=wanted.alert_days)
    changes = rule_changes(today, until, followed=wanted.followed | of_deals)
    told = await publishing.database.read(lambda c: _told(c, team_id, channel))
    entries = alert_entries(changes, today=today, followed=wanted.followed, of_deals=of_deals, told=told)
    title = f"Entre deux points · {french_date(publishing.sources.clock())}"
    checked = [(entry.key, done) for entry in entries if (done := gated(entry)) is not None and done.sentences_kept]
    found = [(key, content_of(title, done, remark=SET_BY)) for key, done in checked]

    def keep(connection: sa.Connection) -> None:
        of_today = [row for row in _held(connection, team_id, channel) if row["content"].get("day") == day]
        for key, content in found[: max(0, MOST_A_DAY - len(of_today))]:
            alerts.add(connection, key, **place, state="found", content={**content, "day": day}, found_at=utc_now())

    await publishing.database.write(keep)


def alert_entries(
    changes: Iterable[RuleChange],
    *,
    today: date,
    followed: frozenset[str],
    of_deals: frozenset[str],
    told: frozenset[str],
) -> Sequence[Entry]:
    """What changes today of a followed scheme, and what comes of a deal's; `told`: keys of what was said before."""
    entries = []
    for change in changes:
        ahead = change.day > today
        key = f"{KIND}:{change.id}:{'ahead' if ahead else 'there'}"
        wanted = of_deals if ahead else followed | of_deals
        if key not in told and wanted & change.schemes:
            entries.append(entry_of(change, slot=today, key=key))
    return entries


async def post(publishing: Publishing, subject: str) -> None:
    """What waits, each once."""
    team_id, channel, _day = subject.split(":")
    for row in await publishing.database.read(lambda c: _held(c, team_id, channel)):
        if row["state"] in ("found", "posting"):
            await post_alert(publishing.database, publishing.slack, row)


def _told(connection: sa.Connection, team_id: str, channel: str) -> frozenset[str]:
    """By digests that people saw, and by earlier alerts."""
    seen: list[Row] = digests.posted(connection, team_id=team_id, channel=channel, before="9999")
    said = {item["key"] for row in seen for item in (row["content"] or {}).get("items", ())}
    return frozenset(said | {row["alert_id"] for row in _held(connection, team_id, channel)})


def _held(connection: sa.Connection, team_id: str, channel: str) -> list[Row]:
    """The channel's alerts of this kind, oldest first."""
    return [row for row in alerts.of_watch(connection, KIND, team_id=team_id) if row["channel"] == channel]
