"""Answers that are given again: to the same words of the same team, while all they rest on is the same."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.conversations import direct
from bot.conversations.answer_cache import Caching
from bot.conversations.budgets import Budgets
from bot.conversations.record import record_of
from bot.ports import Visitor
from bot.sealing import new_key
from bot.settings import Settings
from bot.store import tables as t
from bot.store.database import Database
from bot.store.forgetting import forget
from bot.store.opening import open_database
from bot.wiring import build_deps
from bot.wiring_cache import build_cache
from corpus.ingest import ingest
from corpus.types import SHARED_TENANT, Document
from pipeline.caching import is_anybodys, said_of, seconds_of
from pipeline.ports import Deps
from pipeline.types import Answer, Citation, Evidence, Question, Route, Turn
from pipeline.types import ToolCall as Call
from pipeline.types import ToolResult as Result
from tests.beginnings import indexed, migrated

ASKED = "Le Pinel est-il encore ouvert aux nouveaux achats ?"
AGE = "Réponse établie"
NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
FILE = Document("file:1", "Note", "", "Le Pinel du lot A203 est décrit ici.", "methodology")


@dataclass
class Desk:
    database: Database
    deps: Deps

    async def ask(self, text: str, *, team: str = "T1", thread: str | None = None) -> Answer:
        by = Visitor("member", "U1", team, shared_channel=False)
        message = direct.message_of(text, thread, by=by, channel="C1", channel_type="channel")
        return await direct.answered(message, database=self.database, deps=self.deps, budgets=Budgets())

    def rows(self) -> list[t.Row]:
        with self.database.reader.connect() as connection:
            return [dict(row) for row in connection.execute(sa.select(t.kept_answer)).mappings()]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    await indexed(tmp_path / "corpus.sqlite3")
    database = open_database(migrated(tmp_path / "bot.sqlite3"), (new_key(),))
    async with build_deps(Settings(_env_file=None, var_dir=tmp_path, cache_minutes=30)) as deps:
        assert isinstance(deps.cache, Caching)
        yield Desk(database, deps)
    database.close()


def is_again(answer: Answer) -> bool:
    return any(AGE in remark for remark in answer.remarks)


async def test_the_same_question_is_answered_again_and_says_its_age(desk: Desk) -> None:
    """Word for word, with its sources and its record, in a thread of its own; what is kept is sealed."""
    first = await desk.ask(ASKED)
    again = await desk.ask(f"Bonjour ! {ASKED.lower()} Merci")
    assert (is_again(first), is_again(again)) == (False, True)
    assert (again.text, again.citations, again.memory) == (first.text, first.citations, first.memory)
    told, then = record_of(again), record_of(first)
    assert {name for name in told if told[name] != then[name]} <= {"remarks", "steps"}
    assert told["evidence"]
    with desk.database.reader.connect() as connection:
        raw = connection.execute(sa.text("select content from kept_answer")).scalar_one()
    assert "Pinel" not in raw


@pytest.mark.parametrize(
    "other", ["Le Pinel est-il encore fermé aux nouveaux achats ?", f"{ASKED[:-2]} signés en 2023 ?"]
)
async def test_other_words_are_answered_anew(desk: Desk, other: str) -> None:
    """Near is not the same."""
    await desk.ask(ASKED)
    assert not is_again(await desk.ask(other))


async def test_a_part_that_is_given_again_stands_beside_what_is_new(desk: Desk) -> None:
    """Two questions are two answers, of which one may be kept."""
    first = await desk.ask(ASKED)
    both = await desk.ask(f"{ASKED} Et en 2023 ?")
    assert "2023" not in first.text.split("###")[1]
    assert "2023" in both.text.split("###")[1]


async def test_no_other_team_and_no_thread_gets_it(desk: Desk) -> None:
    """Another team's question says nothing of this one's; in a thread the same words may mean something else."""
    await desk.ask(ASKED)
    assert not is_again(await desk.ask(ASKED, team="T2"))
    await desk.ask("Quel est le plafond du PTZ ?", thread="1.0")
    assert not is_again(await desk.ask(ASKED, thread="1.0"))


async def test_what_it_rests_on_has_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the team, which might answer now; then other settings, as after a restart."""
    monkeypatch.setattr("bot.conversations.answer_cache.LOOK_SECONDS", 0.0)
    await desk.ask(ASKED)
    await ingest([FILE], index=desk.deps.index, embedder=None, tenant="T1")
    assert not is_again(await desk.ask(ASKED))
    other = await build_cache(Settings(_env_file=None, cache_minutes=30, model_judge=False))
    desk.deps = replace(desk.deps, cache=other)
    assert not is_again(await desk.ask(ASKED))
    desk.deps = replace(desk.deps, missing=(*desk.deps.missing, "sans modèle dans ce canal"))
    assert not is_again(await desk.ask(ASKED))


