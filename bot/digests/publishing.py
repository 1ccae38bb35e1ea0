"""A digest's way into its channel: built and frozen, posted once, then remembered as an answer of its thread."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog

from bot.conversations import charts
from bot.digests import following
from bot.digests.content import build, french_date, record_of
from bot.digests.due import PARIS, Week, is_too_late
from bot.digests.gathering import Order, Snapshot, Sources, gather, shows_deals, with_remark
from bot.digests.subscriptions import wanted_of
from bot.errors import BotError
from bot.proposals.lifecycle import Terms
from bot.proposals.showing import offer
from bot.slack.blocks.digests import digest_blocks, digest_text
from bot.slack.delivery import Slack, SlackRefused, ThreadRef, Workspaces, channel_info, post_once, user_info
from bot.store import digests, snapshots, subscriptions
from bot.store.database import Database
from bot.store.digests import Key
from bot.store.inbox import Enqueue, utc_now
from bot.store.tables import Row

log = structlog.get_logger()

CLOCK: Final = "clock"
SKEW_SECONDS: Final = 600
"""Slack's clock and ours may differ: an earlier post is looked for from so long before we began to post."""
GONE_AWAY: Final = (
    "La personne qui a réglé ce point n'est plus membre de l'espace : un autre membre peut le reprendre avec "
    "/quartier digest."
)


class Undeliverable(BotError):
    """Ce canal ne peut pas recevoir de point."""


@dataclass(frozen=True, slots=True)
class Publishing:
    """What the job's steps work with."""

    sources: Sources
    slack: Workspaces
    terms: Terms

    @property
    def database(self) -> Database:
        return self.sources.database


def subject_of(key: Key) -> str:
    """`T1:C1:2026-W48`: what the job is about."""
    team_id, channel, year, week = key
    return f"{team_id}:{channel}:{Week(year, week).label}"


def key_of(subject: str) -> Key:
    team_id, channel, label = subject.split(":")
    week = Week.read(label)
    return team_id, channel, week.year, week.number


async def prepare(publishing: Publishing, subject: str) -> None:
    """due -> built: look at everything, and freeze what will be posted together with this week's snapshots.

    Raises `Undeliverable` for a channel that is closed to us.
    """
    key = key_of(subject)
    row, subscription = await publishing.database.read(lambda c: _rows(c, key))
    if row["state"] != "due":
        return
    if subscription is None or subscription["state"] != "active":
        await publishing.database.write(lambda c: digests.move(c, key, old=("due",), new="cancelled"))
        return
    shared = await open_to_us(publishing.slack.of(key[0]), subscription)
    slot = datetime.fromisoformat(row["slot"])
    kept: Mapping[str, Snapshot] = {}
    if is_too_late(slot, publishing.sources.clock()):
        content = _too_late(key, slot)
    else:
        content, kept = await _content(publishing, key, slot, subscription, shared=shared)
    now = publishing.sources.clock().isoformat(timespec="milliseconds")

    def freeze(connection: Any) -> bool:
        team_id, _channel, year, week = key
        values = {"content": content, "content_hash": hash_of(content), "built_at": now}
        if not digests.move(connection, key, old=("due",), new="built", **values):
            return False
        for insee, findings in kept.items():
            snapshots.keep(connection, team_id=team_id, insee=insee, week=(year, week), findings=findings, at=now)
        return True

    await publishing.database.write(freeze)


async def post(publishing: Publishing, subject: str) -> None:
    """built -> posting -> posted: the intent is committed before the call, so that a crash leads to a search."""
    key = key_of(subject)
    row = await publishing.database.read(lambda c: digests.get(c, key))
    if row["state"] not in {"built", "posting"}:
        return
    content = row["content"]
    if hash_of(content) != row["content_hash"]:
        raise Undeliverable("Le contenu enregistré a changé depuis qu'il a été figé : rien n'est publié.")
    began = row["posting_at"] or utc_now()
    await publishing.database.write(lambda c: digests.move(c, key, old=("built",), new="posting", posting_at=began))
    after = f"{datetime.fromisoformat(began).timestamp() - SKEW_SECONDS:.6f}"
    record = record_of(content)
    ts = await post_once(
        publishing.slack.of(key[0]),
        ThreadRef(key[1], None, after=after),
        key=hashlib.sha256(subject.encode()).hexdigest(),
        text=digest_text(content, record),
        blocks=digest_blocks(content, record),
        maybe_posted=row["state"] == "posting",
    )
    deals = await publishing.sources.deals.of(key[0]).all() if following.names_deals(content) else ()
    await publishing.database.write(
        lambda c: following.remember(
            c, key, content, ts=ts, deals=deals or (), terms=publishing.terms, now=publishing.sources.deps.now()
        )
    )
    log.info("digest_posted", subject=subject, quiet=content["quiet"], items=len(content["items"]))


async def follow(publishing: Publishing, subject: str, *, enqueue: Enqueue) -> None:
    """The cards of its deals, into its thread, each found again before it is posted twice; its chart has a job."""
    key = key_of(subject)
    row = await publishing.database.read(lambda c: digests.get(c, key))
    if row["state"] == "posted":
        answer_id = following.answer_id_of(key, row["ts"])
        await publishing.database.write(lambda c: charts.ask(c, answer_id, enqueue=enqueue))
        await offer(publishing.database, publishing.slack, answer_id)


