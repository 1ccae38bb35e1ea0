"""A file about one building is no evidence about another."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.types import Document, Passage
from pipeline.relevance.buildings import of_another_building
from pipeline.retrieval.retriever import retrieve
from pipeline.types import Question, Route

CHARGES = Passage(
    "file:1#0",
    "file:1",
    0,
    "charges.csv",
    ("Feuille 1",),
    "Résidence : Les Tilleuls ; Charges : 12 euros.",
    "",
    "pricing",
)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Quelles sont les charges de la résidence Ormeaux ?", True),
        ("Quelles sont les charges de la résidence des Ormeaux ?", True),
        ("Charges de l'immeuble Étoile du Nord ?", True),
        ("Quelles sont les charges de la résidence Les Tilleuls ?", False),
        ("charges résidence TILLEULS", False),
        ("Quelles sont les charges ?", False),
        ("Que disent les charges de Camille ?", False),
    ],
)
def test_a_building_that_is_named_must_be_in_the_file(text: str, other: bool) -> None:
    """Only what stands behind a word for a building counts as its name; articles are about no building."""
    assert of_another_building(CHARGES, text) is other
    assert not of_another_building(replace(CHARGES, document_id="credit"), text)


@pytest.mark.parametrize(("name", "enough"), [("Tilleuls", True), ("Ormeaux", False)])
async def test_the_other_buildings_file_is_not_retrieved(tmp_path: Path, name: str, enough: bool) -> None:
    """Its words are near, its charges are somebody else's."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    text = "Les charges annuelles de la résidence Tilleuls sont de 1 200 euros."
    await ingest([Document("file:1", "Charges", "", text, "pricing")], index=index, embedder=None, tenant="T1")
    asked = f"Quelles sont les charges annuelles de la résidence {name} ?"
    question = Question(asked, "U1", datetime(2026, 11, 21, tzinfo=UTC), tenants=("T1",))
    found = await retrieve(Route("rag", "ask", asked), question, index=index, embedder=None)
    await index.aclose()
    assert (found.enough, bool(found.passages)) == (enough, enough)
