"""What clicks on all cards share: one transaction, then the ack, then the card and, where it changed nothing, why."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import structlog
from slack_bolt.async_app import AsyncAck

from bot import jobs
from bot.slack.delivery import Blocks, SlackRefused, SlackUnavailable, ThreadRef, post_privately

log = structlog.get_logger()


class Decided(Protocol):
    """What became of a click."""

    @property
    def verdict(self) -> str: ...


D = TypeVar("D", bound=Decided)


async def settle(
    services: jobs.Services,
    ack: AsyncAck,
    body: dict[str, Any],
    decide: Callable[[Any], D],
    *,
    show: Callable[[D], Awaitable[None]],
    sentence: Callable[[D], str],
) -> None:
    """`decide` runs in one transaction, committed before the ack; `sentence`, if any, is told to who clicked alone."""
    decision = await services.database.write(decide)
    await ack()
    log.info("click", verdict=decision.verdict, by=body["user"]["id"], action=body["actions"][0]["action_id"])
    try:
        await show(decision)
    except (SlackUnavailable, SlackRefused) as error:
        log.warning("click_not_shown", error=repr(error))  # the decision stands; the job shows the card again
    if said := sentence(decision):
        await tell(services, body, said)


def team_of(body: dict[str, Any]) -> str:
    """The team in which somebody clicked: a person of another company in a shared channel clicks in ours."""
    return str((body.get("team") or {}).get("id") or (body.get("user") or {}).get("team_id") or "")


async def tell(services: jobs.Services, body: dict[str, Any], said: str, *, blocks: Blocks | None = None) -> None:
    """What who clicked alone sees, where it was clicked; nothing for a click outside any channel."""
    container = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    if not channel:
        return
    place = ThreadRef(channel, container.get("thread_ts") or (body.get("message") or {}).get("thread_ts"))
    try:
        await post_privately(services.slack.of(team_of(body)), place, user=body["user"]["id"], text=said, blocks=blocks)
    except (SlackUnavailable, SlackRefused) as error:
        log.warning("click_not_answered", error=repr(error))
