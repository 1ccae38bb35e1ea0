"""In a thread what was written first is answered first, and what overtook its root is answered after it: with the
sandbox's Slack, which has the messages whether or not their events have reached us."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.conversations.addressing import Candidate, read_event
from bot.conversations.turns import MOST_TURNS, Turns, answer_of
from bot.listeners.messages import kept
from bot.ports import AnswerId, Visitor
from bot.slack.delivery import Slack
from bot.store import answers, inbox, threads
from bot.store.database import Database
from tests.integration.sandbox_rig import BOT, CAMILLE, HUGO, MARCHE, Rig

pytest_plugins = ("tests.integration.turn_rig",)

TEAM = "T0AUBRAC1"


@pytest.fixture
def turns(slack: Slack, database: Database) -> Turns:
    return Turns(database, slack)


@pytest.fixture
def queued() -> list[str]:
    """The subjects of replies, in the order of their queue."""
    return []


def queue(queued: list[str]) -> inbox.Enqueue:
    return lambda _connection, _job, subject, _partition: queued.append(subject)


async def said(rig: Rig, text: str, *, thread: str | None = None, user: str = CAMILLE) -> str:
    """In Slack only; the message's ts."""
    body = {"user": user, "channel": MARCHE, "text": text, **({"thread_ts": thread} if thread else {})}
    return str((await rig.post("say", **body))["ts"])


async def received(database: Database, text: str, ts: str, *, thread: str | None = None) -> AnswerId:
    """Its event came in, too."""
    event: dict[str, Any] = {"type": "message", "channel": MARCHE, "ts": ts, "user": CAMILLE, "text": text}
    event |= {"thread_ts": thread} if thread else {}
    candidate = read_event({"team_id": TEAM, "event_id": f"Ev{ts}", "event": event}, bot_user_id=BOT[2:-1])
    assert isinstance(candidate, Candidate)
    message = replace(candidate.message, visitor=Visitor("member", CAMILLE, TEAM, shared_channel=False))
    assert await database.write(lambda c: inbox.accept(c, message, enqueue=lambda *_: None))
    return message.answer_id


async def answered(database: Database, answer_id: str) -> None:
    await database.write(lambda c: answers.thought(c, AnswerId(answer_id), text="réponse"))
    await database.write(lambda c: answers.shown(c, AnswerId(answer_id)))


async def test_a_follow_up_lets_the_root_that_it_overtook_go_before(
    rig: Rig, database: Database, turns: Turns, queued: list[str]
) -> None:
    """The root's event is still on its way: it is claimed from the thread, answered first, and remembered."""
    root = await said(rig, f"{BOT} le Pinel ?")
    second = await said(rig, f"{BOT} et à Toulon ?", thread=root)
    follow_up = await received(database, f"{BOT} et à Toulon ?", second, thread=root)
    assert await turns.take(follow_up, enqueue=queue(queued)) is False
    first = f"msg:{TEAM}:{MARCHE}:{root}"
    assert queued == [first, f"{follow_up}~1"]
    assert await turns.take(first, enqueue=queue(queued)) is True
    await answered(database, first)
    assert await turns.take(f"{follow_up}~1", enqueue=queue(queued)) is True
    turns_said = await database.read(lambda c: threads.history(c, answers.get(c, follow_up)))
    assert [turn.text for turn in turns_said] == ["le Pinel ?", "réponse"]
    message = await database.read(lambda c: answers.get(c, AnswerId(first)))
    assert (message["visitor"], message["shared_channel"]) == ("member", False)


async def test_an_earlier_message_that_is_never_answered_holds_up_a_few_turns_only(
    rig: Rig, database: Database, turns: Turns, queued: list[str]
) -> None:
    """Bounded, also where Slack says nothing of the thread."""
    await rig.post("faults", rate_limit={"conversations.replies": 99})
    root = await said(rig, f"{BOT} le Pinel ?")
    second = await said(rig, f"{BOT} et à Toulon ?", thread=root)
    await received(database, f"{BOT} le Pinel ?", root)
    subject: str = await received(database, f"{BOT} et à Toulon ?", second, thread=root)
    for _ in range(MOST_TURNS):
        assert await turns.take(subject, enqueue=queue(queued)) is False
        subject = queued[-1]
    assert answer_of(subject).endswith(second)
    assert await turns.take(subject, enqueue=queue(queued)) is True


async def test_what_colleagues_said_before_we_were_addressed_stays_theirs(
    rig: Rig, database: Database, turns: Turns, queued: list[str]
) -> None:
    """The same person spoke to the others in that thread, then to us."""
    root = await said(rig, "regardez ce bien")
    await said(rig, "le prix est correct ?", thread=root)
    asked = await said(rig, f"{BOT} le Pinel ?", thread=root)
    answer_id = await received(database, f"{BOT} le Pinel ?", asked, thread=root)
    assert await turns.take(answer_id, enqueue=queue(queued)) is True
    assert queued == []


async def test_a_follow_up_that_overtook_its_root_is_answered_after_it(
    rig: Rig, database: Database, turns: Turns, queued: list[str]
) -> None:
    """Without a mention it belonged to nobody's thread when it came in; a colleague's words still do not."""
    root = await said(rig, f"{BOT} le Pinel ?")
    follow_up = await said(rig, "et à Toulon ?", thread=root)
    await said(rig, "je prends", thread=root, user=HUGO)
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    late = sa.text("update inbound_event set received_at = '2999-01-01T00:00:00.000+00:00'")
    await database.write(lambda c: c.execute(late))
    await turns.catch_up(answer_id, enqueue=queue(queued))
    await turns.catch_up(answer_id, enqueue=queue(queued))
    assert queued == [f"msg:{TEAM}:{MARCHE}:{follow_up}"]


async def test_a_root_that_came_in_time_asks_slack_nothing(
    rig: Rig, database: Database, turns: Turns, queued: list[str]
) -> None:
    """Nothing can have overtaken it; Slack counts our calls."""
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    assert await turns.take(answer_id, enqueue=queue(queued)) is True
    await turns.catch_up(answer_id, enqueue=queue(queued))
    assert not [summary for summary, _ in rig.logged("api") if "conversations.replies" in summary]


async def test_a_follow_up_waits_for_the_question_that_is_handled_beside_it(
    rig: Rig, database: Database, queued: list[str]
) -> None:
    """Two events of one moment, committed the wrong way round: neither was late, both are kept."""
    root = await said(rig, f"{BOT} le Pinel ?")
    follow_up = await said(rig, "et à Toulon ?", thread=root)
    event = {"type": "message", "channel": MARCHE, "ts": follow_up, "thread_ts": root, "user": CAMILLE}
    body = {"team_id": TEAM, "event_id": "Ev2", "event": {**event, "text": "et à Toulon ?"}}
    candidate = read_event(body, bot_user_id=BOT[2:-1])
    assert isinstance(candidate, Candidate)
    keeping = asyncio.create_task(kept(database, candidate, enqueue=queue(queued)))
    await asyncio.sleep(0.05)
    await received(database, f"{BOT} le Pinel ?", root)
    assert await keeping == ("", 0)
    assert queued == [f"msg:{TEAM}:{MARCHE}:{follow_up}"]
