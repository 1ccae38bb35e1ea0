"""`/quartier veille`: what a channel watches, asked for, listed and stopped by its members."""

import asyncio
from typing import Any, Final

from bot import jobs
from bot.digests.publishing import why_closed
from bot.documents.uploads import Clicker
from bot.slack.blocks.text import escape
from bot.slack.delivery import SlackRefused, SlackUnavailable, channel_info
from bot.store.inbox import utc_now
from bot.watches import asking
from bot.watches.asking import Watcher

LOOK_SECONDS: Final = 1.5
"""Slack wants its answer within three seconds of the command, whatever it says of the channel."""
CLOSED: Final = "Je ne peux rien surveiller ici : {reason}."


async def said_of_watches(services: jobs.Services, command: dict[str, Any], words: str, by: Clicker) -> str:
    """What to whisper. Where Slack does not say in time what kind of channel it is, that is looked at before a post."""
    channel = str(command["channel_id"])
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            info = await channel_info(services.slack.of(by.team), channel)
    except (SlackRefused, SlackUnavailable, TimeoutError):
        info = {}
    if closed := why_closed(info, shared_allowed=False):
        return CLOSED.format(reason=closed)
    where, now = Watcher(by.team, channel, by.user_id), utc_now()
    can_watch = "web" in services.deps.tools
    said = await services.database.write(lambda c: asking.command(c, words, by=where, moment=now, can_watch=can_watch))
    return escape(said)
