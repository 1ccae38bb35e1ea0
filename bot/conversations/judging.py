"""Who may see why an answer says what it says, and say what it is worth: members of its team, in its own place."""

from dataclasses import dataclass, field
from typing import Literal

import sqlalchemy as sa

from bot.ports import AnswerId, Visitor
from bot.store import answers, feedback
from bot.store.tables import Row

Verdict = Literal["accepted", "already", "stranger", "unknown"]
MOST_RECENT = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a click under an answer; `verdicts`: who said what of it."""

    verdict: Verdict
    row: Row | None = None
    verdicts: dict[str, str] = field(default_factory=dict)


def look(connection: sa.Connection, answer_id: str, *, channel: str, team_id: str, by: Visitor) -> Judged:
    """The answer, for a member who reads it where it stands; as good as none from any other channel or team."""
    if not by.belongs_to(team_id):
        return Judged("stranger")
    row = answers.find(connection, AnswerId(answer_id))
    if row is None or row["team_id"] != team_id or row["channel"] != channel or row["record"] is None:
        return Judged("unknown")
    return Judged("accepted", row, feedback.of_answer(connection, row["answer_id"]))


def judge(
    connection: sa.Connection, answer_id: str, *, channel: str, team_id: str, by: Visitor, verdict: str
) -> Judged:
    """Keeps what this person says of it; the last word counts."""
    seen = look(connection, answer_id, channel=channel, team_id=team_id, by=by)
    if seen.row is None or feedback.give(connection, seen.row, user_id=by.user_id, verdict=verdict):
        return seen
    return Judged("already", seen.row, seen.verdicts)


def recent(connection: sa.Connection, *, channel: str, team_id: str, by: Visitor) -> list[Row]:
    """The last answers of a place that were looked for, newest first; nothing for who is not a member."""
    if not by.belongs_to(team_id):
        return []
    found = answers.last_of(connection, team_id=team_id, channel=channel, limit=4 * MOST_RECENT)
    looked_for = [row for row in found if ((row["record"] or {}).get("route") or {}).get("mode", "none") != "none"]
    return looked_for[:MOST_RECENT]
