"""One line between two digests, where a channel wants it: a rule that changes today, a deadline of a deal's scheme."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

import structlog

from bot.digests.content import Found, build, record_of
from bot.digests.deals import OpenDeal, plain_name
from bot.digests.due import PARIS, Week
from bot.digests.gathering import Sources
from bot.digests.publishing import SKEW_SECONDS, Publishing, is_shared_channel
from bot.digests.rules import entry_of, rule_changes
from bot.digests.subscriptions import Wanted, wanted_of
from bot.digests.values import Entry
from bot.ports import JobName
from bot.slack.blocks.answers import answer_blocks, answer_text
from bot.slack.delivery import ThreadRef, post_once
from bot.store import alerts, subscriptions
from bot.store.alerts import Key
from bot.store.database import Database
from bot.store.inbox import Enqueue, utc_now
from bot.store.tables import Row
from pipeline.schemes import having
from pipeline.types import ToolCall, ToolResult

log = structlog.get_logger()

WAKING_HOURS: Final = range(8, 20)
"""Hours in Paris at which a line may come; what is found at night is found again in the morning."""
LOOK_BACK: Final = timedelta(days=3)
"""A rule that took effect while nobody looked (a weekend, a stop) is still worth its line."""
MOST_DEALS: Final = 3


async def wake_alerts(sources: Sources, enqueue: Enqueue) -> int:
    """How many lines were found here, each with its job in one transaction."""
    now = sources.clock()
    if now.astimezone(PARIS).hour not in WAKING_HOURS:
        return 0
    rows = [row for row in await sources.database.read(subscriptions.active) if row["alerts"]]
    deals = await sources.deals.all() if rows else ()
    count = 0
    for row in rows:
        for alert_id, content in _found(row, now, deals or (), sources):
            count += await _claim(sources.database, (row["team_id"], row["channel"], alert_id), content, now, enqueue)
    return count


def _found(
    row: Row, now: datetime, deals: Sequence[OpenDeal], sources: Sources
) -> Iterator[tuple[str, dict[str, Any]]]:
    wanted, today = wanted_of(row), now.astimezone(PARIS).date()
    since = datetime.fromisoformat(row["active_since"]).astimezone(PARIS).date()
    for name, entries in _entries(wanted, today, since, deals):
        found = Found(row["channel"], Week.of(today), now, now, wanted, entries)
        made = build(found, sources.deps.places)
        if made.items:
            text = " ".join(item.text for item in made.items)
            content = {**made.frozen(), "text": text, "charts": [], "trusted": len(entries) > 1}
            yield hashlib.sha256(name.encode()).hexdigest()[:32], content


def _entries(
    wanted: Wanted, today: date, since: date, deals: Sequence[OpenDeal]
) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """What took effect in the last days, then the deadlines within the channel's notice that some deal is about."""
    start = max(since, today - LOOK_BACK)
    for change in rule_changes(start, today, followed=wanted.followed):
        yield f"there:{change.id}", (entry_of(change, slot=today, key="rule"),)
    if wanted.shared_allowed:
        return  # a deal is nothing for who else reads there
    ahead = rule_changes(today + timedelta(days=1), today + timedelta(days=wanted.alert_days), followed=wanted.followed)
    for change in ahead:
        touched = [each for each in deals if (each.schemes - having("facet")) & change.schemes]
        if touched:
            yield f"ahead:{change.id}", (entry_of(change, slot=today, key="rule"), _about(touched))


def _about(touched: Sequence[OpenDeal]) -> Entry:
    """The open deals that a deadline is about."""
    names = ", ".join(f"« {plain_name(each.deal.name)} »" for each in touched[:MOST_DEALS])
    left = f" et {len(touched) - MOST_DEALS} autres" if len(touched) > MOST_DEALS else ""
    said = f"Dossiers ouverts concernés : {names}{left}"
    crm = ToolResult(call=ToolCall("crm", {}), title="HubSpot", text=f"{said}.", url=touched[0].deal.url, private=True)
    return Entry(kind="deal", text=f"{said} [1].", evidence=(crm,), key="deal")


async def _claim(database: Database, key: Key, content: Mapping[str, Any], now: datetime, enqueue: Enqueue) -> int:
    if await database.read(lambda c: alerts.find(c, key)) is not None:
        return 0

    def claim(connection: Any) -> bool:
        at = now.isoformat(timespec="milliseconds")
        first = alerts.claim(connection, key, content=dict(content), at=at)
        if first:
            enqueue(connection, JobName.ALERT, ":".join(key), f"digest:{key[0]}:{key[1]}")
        return first

    return int(await database.write(claim))


async def post_alert(publishing: Publishing, subject: str) -> None:
    """found -> posting -> posted, as a digest is; nothing where the channel is closed to us, or shared by now."""
    team_id, channel, alert_id = subject.split(":")
    key: Key = (team_id, channel, alert_id)
    row = await publishing.database.read(lambda c: alerts.find(c, key))
    if row is None or row["state"] not in {"found", "posting"}:
        return
    subscription = await publishing.database.read(lambda c: subscriptions.find(c, team_id=team_id, channel=channel))
    wanted = subscription is not None and subscription["state"] == "active" and subscription["alerts"]
    if not wanted or (await is_shared_channel(publishing.slack, subscription or {}) and row["content"]["trusted"]):
        await publishing.database.write(lambda c: alerts.move(c, key, old=("found", "posting"), new="cancelled"))
        return
    began = row["posting_at"] or utc_now()
    await publishing.database.write(lambda c: alerts.move(c, key, old=("found",), new="posting", posting_at=began))
    shown = {"text": f"**Alerte.** {row['content']['text']}", "record": record_of(row["content"])}
    after = f"{datetime.fromisoformat(began).timestamp() - SKEW_SECONDS:.6f}"
    ts = await post_once(
        publishing.slack,
        ThreadRef(channel, None, after=after),
        key=hashlib.sha256(subject.encode()).hexdigest(),
        text=answer_text(shown),
        blocks=answer_blocks(shown),
        maybe_posted=row["state"] == "posting",
    )
    await publishing.database.write(lambda c: alerts.move(c, key, old=("posting",), new="posted", ts=ts))
    log.info("alert_posted", subject=subject)


async def report_alert_failure(publishing: Publishing, subject: str, error: BaseException) -> None:
    """The week's digest tells it anyway, or says why it cannot come."""
    team_id, channel, alert_id = subject.split(":")
    log.error("alert_failed", subject=subject, error=repr(error))
    key = (team_id, channel, alert_id)
    await publishing.database.write(lambda c: alerts.move(c, key, old=("found", "posting"), new="failed"))
