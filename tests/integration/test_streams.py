"""Answers that grow in their message: nothing twice, nothing ungated, one whole answer however the stream ends."""

import re
from typing import Any

import aiohttp

from bot.conversations.progressing import progress_of
from bot.conversations.publishing import publish, report_failure
from bot.conversations.signs import place
from bot.ports import AnswerId
from bot.proposals.showing import where
from bot.slack.abilities import LACKED_SECONDS, Abilities
from bot.slack.blocks.working import stop_blocks
from bot.slack.delivery import Slack, ThreadRef
from bot.slack.progress import first_task
from bot.slack.status import Status
from bot.slack.streams import growing
from bot.slack.streams.calls import Task
from bot.slack.streams.growing import Stream
from bot.store import answers
from bot.store.database import Database
from bot.store.tables import Row
from pipeline.ports import Step
from tests.integration.sandbox_rig import BOT, CAMILLE, MARCHE, Rig, until
from tests.integration.test_turns import received, said

pytest_plugins = ("tests.integration.turn_rig",)

SHORT = "**En bref**\nLe Pinel est fermé [1]."
LONG = f"{SHORT}\n\n**Prix**\n3 000 €/m² à Toulon [2].\n\n| Année | Prix |\n|---|---|\n| 2024 | 3 000 € |"
WHOLE = f"{LONG}\n\n**À savoir**\nDepuis 2025 [1]."


async def signed(rig: Rig, database: Database, slack: Slack) -> Row:
    """A question with its sign of life."""
    root = await said(rig, f"{BOT} le Pinel ?")
    answer_id = await received(database, f"{BOT} le Pinel ?", root)
    await place(database, slack, answer_id, enqueue=lambda *_: None)
    return await database.read(lambda c: answers.get(c, answer_id))


def growing_in(database: Database, slack: Slack, row: Row) -> Stream:
    async def about_to() -> None:
        await database.write(lambda c: answers.grown(c, row["answer_id"]))

    head = stop_blocks(row["answer_id"])
    return Stream(slack, where(row), row["placeholder_ts"], key=row["answer_id"], head=head, about_to=about_to)


async def made(database: Database, slack: Slack, answer_id: AnswerId, text: str = WHOLE) -> None:
    """Remembered and published."""
    await database.write(lambda c: answers.thought(c, answer_id, text=text, record={}, refused=False))
    await publish(database, slack, answer_id, enqueue=lambda *_: None)


async def message(rig: Rig, row: Row) -> dict[str, Any]:
    """The only one of ours in the thread."""
    thread = (await rig.get("messages", channel=MARCHE, thread_ts=row["thread_ts"]))["messages"]
    (found,) = [each for each in thread if each.get("bot_id")]
    return {**found, "blocks": [with_spaces(block) for block in found.get("blocks", [])]}


def with_spaces(block: dict[str, Any]) -> dict[str, Any]:
    """With ordinary spaces where no line breaks."""
    return {**block, "text": re.sub("[\u00a0\u202f]", " ", block["text"])} if block["type"] == "markdown" else block


def is_whole(found: dict[str, Any]) -> bool:
    """Each section once, no step, no button to stop it; closed."""
    told = str(found["blocks"])
    once = all(told.count(part) == 1 for part in ("En bref", "3 000 €/m²", "À savoir"))
    return once and found["streaming_state"] == "completed" and "task" not in told and "answer_stop" not in told


async def test_sections_are_appended_once_they_are_complete(rig: Rig, database: Database, slack: Slack) -> None:
    """The last one may still grow, a table is a block of its own in the end: neither is in it before."""
    row = await signed(rig, database, slack)
    stream = growing_in(database, slack, row)
    tasks = [Task(first_task(row["answer_id"]).id, "Lecture", "complete"), Task("step-1", "Prix observés")]
    for text in ("", SHORT, LONG, LONG):
        assert await stream.grow(tasks, text)
    found = await message(rig, row)
    assert found["text"] == "_Prix observés…_"
    (body,) = [block["text"] for block in found["blocks"] if block["type"] == "markdown"]
    assert body == "**En bref**\nLe Pinel est fermé [1].\n\n**Prix**\n3 000 €/m² à Toulon [2].\n\n"
    assert [block["status"] for block in found["blocks"] if block["type"] == "task_card"] == ["complete", "in_progress"]
    assert str(found["blocks"]).count("answer_stop") == 1
    await made(database, slack, row["answer_id"])
    assert is_whole(await message(rig, row))


async def test_what_reads_otherwise_later_is_not_appended(rig: Rig, database: Database, slack: Slack) -> None:
    """A sentence was judged away: only the whole answer puts that right."""
    row = await signed(rig, database, slack)
    stream = growing_in(database, slack, row)
    for text in (LONG, WHOLE.replace("fermé", "clos")):
        assert await stream.grow([], text)
    assert "clos" not in str((await message(rig, row))["blocks"])


