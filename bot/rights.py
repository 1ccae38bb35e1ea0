"""May this visitor do it? The one place that answers for decisions on what belongs to a channel of a team."""

from collections.abc import Collection
from typing import Literal

import sqlalchemy as sa

from bot.ports import NOBODY, Visitor
from bot.store import channels

Refused = Literal["stranger", "not_allowed"]


def why_not(
    connection: sa.Connection,
    *,
    team_id: str,
    channel: str,
    by: Visitor,
    concerned: Collection[str],
    approvers: Collection[str],
) -> Refused | None:
    """Why this person may not decide there; None for who may.

    `stranger`: no member of the team that it belongs to. `not_allowed`: neither among the `concerned` (who asked;
    `NOBODY`: any member), nor an approver of the installation, nor one whom a member named for this channel.
    """
    if not by.belongs_to(team_id):
        return "stranger"
    if NOBODY in concerned or by.user_id in concerned or by.user_id in approvers:
        return None
    named = channels.approvers_of(connection, team_id=team_id, channel=channel)
    return None if by.user_id in named else "not_allowed"
