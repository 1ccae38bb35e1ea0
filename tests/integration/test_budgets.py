"""A budget holds over a restart and for a second process: what was spent stands in the database."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.conversations.budgets import Budgets
from bot.conversations.reply import answer_claimed
from bot.ports import Visitor
from bot.proposals.lifecycle import Terms
from bot.settings import Settings
from bot.store import inbox
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.wiring_models import build_model_reader
from corpus.index.embedded import EmbeddedIndex
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.ports import Deps
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import Answer
from tests.asking import SUNDAY, places, reader
from tests.beginnings import migrated
from tests.loopback import served
from tests.scripted_openai import Log, application

ASKED = "mensualité pour 200 000 € sur 20 ans à 3,4 %"


@pytest.fixture
def provider() -> Iterator[tuple[str, Log]]:
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture
async def deps(provider: tuple[str, Log], tmp_path: Path) -> AsyncIterator[Deps]:
    """A model that reads, at a euro a token."""
    settings = Settings(
        _env_file=None,
        openai_base_url=provider[0],
        openai_model="dear",
        model_prices="dear=1000000/1000000",
        reader_seconds=30.0,
    )
    async with AsyncExitStack() as connections:
        index, fallback = EmbeddedIndex(tmp_path / "corpus.sqlite3"), ExtractiveWriter()
        connections.push_async_callback(index.aclose)
        yield Deps(
            index=index,
            embedder=None,
            places=places(),
            tools={"calculator": CalculatorTool()},
            reader=reader(),
            writer=fallback,
            fallback=fallback,
            now=lambda: SUNDAY,
            model_reader=build_model_reader(settings, connections, places=places()),
        )


async def _answered(url: str, deps: Deps, ts: str, *, person: str = "U1") -> Answer:
    """By a process of its own, as far as the database can tell."""
    database = Database(url)
    message = Inbound(
        team_id="T1", event_id=ts, channel="C1", channel_type="channel", ts=ts, thread_ts=ts, user_id=person,
        text=ASKED, visitor=Visitor("member", person, "T1", shared_channel=False),
    )  # fmt: skip
    try:
        await database.write(lambda c: inbox.accept(c, message, enqueue=lambda *_: None))
        budgets = Budgets(person=1.0)
        return await answer_claimed(message.answer_id, database=database, deps=deps, terms=Terms(), budgets=budgets)
    finally:
        database.close()


async def test_what_one_process_spent_binds_the_next(deps: Deps, provider: tuple[str, Log], tmp_path: Path) -> None:
    """The first answer goes through the limit; afterwards this person's messages are read without a model."""
    url = migrated(tmp_path / "store.sqlite3")
    first = await _answered(url, deps, "1.1")
    assert first.cost is not None
    assert first.cost.euros is not None
    assert first.cost.euros > 1.0
    asked = len(provider[1].requests)
    again = await _answered(url, deps, "2.2")
    assert "1\u202f149,67" in again.text
    assert len(provider[1].requests) == asked
    await _answered(url, deps, "3.3", person="U2")
    assert len(provider[1].requests) > asked
