"""The sign of life: posted once whatever dies around it, in order, with its reply queued in the same transaction."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.conversations.signs import GIVEN, PLACED, place, sign
from bot.conversations.turns import Turns
from bot.ports import AnswerId, JobName
from bot.slack.delivery import Slack, SlackUnavailable
from bot.store import answers
from bot.store.database import Database
from tests.integration.sandbox_rig import BOT, MARCHE, Rig
from tests.integration.test_turns import received, said

pytest_plugins = ("tests.integration.turn_rig",)


Queued = list[tuple[JobName, str, str]]


async def signs_in(rig: Rig, root: str) -> list[dict[str, Any]]:
    messages = (await rig.get("messages", channel=MARCHE, thread_ts=root))["messages"]
    return [message for message in messages if message.get("bot_id")]


async def test_it_queues_its_reply_and_is_not_posted_again(rig: Rig, database: Database, slack: Slack) -> None:
    queued: Queued = []
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    turns = Turns(database, slack)
    for _ in range(2):
        assert await sign(database, slack, turns, answer_id, enqueue=lambda _c, *job: queued.append(job)) == PLACED
    (posted,) = await signs_in(rig, root)
    row = await database.read(lambda c: answers.get(c, answer_id))
    assert row["placeholder_ts"] == posted["ts"]
    assert queued == [(JobName.REPLY, answer_id, f"{row['team_id']}:{row['thread_key']}")]


@pytest.mark.parametrize("method", ["chat_startStream", "chat_postMessage"])
async def test_one_that_was_posted_before_a_crash_is_found_again(
    rig: Rig, database: Database, slack: Slack, method: str
) -> None:
    """The process dies after Slack took it, before anything was kept of it."""
    await rig.post("faults", no_streams=method == "chat_postMessage")
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)

    def dies(_connection: sa.Connection, *_job: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await _dying(database, slack, answer_id, dies, method)
    await place(database, slack, answer_id, enqueue=lambda *_: None)
    (posted,) = await signs_in(rig, root)
    row = await database.read(lambda c: answers.get(c, answer_id))
    assert (row["placeholder_ts"], row["stream"]) == (posted["ts"], "open" if "Stream" in method else None)


async def _dying(database: Database, slack: Slack, answer_id: AnswerId, dies: Any, method: str) -> None:
    """As `place`, up to the moment in which it would be kept."""
    post = getattr(slack.poster, method)

    async def posted(**given: Any) -> Any:
        await post(**given)
        raise KeyboardInterrupt

    object.__setattr__(slack.poster, method, posted)
    try:
        await place(database, slack, answer_id, enqueue=dies)
    finally:
        object.__setattr__(slack.poster, method, post)


async def test_what_slack_has_not_taken_is_not_looked_for(rig: Rig, database: Database, slack: Slack) -> None:
    """A limit says that nothing was posted: reading the thread then, under the same limit, would help nobody."""
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    limits = {"chat.startStream": 1, "chat.postMessage": 1, "conversations.replies": 9}
    await rig.post("faults", rate_limit=limits, retry_after_s=0)
    with pytest.raises(SlackUnavailable):
        await place(database, slack, answer_id, enqueue=lambda *_: None)
    await place(database, slack, answer_id, enqueue=lambda *_: None)
    assert len(await signs_in(rig, root)) == 1


async def test_a_search_that_slack_limits_says_nothing_of_the_post(rig: Rig, database: Database, slack: Slack) -> None:
    """It was taken, its answer was lost, and the thread cannot be read just now: it is still looked for."""
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    await rig.post("faults", post_then_drop=1, rate_limit={"conversations.replies": 1}, retry_after_s=0)
    for _ in range(2):
        with pytest.raises(SlackUnavailable):
            await place(database, slack, answer_id, enqueue=lambda *_: None)
    await place(database, slack, answer_id, enqueue=lambda *_: None)
    assert len(await signs_in(rig, root)) == 1


async def test_a_later_question_gets_its_sign_after_the_one_before(rig: Rig, database: Database, slack: Slack) -> None:
    queued: Queued = []
    root = await said(rig, f"{BOT} le Pinel ?")
    second = await said(rig, f"{BOT} et à Toulon ?", thread=root)
    first_id = await received(database, f"{BOT} le Pinel ?", root)
    second_id = await received(database, f"{BOT} et à Toulon ?", second, thread=root)
    turns = Turns(database, slack)

    async def signed(subject: str) -> str:
        return await sign(database, slack, turns, subject, enqueue=lambda _c, *job: queued.append(job))

    assert await signed(second_id) == GIVEN
    assert await signed(first_id) == PLACED
    assert await signed(queued[0][1]) == PLACED  # though the first is not answered yet
    assert [(job, subject) for job, subject, _ in queued] == [
        (JobName.SIGN, f"{second_id}~1"),
        (JobName.REPLY, first_id),
        (JobName.REPLY, second_id),
    ]
