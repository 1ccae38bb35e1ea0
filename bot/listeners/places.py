"""What Slack says of the channel that a command was typed in, or why a form cannot be opened for it."""

import asyncio
from typing import Any, Final

import structlog

from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, channel_info

log = structlog.get_logger()

LOOK_SECONDS: Final = 5.0
"""How long an open form waits for Slack."""
NOT_HERE: Final = "Je ne suis pas dans ce canal : invitez-moi (`/invite`), puis recommencez."
ARCHIVED: Final = "Ce canal est archivé : je n'y publie ni n'y règle rien."
NO_RIGHT: Final = (
    "Slack ne me laisse pas lire ce qu'est ce canal : il manque un droit à l'application. Qui l'a installée la "
    "réinstalle avec son manifeste, puis recommencez."
)
SLOW: Final = "Slack ne m'a pas dit à temps ce qu'est ce canal : réessayez dans un instant."


async def look(slack: Slack, channel: str) -> dict[str, Any] | str:
    """Slack's conversation object for a channel that we are in; else a French sentence."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            info = await channel_info(slack, channel)
    except SlackRefused as refusal:
        log.info("channel_unknown", channel=channel, code=refusal.code)
        return NO_RIGHT if refusal.code == "missing_scope" else NOT_HERE
    except (SlackUnavailable, TimeoutError) as error:
        log.warning("channel_not_told", channel=channel, error=repr(error))
        return SLOW
    if info.get("is_archived"):
        return ARCHIVED
    return NOT_HERE if info.get("is_member") is False and not info.get("is_mpim") else info


def is_shared(info: dict[str, Any]) -> bool:
    """Whether another company reads it, or is about to."""
    return bool(info.get("is_ext_shared") or info.get("is_pending_ext_shared"))
