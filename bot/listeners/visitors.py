"""Who speaks or clicks, found out at the edge: the payload's own fields, then `users.info`, kept for some minutes."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from slack_bolt.context.async_context import AsyncBoltContext

from bot.conversations.visitor import Visitor, foreign_team, installed_team, is_shared, kind_of
from bot.slack.delivery import SlackRefused, SlackUnavailable, Workspaces, user_info

log = structlog.get_logger()

KEPT_SECONDS = 300.0
"""How long a person stays what Slack said: somebody who becomes a guest is one for us within five minutes."""
LOOK_SECONDS = 1.2
"""Slack wants its ack within three seconds, whatever `users.info` does; who is not known by then is not a member."""
MOST_KEPT = 5_000

CLOSED = (
    "Seuls les membres de cet espace Slack décident et lisent ici, ni les invités ni les personnes d'une autre "
    "entreprise, et Slack ne me confirme pas que vous en êtes membre : je n'ai rien fait. Si vous êtes de l'équipe, "
    "réessayez dans un instant."
)
"""The one private sentence for every click, command and page of who is not a member."""

Profile = Mapping[str, Any]
_Who = tuple[str, str]
"""A team and a person, whom each team that knows them may know as something else."""


class Visitors:
    """One for the process: its listeners share what `users.info` said. A failure is never kept."""

    def __init__(self, slack: Workspaces, *, now: Callable[[], float] = time.monotonic) -> None:
        self._slack, self._now = slack, now
        self._known: dict[_Who, tuple[float, Profile]] = {}
        self._asking: dict[_Who, asyncio.Task[Profile | None]] = {}

    async def of_event(self, body: Mapping[str, Any], *, user_id: str) -> Visitor:
        """Who wrote the message of this event, and whether another company reads it."""
        team_id = installed_team(body)
        foreign = foreign_team(body, team_id=team_id)
        kind = "outsider" if foreign else kind_of(await self._profile((team_id, user_id)), team_id=team_id)
        return Visitor(kind, user_id, foreign or team_id, shared_channel=is_shared(body, team_id=team_id))

    async def of_click(self, body: Mapping[str, Any], context: AsyncBoltContext) -> Visitor:
        """Who clicked, submitted or typed a command. `user.team_id` is the person's team, `team.id` the app's; a
        command has one `team_id` only. Both have to be the team that our token belongs to."""
        user = body.get("user") or {}
        user_id = str(user.get("id") or body.get("user_id") or "")
        home = str(user.get("team_id") or body.get("team_id") or "")
        ours = own_teams(context)
        foreign = ours != {home}
        kind = "outsider" if foreign else kind_of(await self._profile_now((home, user_id)), team_id=home)
        return Visitor(kind, user_id, home, shared_channel=False)

    async def of_home(self, user_id: str, context: AsyncBoltContext) -> Visitor:
        """Who opened our Home tab: the event names the person alone."""
        team_id = context.team_id or ""
        kind = (
            "outsider"
            if own_teams(context) != {team_id}
            else kind_of(await self._profile((team_id, user_id)), team_id=team_id)
        )
        return Visitor(kind, user_id, team_id, shared_channel=False)

    async def is_member(self, user_id: str, *, team_id: str) -> bool:
        """Whether Slack says that this person is a member of the team."""
        return kind_of(await self._profile((team_id, user_id)), team_id=team_id) == "member"

    async def _profile_now(self, who: _Who) -> Profile | None:
        """For a decision: what Slack says now, so that somebody deactivated between asking and clicking is refused;
        where it does not say, what it said within the last minutes."""
        return await self._ask(who) or self._kept(who)

    async def _profile(self, who: _Who) -> Profile | None:
        """What Slack says of this person; None where it does not say it in time."""
        return self._kept(who) or await self._ask(who)

    def _kept(self, who: _Who) -> Profile | None:
        until, profile = self._known.get(who, (0.0, None))
        return profile if self._now() < until else None

    async def _ask(self, who: _Who) -> Profile | None:
        """Asked once for all who wait."""
        asking = self._asking.get(who)
        if asking is None:
            asking = self._asking[who] = asyncio.create_task(self._asked(who))
            asking.add_done_callback(lambda _: self._asking.pop(who, None))
        return await asyncio.shield(asking)

    async def _asked(self, who: _Who) -> Profile | None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                profile = await user_info(self._slack.of(who[0]), who[1])
        except (SlackRefused, SlackUnavailable, TimeoutError) as error:
            log.warning("visitor_unknown", user=who[1], error=repr(error))
            return None
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[who] = (self._now() + KEPT_SECONDS, profile)
        return profile


def own_teams(context: AsyncBoltContext) -> set[str]:
    """The team that Bolt reads in the payload, and the one that Slack says our token belongs to: normally one."""
    authorized = context.authorize_result.team_id if context.authorize_result else None
    return {team for team in (context.team_id, authorized) if team}