async def report_failure(publishing: Publishing, subject: str, error: BaseException) -> None:
    """The week is over for this channel: who set it up is told in private. A channel that is closed to us is paused,
    so that nobody is told every week."""
    key = key_of(subject)
    team_id, channel, _year, _week = key
    closed = isinstance(error, Undeliverable | SlackRefused)
    reason = str(error) if isinstance(error, BotError) else "une erreur technique est survenue"
    log.error("digest_failed", subject=subject, error=repr(error), exc_info=None if closed else error)
    moment = publishing.sources.clock().isoformat(timespec="milliseconds")

    def over(connection: Any) -> Row | None:
        row = subscriptions.find(connection, team_id=team_id, channel=channel)  # before the pause: who chose it
        digests.move(connection, key, old=("due", "built", "posting"), new="failed", reason=reason)
        if closed:
            subscriptions.move(
                connection, team_id=team_id, channel=channel, to="paused", by=CLOCK, moment=moment, reason=reason
            )
        return row

    row = await publishing.database.write(over)
    if row is None:
        return
    after = " Il est mis en pause : `/quartier digest` le relance depuis le canal." if closed else ""
    text = f"Le point hebdomadaire de <#{channel}> n'a pas pu paraître : {reason.rstrip('.')}.{after}"
    try:
        place = ThreadRef(row["changed_by"], None)
        slack = publishing.slack.of(team_id)
        await post_once(slack, place, key=f"{subject}:failed", text=text, blocks=None, maybe_posted=False)
    except SlackRefused as refusal:
        log.warning("digest_failure_not_told", subject=subject, code=refusal.code)


async def _content(
    publishing: Publishing, key: Key, slot: datetime, subscription: Row, *, shared: bool
) -> tuple[dict[str, Any], Mapping[str, Snapshot]]:
    team_id, channel, year, week = key
    with_deals = await shows_deals(publishing.sources, team_id=team_id, channel=channel, shared=shared)
    order = Order(team_id, channel, Week(year, week), slot, wanted_of(subscription), with_deals=with_deals)
    found, kept = await gather(publishing.sources, order)
    if await _has_left(publishing.slack.of(team_id), subscription["changed_by"]):
        found = with_remark(found, GONE_AWAY)
    made = build(found, publishing.sources.deps.places)
    return {**made.frozen(), "trusted": not shared, "deals": with_deals, "late": False}, kept


def _too_late(key: Key, slot: datetime) -> dict[str, Any]:
    _team, channel, year, week = key
    hour = slot.astimezone(PARIS)
    text = (
        f"Le point de la semaine {week} devait paraître le {french_date(slot)} à {hour:%H h %M} et n'a pas pu l'être "
        "dans les 24 heures : il est sauté. Le prochain dira tout ce qui a changé depuis le dernier paru."
    )
    label = Week(year, week).label
    empty = {"items": [], "charts": [], "missing": [], "remarks": [], "checked": 0, "dropped": 0, "quiet": True}
    title = f"Point de la semaine {week} : sauté"
    return {**empty, "channel": channel, "week": label, "title": title, "text": text, "trusted": False, "late": True}


async def open_to_us(slack: Slack, subscription: Row) -> bool:
    """Whether another company reads the channel. Raises `Undeliverable` where we may not post, or nobody chose to."""
    if not subscription["channel"].startswith(("C", "G", "D")):
        raise Undeliverable("ce n'est pas un canal Slack")
    try:
        info = await channel_info(slack, subscription["channel"])
    except SlackRefused as refusal:
        raise Undeliverable(f"Slack ne me montre plus ce canal ({refusal.code})") from refusal
    if closed := why_closed(info, shared_allowed=subscription["shared_allowed"]):
        raise Undeliverable(closed)
    return _is_shared(info)


def why_closed(info: Mapping[str, Any], *, shared_allowed: bool) -> str:
    """Why we may not post by ourselves in a channel that Slack describes so; "" where we may."""
    if info.get("is_archived"):
        return "ce canal est archivé"
    if info.get("is_member") is False:
        return "je ne suis plus dans ce canal"
    if _is_shared(info) and not shared_allowed:
        return "ce canal est maintenant partagé avec une autre entreprise, et personne ne l'a accepté"
    return ""


def _is_shared(info: Mapping[str, Any]) -> bool:
    return bool(info.get("is_ext_shared") or info.get("is_pending_ext_shared"))


async def _has_left(slack: Slack, user_id: str) -> bool:
    """Somebody whom Slack has deactivated, or does not know any more."""
    if not user_id.startswith(("U", "W")):
        return False
    try:
        return bool((await user_info(slack, user_id)).get("deleted"))
    except SlackRefused as refusal:
        return refusal.code == "user_not_found"


def _rows(connection: Any, key: Key) -> tuple[Row, Row | None]:
    team_id, channel, _year, _week = key
    return digests.get(connection, key), subscriptions.find(connection, team_id=team_id, channel=channel)


def hash_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