async def test_a_stream_that_slack_ended_ends_in_a_whole_answer(rig: Rig, database: Database, slack: Slack) -> None:
    """After five minutes, or by Slack's own button: steps go on by updates, as where there are no streams."""
    row = await signed(rig, database, slack)
    progress = await progress_of(database, slack, row)
    progress._every = 0.01
    await rig.post("faults", expire_streams=True)
    progress(Step("rédige", ("Rédaction",)))
    await until(lambda: any(told.startswith("chat.update") for told, _ in rig.logged("api")))
    await progress.stop()
    await made(database, slack, row["answer_id"])
    found = await message(rig, row)
    assert is_whole(found | {"streaming_state": "completed"})


async def test_what_may_have_been_appended_is_not_appended_again(rig: Rig, database: Database, slack: Slack) -> None:
    """Slack took it, its answer was lost: the stream is closed, and the whole answer follows."""
    row = await signed(rig, database, slack)
    stream, append = growing_in(database, slack, row), slack.poster.chat_appendStream

    async def lost(**given: Any) -> Any:
        await append(**given)
        raise aiohttp.ServerDisconnectedError

    object.__setattr__(slack.poster, "chat_appendStream", lost)
    assert not await stream.grow([], LONG)
    object.__setattr__(slack.poster, "chat_appendStream", append)
    assert not await stream.grow([], WHOLE)
    found = await message(rig, row)
    assert (found["streaming_state"], str(found["blocks"]).count("En bref")) == ("completed", 1)
    await made(database, slack, row["answer_id"])
    assert is_whole(await message(rig, row))


async def test_what_slack_did_not_take_is_appended_later(rig: Rig, database: Database, slack: Slack) -> None:
    row = await signed(rig, database, slack)
    await rig.post("faults", rate_limit={"chat.appendStream": 1}, retry_after_s=0)
    progress = await progress_of(database, slack, row)
    progress._every = 0.01
    for outcome in ("ratelimited", "ok"):
        progress.show(LONG)
        await until(lambda o=outcome: (f"chat.appendStream {MARCHE}", o) in rig.logged("api"))  # type: ignore[misc]
    await progress.stop()
    assert str((await message(rig, row))["blocks"]).count("En bref") == 1


async def test_after_a_crash_nothing_more_is_appended(rig: Rig, database: Database, slack: Slack) -> None:
    """Nobody knows what the dead process had appended: its stream is closed, the answer comes whole."""
    row = await signed(rig, database, slack)
    await growing_in(database, slack, row).grow([], LONG)
    row = await database.read(lambda c: answers.get(c, row["answer_id"]))
    assert (await progress_of(database, slack, row))._stream is None
    assert (await message(rig, row))["streaming_state"] == "completed"
    await made(database, slack, row["answer_id"])
    assert is_whole(await message(rig, row))


async def test_a_failed_answer_leaves_no_stream_open(rig: Rig, database: Database, slack: Slack) -> None:
    row = await signed(rig, database, slack)
    await growing_in(database, slack, row).grow([], LONG)
    await report_failure(database, slack, row["answer_id"], ValueError("cassé"))
    found = await message(rig, row)
    assert (found["streaming_state"], "QS-" in found["text"]) == ("completed", True)
    assert "En bref" not in str(found)


async def test_a_workspace_without_streams_is_asked_once(rig: Rig, database: Database, slack: Slack) -> None:
    """Answers are rewritten there as ever; what Slack brings out later is found within the hour."""
    await rig.post("faults", no_streams=True)
    for _ in range(2):
        row = await signed(rig, database, slack)
        assert row["stream"] is None
        await made(database, slack, row["answer_id"])
    assert [told for told, _ in rig.logged("api")].count(f"chat.startStream {MARCHE}") == 1


def test_what_is_lacking_is_tried_again_after_a_while() -> None:
    now = [0.0]
    abilities = Abilities(now=lambda: now[0])
    abilities.refused("T1", "stream", "thread_not_found")  # says nothing of the workspace
    assert abilities.may_try("T1", "stream")
    abilities.refused("T1", "stream", "unknown_method")
    assert not abilities.may_try("T1", "stream")
    assert all((abilities.may_try("T2", "stream"), abilities.may_try("T1", "status")))
    now[0] = LACKED_SECONDS
    assert abilities.may_try("T1", "stream")


def test_a_stream_takes_no_more_than_it_holds() -> None:
    """Cut between sections, never within one."""
    long = "\n\n".join(f"**Partie {n}**\n{'mot ' * 400}" for n in range(12))
    kept = growing.sections(long)
    assert 5_000 < len(kept) <= growing.MOST_TEXT
    assert kept.endswith("\n\n")


async def test_a_direct_conversation_says_what_is_done(rig: Rig, slack: Slack) -> None:
    """Under the thread, while it is done; a workspace without that line is not asked again."""
    direct = "D0CAMILLE"
    ts = await rig.say("le Pinel ?", user=CAMILLE, channel=direct)

    status = Status(slack, ThreadRef(direct, ts), "T0AUBRAC1")
    await status.say("rédige…")
    agent = rig.sandbox.world.workspace.channels[direct].agent
    assert agent[ts]["status"] == "rédige…"
    await status.say("")
    assert agent[ts]["status"] == ""
    await rig.post("faults", no_agent=True)
    for _ in range(2):
        await status.say("lit…")
    assert [told for told, _ in rig.logged("api")].count("assistant.threads.setStatus") == 3
