"""What members chose for a channel is in its answers: each setting in one place, and in no other channel."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.conversations.reply import answer_claimed, question_of
from bot.conversations.without_model import NO_MODEL, without_model
from bot.ports import AnswerId, Visitor
from bot.proposals.lifecycle import Terms
from bot.rights import DealReaders
from bot.store import answers, channels, inbox
from bot.store.channels import ChannelSettings
from bot.store.database import Database
from bot.store.inbox import Inbound
from corpus.types import SHARED_TENANT
from pipeline.caching import said_of
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.ports import Deps
from pipeline.section_names import CAUTION, IN_SHORT, METHOD, OPTIONAL, RISKS
from pipeline.talk.deal_town import in_usual_communes
from pipeline.thread_state import ThreadState
from pipeline.trust import without_deals
from pipeline.types import Evidence, Question, Route
from pipeline.understanding.thread.dialogue import resolve
from pipeline.writing.synthesizer import sections_for, shown_sections
from tests.asking import SUNDAY, places, reader
from tests.beginnings import migrated

CAMILLE = Visitor("member", "U1", "T1", shared_channel=False)
GUEST = replace(CAMILLE, kind="guest")
NUMBERS = itertools.count(1)
TOULON, HYERES = "83137", "83069"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    found = Database(migrated(tmp_path / "store.sqlite3"))
    yield found
    found.close()


async def chosen(database: Database, **settings: Any) -> None:
    """By a member, in C1."""
    given = {"team_id": "T1", "channel": "C1", "by": "U1", "deals": "auto", "approvers": ()}
    await database.write(lambda c: channels.put(c, **given, settings=ChannelSettings(**settings)))


async def asked(
    database: Database, text: str = "les prix ?", *, by: Visitor = CAMILLE, channel: str = "C1"
) -> AnswerId:
    ts = f"1795100000.{next(NUMBERS):06d}"
    said = Inbound("T1", f"E{ts}", channel, "channel", ts, ts, by.user_id, text, visitor=by)
    await database.write(lambda c: inbox.accept(c, said, enqueue=lambda *_: None))
    return said.answer_id


async def question(database: Database, **asked_by: Any) -> Question:
    answer_id = await asked(database, **asked_by)
    return await database.read(lambda c: question_of(c, answers.get(c, answer_id), DealReaders()))


async def test_what_was_chosen_comes_back_and_belongs_to_one_channel(database: Database) -> None:
    settings = ChannelSettings((TOULON,), "9001", True, (CAUTION,), files=False, model=False)
    await chosen(database, communes=(TOULON,), deal_id="9001", short=True, hidden=(CAUTION,), files=False, model=False)
    assert await database.read(lambda c: channels.settings_of(c, team_id="T1", channel="C1")) == settings
    for team, channel in (("T2", "C1"), ("T1", "C2")):
        found = await database.read(lambda c, t=team, p=channel: channels.settings_of(c, team_id=t, channel=p))  # type: ignore[misc]
        assert found == ChannelSettings()


async def test_each_choice_goes_into_the_question(database: Database) -> None:
    before = await question(database)
    assert (before.usual_deal_id, before.usual_communes, before.left_out) == (None, (), frozenset())
    assert before.tenants == (SHARED_TENANT, "T1")
    await chosen(database, communes=(TOULON,), deal_id="9001", hidden=(CAUTION,), files=False)
    found = await question(database)
    assert (found.usual_deal_id, found.usual_communes, found.left_out) == ("9001", (TOULON,), {CAUTION})
    assert (found.tenants, found.audience) == ((SHARED_TENANT,), {"public"})
    await chosen(database, short=True)
    assert (await question(database)).left_out == frozenset(OPTIONAL)
    assert (await question(database, channel="C2")).left_out == frozenset()


async def test_a_guest_is_given_neither_the_deal_nor_the_files(database: Database) -> None:
    """Whatever was chosen: the rules for visitors stand before it."""
    await chosen(database, communes=(TOULON,), deal_id="9001")
    found = await question(database, by=GUEST)
    assert (found.usual_deal_id, found.tenants, found.usual_communes) == (None, (SHARED_TENANT,), (TOULON,))


@pytest.mark.parametrize(
    ("text", "communes", "said"),
    [
        ("Quels sont les prix des appartements ?", (TOULON, HYERES), "Communes par défaut du canal : Toulon"),
        ("Quels sont les prix des appartements à Lyon ?", ("69123",), ""),
        ("Qu'est-ce que le Pinel ?", (), ""),
    ],
)
def test_a_usual_commune_is_meant_where_none_is_named(text: str, communes: tuple[str, ...], said: str) -> None:
    """And the answer says so."""
    put = Question(text=text, asked_by="U1", asked_at=SUNDAY, usual_communes=(TOULON, HYERES))
    task, told = in_usual_communes(_task(put, ThreadState()), put, places())
    assert (task.frame.communes if task.frame else ()) == communes
    assert told.startswith(said)
    assert bool(told) == bool(said)
    alone = replace(put, usual_communes=())
    assert in_usual_communes(_task(alone, ThreadState()), alone, places())[1] == ""


def _task(put: Question, state: ThreadState) -> Any:
    return resolve(asyncio.run(reader().read(put, state)), state)


def test_a_section_is_left_out_unless_it_was_asked_for() -> None:
    """« Approfondir » tells all."""
    evidence = Evidence(passages=(), tool_results=())
    route = Route(mode="rag", intent="ask", query="risques à Toulon", aspects=("risques",))
    assert RISKS in shown_sections(route, evidence, left_out=frozenset(OPTIONAL))
    assert shown_sections(route, evidence, left_out=frozenset()) == sections_for(route, evidence)
    assert {IN_SHORT} <= set(shown_sections(route, evidence, left_out=frozenset({METHOD})))


def test_a_usual_deal_is_meant_where_none_is_named() -> None:
    """To be read or written; a question of prices is no matter of it, and proposes nothing."""
    put = Question(text="Où en est le dossier ?", asked_by="U1", asked_at=SUNDAY, usual_deal_id="9001")
    planned = plan(_task(put, ThreadState()), Setting(put, ThreadState(), places(), crm_available=True))
    assert [call.arguments.get("deal_id") for call in planned.tool_calls] == ["9001"]
    assert without_deals(put).usual_deal_id is None


def test_an_answer_without_some_sections_is_kept_apart() -> None:
    """Else a channel would be given the form that another one chose."""
    put = Question(text="Qu'est-ce que le Pinel ?", asked_by="U1", asked_at=SUNDAY)
    route = Route(mode="rag", intent="ask", query=put.text)
    assert said_of(put, route) != said_of(replace(put, left_out=frozenset({CAUTION})), route)


class Counting:
    """A model that reads, and counts how often it is thought of."""

    def __init__(self) -> None:
        self.thought_of = 0

    def worth_asking(self, _reading: object) -> bool:
        self.thought_of += 1
        return False


@pytest.mark.parametrize("model", [True, False])
async def test_no_language_model_is_asked_where_it_is_off(database: Database, model: bool) -> None:
    counting, fallback = Counting(), object()
    parts: dict[str, Any] = {"index": None, "embedder": None, "tools": {}, "writer": object(), "fallback": fallback}
    parts["cache"] = object()
    deps = Deps(**parts, places=places(), reader=reader(), now=lambda: SUNDAY, model_reader=cast(Any, counting))
    await chosen(database, model=model)
    await answer_claimed(await asked(database, "bonjour"), database=database, deps=deps, terms=Terms())
    assert bool(counting.thought_of) == model
    off = without_model(deps)
    assert (off.writer, off.judge, off.cache, off.missing) == (fallback, None, None, (NO_MODEL,))
    assert without_model(off) is off
