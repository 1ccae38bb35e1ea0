"""What a program proposes, as cards in its key's Slack channel: a member's click decides, nothing else writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from bot.api.parts import Api
from bot.digests.publishing import why_closed
from bot.errors import BotError
from bot.proposals.programs import remember
from bot.proposals.showing import offer
from bot.rights import deals_told
from bot.slack.blocks.text import escape
from bot.slack.delivery import Slack, SlackRefused, ThreadRef, channel_info, post_once
from bot.store import keys
from bot.store.keys import Key
from pipeline.action_types import ProposedAction

log = structlog.get_logger()

NO_CHANNEL: Final = (
    "Cette clé n'a pas de canal Slack où montrer ses propositions (`keys add … --team … --deals --channel C…`) : rien "
    "n'est proposé."
)
NO_SLACK: Final = "Slack n'est pas connecté ici : aucune proposition ne peut être montrée."
CHANNEL_CLOSED: Final = (
    "Le canal de cette clé n'est pas ouvert aux dossiers (`/quartier canal`) : rien n'y est proposé."
)
OPENING: Final = "Le programme « {name} » propose d'écrire dans HubSpot. Rien n'est écrit sans le clic d'un membre."


@dataclass(frozen=True, slots=True)
class Shown:
    """How many cards stand in Slack, or the French sentence that says why none does."""

    count: int = 0
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        return {"shown": self.count, "reason": self.reason}


async def shown(api: Api, key: Key, actions: Sequence[ProposedAction], *, words: str) -> Shown:
    """Never raises for what Slack or the CRM refuses. `words`: what led to it, told on the card."""
    if not actions:
        return Shown()
    if not key.deals or not key.channel:
        return Shown(reason=NO_CHANNEL)
    if api.slack is None:
        return Shown(reason=NO_SLACK)
    try:
        return await _posted(api, api.slack.of(key.team_id), key, actions, words=words)
    except BotError as error:
        log.warning("api_cards_failed", key_id=key.key_id, error=repr(error))
        return Shown(reason=f"{error} La proposition n'a pas pu être montrée.")


async def _posted(api: Api, slack: Slack, key: Key, actions: Sequence[ProposedAction], *, words: str) -> Shown:
    """The place is looked at anew: what stood open when the key was made may be closed or shared now."""
    try:
        closed = why_closed(await channel_info(slack, key.channel), shared_allowed=False)
    except SlackRefused as refusal:
        closed = f"Slack ne me montre pas le canal de cette clé ({refusal.code})"
    if closed:
        return Shown(reason=f"Rien n'est proposé : {closed}.")
    place = {"team_id": key.team_id, "channel": key.channel}
    if not await api.database.read(lambda c: deals_told(c, **place, readers=api.readers)):
        return Shown(reason=CHANNEL_CLOSED)
    text = OPENING.format(name=escape(key.name))
    ts = await post_once(slack, ThreadRef(key.channel, None), key="", text=text, blocks=None, maybe_posted=False)
    now = api.deps.now()
    answer_id = await api.database.write(
        lambda c: remember(c, key, tuple(actions), ts=ts, text=text, words=words, terms=api.terms, now=now)
    )
    await api.database.write(lambda c: keys.used(c, key, what="propose", subject=answer_id))
    await offer(api.database, slack, answer_id)
    return Shown(count=len(actions))
