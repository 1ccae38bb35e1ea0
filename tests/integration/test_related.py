"""What lies two hops away: a passage names another scheme, and the corpus holds more about that one."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.index.embedded import EmbeddedIndex
from corpus.types import Passage
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.ports import Deps
from pipeline.retrieval.searching import related
from pipeline.types import Brief, Evidence, Question, Route
from tests.asking import places, reader
from tests.unit.test_ground import NOON, PINEL

LEADS = replace(PINEL, entities=("pinel", "denormandie"))
BEYOND = replace(
    PINEL,
    id="d#0",
    document_id="d",
    title="Denormandie",
    text="Le Denormandie a les mêmes taux.",
    entities=("denormandie",),
)
ASKED = "Quels sont les taux du Pinel ?"


@pytest.fixture
async def deps(tmp_path: Path) -> AsyncIterator[Deps]:
    index, fallback = EmbeddedIndex(tmp_path / "corpus.sqlite3"), ExtractiveWriter()
    yield Deps(
        index=index,
        embedder=None,
        places=places(),
        tools={},
        reader=reader(),
        writer=fallback,
        fallback=fallback,
        now=lambda: NOON,
    )
    await index.aclose()


async def found(deps: Deps, leading: Passage, beyond: Passage, *, schemes: tuple[str, ...] = ("pinel",)) -> list[str]:
    await deps.index.upsert("d", [beyond], None, tenant="shared", digest="1")
    route = Route("rag", "ask", ASKED, schemes=schemes)
    brief = Brief(Question(ASKED, "U1", NOON), route, Evidence((leading,)), ())
    return [passage.id for passage in (await related(brief, deps=deps)).passages]


async def test_what_a_leading_passage_is_also_about_brings_more(deps: Deps) -> None:
    assert await found(deps, LEADS, BEYOND) == ["pinel#0", "d#0"]


async def test_what_was_asked_about_leads_nowhere_else(deps: Deps) -> None:
    """The search has already looked for it."""
    assert await found(deps, LEADS, BEYOND, schemes=("pinel", "denormandie")) == ["pinel#0"]
    assert await found(deps, PINEL, BEYOND) == ["pinel#0"]


async def test_no_hop_leads_past_who_may_read(deps: Deps) -> None:
    """A file of one channel stays there."""
    assert await found(deps, LEADS, replace(BEYOND, audience="channel:C9")) == ["pinel#0"]
