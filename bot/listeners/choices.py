"""Buttons that ask: an answer to a question back, or what may be asked next. The question is asked by who clicked."""

import re
from dataclasses import replace
from typing import Any

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot import jobs
from bot.engine import Engine
from bot.listeners.visitors import CLOSED, Visitors
from bot.ports import Visitor
from bot.slack.blocks.follow_ups import ASK
from bot.slack.delivery import SlackRefused, SlackUnavailable, ThreadRef, post_privately
from bot.store import answers, inbox
from bot.store.inbox import Inbound
from bot.store.tables import Row

log = structlog.get_logger()
GONE = "Ce choix n'est plus disponible ici : reposez la question en nommant la commune et son département."
TWICE = "Ce choix a déjà été fait : la réponse est dans ce fil."


def register(app: AsyncApp, *, services: jobs.Services, engine: Engine, visitors: Visitors) -> None:
    @app.action(re.compile(rf"^{ASK}"))
    async def chosen(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Committed before the ack, like a message: what is acked is kept. A choice made twice is answered once."""
        container = body.get("container") or {}
        channel = str((body.get("channel") or {}).get("id") or container.get("channel_id") or "")
        team, by = context.team_id or "", await visitors.of_click(body, context)
        user = by.user_id

        def ask(connection: Any) -> str:
            message = _completed(connection, body, channel=channel, team=team, by=by)
            if message is None:
                return GONE
            if not by.belongs_to(team):
                return CLOSED
            return "" if inbox.accept(connection, message, enqueue=engine.enqueue) else TWICE

        said = await services.database.write(ask)
        await ack()
        log.info("choice", by=user, action=body["actions"][0]["action_id"], refused=bool(said))
        if said and channel:
            try:
                place = ThreadRef(channel, container.get("thread_ts"))
                await post_privately(services.slack.of(team), place, user=user, text=said)
            except (SlackUnavailable, SlackRefused) as error:
                log.warning("choice_not_answered", error=repr(error))


def _completed(connection: Any, body: dict[str, Any], *, channel: str, team: str, by: Visitor) -> Inbound | None:
    """The stored choice that was clicked, as a message; None for one that this answer, here, does not offer."""
    container = body.get("container") or {}
    shown_at = str(container.get("message_ts") or (body.get("message") or {}).get("ts") or "")
    row = answers.posted_as(connection, team_id=team, channel=channel, ts=shown_at)
    if row is None or container.get("thread_ts") not in (None, row["thread_ts"]):
        return None
    wanted = str(body["actions"][0].get("value") or "")
    question = _offered(row["record"] or {}).get(wanted)
    return asked_under(connection, row, button=wanted, text=question, by=by) if question else None


def _offered(record: Row) -> dict[str, str]:
    """The question of each of an answer's buttons, by what the button carries."""
    choices = {choice["insee"]: choice["question"] for choice in record.get("choices") or ()}
    return choices | {each["key"]: each["question"] for each in record.get("follow_ups") or ()}


def asked_under(connection: Any, row: Row, *, button: str, text: str, by: Visitor) -> Inbound:
    """A question about the answer of this row, put by a button under it; once a button."""
    shown_at = row["placeholder_ts"]
    return Inbound(
        team_id=row["team_id"],
        event_id=f"choice:{shown_at}:{button}",
        channel=row["channel"],
        channel_type=row["channel_type"],
        ts=f"{button}:{shown_at}",
        thread_ts=row["thread_ts"],
        user_id=by.user_id,
        text=text,
        visitor=replace(by, shared_channel=_is_shared(connection, row)),
    )


def _is_shared(connection: Any, row: Row) -> bool:
    """A click does not say whether another company reads along: the question did, or a later one in that channel."""
    shared = answers.visitor_of(row).shared_channel
    return shared or answers.is_shared(connection, team_id=row["team_id"], channel=row["channel"])
