"""An answer that is stopped is given up; one that has just been remembered is not taken for one that was stopped."""

import asyncio
from pathlib import Path

import pytest

from bot.conversations import stopping
from bot.ports import AnswerId, Visitor
from bot.store import answers, inbox
from bot.store.database import Database
from bot.store.inbox import Inbound
from tests.beginnings import migrated

MESSAGE = Inbound(
    team_id="T1", event_id="E1", channel="C1", channel_type="channel", ts="1.1", thread_ts="1.1", user_id="U1", text="?"
)
CAMILLE = Visitor("member", "U1", "T1", shared_channel=False)


@pytest.fixture
async def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setattr(stopping, "LOOK_SECONDS", 0.01)
    found = Database(migrated(tmp_path / "store.sqlite3"))
    await found.write(lambda c: inbox.accept(c, MESSAGE, enqueue=lambda *_: None))
    return found


async def test_what_is_remembered_is_told_to_its_end(database: Database) -> None:
    """Between the transaction and the end of its making there is time for many looks."""

    async def making() -> str:
        await database.write(lambda c: answers.thought(c, MESSAGE.answer_id, text="…", record={}, refused=False))
        await asyncio.sleep(0.3)
        return "made"

    assert await stopping.unless_stopped(making(), database, MESSAGE.answer_id) == "made"
    database.close()


async def test_what_somebody_stops_is_given_up(database: Database) -> None:
    begun = asyncio.Event()

    async def making() -> str:
        begun.set()
        await asyncio.Event().wait()
        return "never"

    answer_id: AnswerId = MESSAGE.answer_id
    waiting = asyncio.create_task(stopping.unless_stopped(making(), database, answer_id))
    await begun.wait()
    said = await database.write(lambda c: stopping.stop(c, answer_id, team_id="T1", channel="C1", by=CAMILLE))
    assert said == ""
    assert await waiting is None
    database.close()
