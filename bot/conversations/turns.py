"""Whose turn it is in a thread. Slack redelivers, and deliveries overtake each other: what was written first gets its
sign of life first and is answered in that order; a message that came before the one that made its thread ours is
answered after that."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
import structlog

from bot.conversations.addressing import Candidate, is_for_us, is_question, read_event
from bot.conversations.visitor import foreign_team, kind_of
from bot.ports import AnswerId, JobName, Visitor
from bot.slack.delivery import SlackRefused, SlackUnavailable, Workspaces, user_info
from bot.slack.messages import own_user, thread_messages
from bot.store import answers, inbox
from bot.store.database import Database
from bot.store.inbox import Enqueue
from bot.store.tables import Row

log = structlog.get_logger()

LOOK_SECONDS: Final = 3.0
"""The longest that an answer waits for Slack to say what else stands in the thread."""
WINDOW_SECONDS: Final = 900.0
"""Slack tries a delivery again for some six minutes; what is older was left unanswered for good."""
LATE_SECONDS: Final = 1.0
"""A message that was this long on its way may have been overtaken; where it was faster, its follow-ups have waited for
it (the listener's 1.5 s, half a second of which may be what our clock is off)."""
MOST_TURNS: Final = 4
AGAIN: Final = "~"


def answer_of(subject: str) -> AnswerId:
    """The subject of a sign is its answer's id, followed by `~n` where it let others go before n times."""
    return AnswerId(subject.partition(AGAIN)[0])


class Turns:
    """One for the process. Where Slack does not say what stands in the thread, what has reached us decides."""

    def __init__(self, database: Database, slack: Workspaces) -> None:
        self._database, self._slack = database, slack
        self._me: dict[str, str] = {}

    async def take(self, subject: str, *, enqueue: Enqueue) -> bool:
        """True: go on. False: something that was written before awaits its sign still; this one's job is queued
        behind it, a few times at most. Its own channel is held meanwhile, so nothing else can go between."""
        answer_id, turn = answer_of(subject), int(subject.partition(AGAIN)[2] or 0)
        row = await self._database.read(lambda c: answers.get(c, answer_id))
        if turn >= MOST_TURNS or row["thread_ts"] == written_at(answer_id):
            return True
        missed = await self._unclaimed(row, oldest=_before(row, WINDOW_SECONDS), latest=written_at(answer_id))

        def decide(connection: sa.Connection) -> bool:
            _claim_all(connection, missed, enqueue=enqueue)
            waiting = answers.unplaced_in_thread(connection, team_id=row["team_id"], thread_key=row["thread_key"])
            if not any(_earlier(other, answer_id) for other in waiting):
                return True
            again = f"{answer_id}{AGAIN}{turn + 1}"
            enqueue(connection, JobName.SIGN, again, inbox.sign_partition(row["team_id"], row["channel"]))
            return False

        mine = await self._database.write(decide)
        if not mine:
            log.info("turn_given", answer_id=answer_id, turn=turn + 1, claimed=len(missed))
        return mine

    async def catch_up(self, answer_id: AnswerId, *, enqueue: Enqueue) -> None:
        """After an answer whose question was late: follow-ups that came in before it belonged to nobody's thread then,
        and were left alone."""
        row = await self._database.read(lambda c: answers.get(c, answer_id))
        received = await self._database.read(lambda c: answers.received_at(c, answer_id))
        if received is None or row["channel_type"] == "im":
            return
        seconds = (datetime.fromisoformat(received) - datetime.fromisoformat(row["asked_at"])).total_seconds()
        if 0 <= seconds < LATE_SECONDS:
            return
        missed = await self._unclaimed(row, oldest=written_at(answer_id), latest=_before(row, -WINDOW_SECONDS))
        if missed:
            await self._database.write(lambda c: _claim_all(c, missed, enqueue=enqueue))

    async def _unclaimed(self, row: Row, *, oldest: str, latest: str) -> Sequence[Candidate]:
        """What people wrote in this thread between two times that may be for us, oldest first. Whether it is, and
        whether somebody has it already, is decided where it is claimed."""
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                slack = self._slack.of(row["team_id"])
                me = self._me[row["team_id"]] = self._me.get(row["team_id"]) or await own_user(slack)
                said = await thread_messages(slack, row["channel"], row["thread_ts"], oldest=oldest, latest=latest)
                within = [each for each in said if float(oldest) < float(each.get("ts") or 0) < float(latest)]
                return [found for each in within if (found := await self._candidate(row, each, me)) is not None]
        except (SlackUnavailable, SlackRefused, TimeoutError) as error:
            log.info("order_not_checked", answer_id=row["answer_id"], error=repr(error))
            return []

    async def _candidate(self, row: Row, message: Mapping[str, Any], me: str) -> Candidate | None:
        """Read as the event that should have brought it; its writer is looked up anew, unless it is the same one."""
        event = {**message, "type": "message", "channel": row["channel"], "channel_type": row["channel_type"]}
        body = {"team_id": row["team_id"], "event_id": f"thread:{row['channel']}:{message.get('ts')}", "event": event}
        candidate = read_event(body, bot_user_id=me)
        if isinstance(candidate, str) or not candidate.may_be_for_us:
            return None
        if candidate.message.user_id == row["asked_by"]:
            visitor = answers.visitor_of(row)
        else:
            visitor = await self._visitor(row, body, candidate.message.user_id)
        return replace(candidate, message=replace(candidate.message, visitor=visitor))

    async def _visitor(self, row: Row, body: Mapping[str, Any], user_id: str) -> Visitor:
        shared = row["shared_channel"] is not False
        if foreign := foreign_team(body, team_id=row["team_id"]):
            return Visitor("outsider", user_id, foreign, shared_channel=shared)
        kind = kind_of(await user_info(self._slack.of(row["team_id"]), user_id), team_id=row["team_id"])
        return Visitor(kind, user_id, row["team_id"], shared_channel=shared)


def _claim_all(connection: sa.Connection, candidates: Sequence[Candidate], *, enqueue: Enqueue) -> None:
    """Their files are left to their own event, which alone knows them whole."""
    for candidate in candidates:
        presents = bool(candidate.files) and not is_question(candidate.message.text)
        if is_for_us(connection, candidate) is None and inbox.accept(
            connection, candidate.message, enqueue=enqueue, silently=presents
        ):
            log.info("message_caught_up", answer_id=candidate.message.answer_id)


def written_at(answer_id: str) -> str:
    """The Slack time in the id."""
    return answer_id.rpartition(":")[2]


def _earlier(other: str, answer_id: str) -> bool:
    return float(written_at(other)) < float(written_at(answer_id))


def _before(row: Row, seconds: float) -> str:
    return f"{float(written_at(row['answer_id'])) - seconds:.6f}"
