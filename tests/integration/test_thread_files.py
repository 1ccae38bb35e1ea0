"""What is asked in the thread of a file is put to the file first, and what the file may not answer is not."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.types import SHARED_TENANT, Document
from pipeline.action_types import ActionRequest
from pipeline.asked.otherwise import thread_files_tell
from pipeline.ports import Deps
from pipeline.types import Question, Route
from tests.beginnings import indexed

VISIT = Document(
    id="file:visite.md",
    title="visite.md",
    url="",
    text="Le loyer du lot 31 est de 812 euros. La chaudière est à changer. Le Pinel reste ouvert à Nantes.",
    category="methodology",
)
PLAIN = Route("rag", "ask", "")


@pytest.fixture
async def deps(tmp_path: Any) -> AsyncIterator[Deps]:
    await indexed(tmp_path / "corpus.sqlite3")
    async with build_deps(Settings(_env_file=None, var_dir=tmp_path)) as built:
        await ingest([VISIT], index=built.index, embedder=built.embedder, tenant="T1")
        yield built


def said(text: str, *files: str) -> Question:
    return Question(text, "U1", datetime(2026, 11, 21, tzinfo=UTC), tenants=(SHARED_TENANT, "T1"), files=files)


async def test_a_message_whose_words_the_file_holds_is_answered_by_it_alone(deps: Deps) -> None:
    """By itself: nothing of its thread and no tool stands beside."""
    found = await thread_files_tell(said("et la chaudière ?", VISIT.id), replace(PLAIN, mode="tools"), deps=deps)
    assert found is not None
    route, held = found
    assert (route.mode, route.query, route.tool_calls) == ("rag", "et la chaudière ?", ())
    assert [passage.document_id for passage in held.passages] == [VISIT.id]
    assert held.enough


@pytest.mark.parametrize("text", ["et la toiture ?", "la chaudière de la mairie ?", "et alors ?", "merci"])
async def test_a_message_of_other_words_is_not(text: str, deps: Deps) -> None:
    """One word that the file lacks, or none that says anything."""
    assert await thread_files_tell(said(text, VISIT.id), PLAIN, deps=deps) is None


async def test_nor_one_of_a_thread_without_the_file(deps: Deps) -> None:
    """Found by a search like any other then."""
    assert await thread_files_tell(said("et la chaudière ?"), PLAIN, deps=deps) is None


async def test_nor_where_the_index_is_away(deps: Deps, tmp_path: Any) -> None:
    """The answer goes on without the file, as it does without the articles."""
    (tmp_path / "away").mkdir()
    away = EmbeddedIndex(tmp_path / "away")
    assert await thread_files_tell(said("et la chaudière ?", VISIT.id), PLAIN, deps=replace(deps, index=away)) is None
    await away.aclose()


@pytest.mark.parametrize(
    "route",
    [
        replace(PLAIN, schemes=("pinel",)),
        replace(PLAIN, communes=("44109",)),
        replace(PLAIN, actions=(ActionRequest(kind="create_note"),)),
    ],
    ids=["scheme", "town", "write"],
)
async def test_a_scheme_a_town_and_a_write_are_asked_of_their_own_sources(route: Route, deps: Deps) -> None:
    """A file may say of a law what it likes; it is quoted only where it is named, and never instead of a write."""
    assert await thread_files_tell(said("le Pinel à Nantes", VISIT.id), route, deps=deps) is None
    named = await thread_files_tell(said("que dit ce document du Pinel à Nantes ?", VISIT.id), route, deps=deps)
    assert (named is None) == bool(route.actions)