async def test_it_expires_and_is_forgotten_with_its_thread(desk: Desk) -> None:
    """Whoever asked: nothing that was made of their question stays."""
    await desk.ask(ASKED)
    (kept,) = desk.rows()
    made, until = (datetime.fromisoformat(kept[name]) for name in ("made_at", "expires_at"))
    assert until - made == timedelta(minutes=30)
    past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    await desk.database.write(lambda c: c.execute(t.kept_answer.update().values(expires_at=past)))
    assert not is_again(await desk.ask(ASKED))
    assert len(desk.rows()) == 1
    await desk.database.write(lambda c: forget(c, "user", "U1"))
    assert desk.rows() == []


PLAIN = Question(ASKED, "U1", NOW)
ROUTE = Route("rag", "ask", ASKED)


@pytest.mark.parametrize(
    ("question", "route"),
    [
        (replace(PLAIN, text="Que dit le dossier de Mme Roux du Pinel ?"), ROUTE),
        (replace(PLAIN, text="Le Pinel, mon RIB FR76 3000 4000 0312 3456 7890 143"), ROUTE),
        (replace(PLAIN, deal_id="7"), ROUTE),
        (replace(PLAIN, usual_deal_id="7"), ROUTE),
        (replace(PLAIN, files=("file:bail.pdf",)), ROUTE),
        (replace(PLAIN, case=("Y a-t-il droit ?", "Il loue une maison.")), ROUTE),
        (replace(PLAIN, crm_closed="ici"), ROUTE),
        (replace(PLAIN, history=(Turn("user", "Bonjour"),)), ROUTE),
        (PLAIN, replace(ROUTE, tool_calls=(Call("crm", {"view": "deals"}),))),
        (PLAIN, replace(ROUTE, deal_name="Roux")),
        (PLAIN, replace(ROUTE, mode="none")),
    ],
)
def test_what_depends_on_who_asks_is_never_looked_for(question: Question, route: Route) -> None:
    """Persons, deals, told cases, threads and files added in them, places where the CRM is closed."""
    assert said_of(PLAIN, ROUTE)
    assert said_of(question, route) == ""


def test_the_day_and_what_was_understood_count() -> None:
    """Of the same words."""
    other = replace(ROUTE, tool_calls=(Call("prices", {"insee": "69123"}),))
    assert (
        len({said_of(PLAIN, ROUTE), said_of(PLAIN, other), said_of(replace(PLAIN, asked_at=NOW + timedelta(1)), ROUTE)})
        == 3
    )


CITED = (Citation(1, "passage", "Pinel", "", ""),)
WHOLE = Answer("Fermé [1].", ROUTE, citations=CITED)


def result(tool: str = "prices", **said: object) -> Answer:
    return replace(WHOLE, evidence=Evidence(tool_results=(Result(Call(tool, {}), **said),)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spoiled",
    [
        replace(WHOLE, refused=True),
        replace(WHOLE, asked_back="Où ?"),
        replace(WHOLE, citations=()),
        replace(WHOLE, degraded=("Le corpus doit être réindexé",)),
        result(error="en panne"),
        result(gaps=("une source manque",)),
        result(private=True),
        result(persons=("Roux",)),
    ],
)
def test_only_whole_and_public_answers_are_kept(spoiled: Answer) -> None:
    """What everybody lacks (no CRM) spoils nothing; what failed this once does."""
    assert is_anybodys(replace(WHOLE, degraded=("HubSpot non connecté",)), ("HubSpot non connecté",))
    assert not is_anybodys(spoiled, ())


def test_what_was_read_live_is_given_again_for_less_long() -> None:
    """By the most fleeting source."""
    assert seconds_of(result("web")) < seconds_of(result("prices")) < seconds_of(result("calculator"))


async def test_a_file_of_the_firms_is_never_kept(desk: Desk) -> None:
    """Even added for all teams."""
    own = replace(FILE, text="Le lot A203 de la résidence Bellevue est à 312 000 euros.")
    await ingest([own], index=desk.deps.index, embedder=desk.deps.embedder, tenant=SHARED_TENANT)
    found = await desk.ask("Quel est le prix du lot A203 de la résidence Bellevue ?")
    assert "312 000" in found.text.replace("\u202f", " ")
    assert desk.rows() == []
