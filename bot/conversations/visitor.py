"""Who speaks or clicks, from the documented fields of Slack's payloads: rules only, no Slack library."""

from collections.abc import Mapping
from typing import Any, Final

from bot.ports import Visitor, VisitorKind

__all__ = ["Visitor", "foreign_team", "installed_team", "is_shared", "kind_of"]

NOT_MEMBERS: Final = ("deleted", "is_bot", "is_restricted", "is_ultra_restricted")
"""Flags of `users.info`: `is_restricted` is a guest of several channels, `is_ultra_restricted` of one."""


def installed_team(body: Mapping[str, Any]) -> str:
    """The team that installed us, in which this event is ours. In a shared channel the outer `team_id` of a `message`
    is its writer's, while its `app_mention` twin carries ours: `authorizations` says the same for both (as Bolt does).
    """
    named = (_authorization(body).get("team_id"), body.get("context_team_id"), body.get("team_id"))
    return next((str(team) for team in named if team), "")


def is_shared(body: Mapping[str, Any], *, team_id: str) -> bool:
    """Whether another company reads the channel of this event: Slack says so, or another team sent the event."""
    return bool(body.get("is_ext_shared_channel")) or body.get("team_id") not in (None, "", team_id)


def foreign_team(body: Mapping[str, Any], *, team_id: str) -> str | None:
    """The other team that this event says its writer is of; None where it names ours alone, or none.

    `user_team`, else `source_team`, is the writer's; a mention's `team` is the channel's, a message's the writer's.
    On Enterprise Grid they may hold the id of our own organisation: then `users.info` decides.
    """
    event = body.get("event") or {}
    ours = (team_id, _authorization(body).get("enterprise_id"))
    named = (event.get("user_team") or event.get("source_team"), event.get("team"))
    return next((str(team) for team in named if team and team not in ours), None)


def kind_of(profile: Mapping[str, Any] | None, *, team_id: str) -> VisitorKind:
    """What `users.info` says of a person; None where it said nothing: who cannot be known is not a member."""
    if profile is None:
        return "unknown"
    teams = (profile.get("team_id"), *((profile.get("enterprise_user") or {}).get("teams") or ()))
    if profile.get("is_stranger") or not team_id or team_id not in teams:
        return "outsider"
    return "guest" if any(profile.get(flag) for flag in NOT_MEMBERS) else "member"


def _authorization(body: Mapping[str, Any]) -> Mapping[str, Any]:
    found = body.get("authorizations")
    first = found[0] if isinstance(found, list) and found else None
    return first if isinstance(first, Mapping) else {}
