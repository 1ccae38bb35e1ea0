"""What an answer makes of the team's own files: a section of theirs, the opening, and no false date of review."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from corpus.types import Passage
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.section_names import CAUTION, IN_SHORT, METHOD, OWN_FILES
from pipeline.text.file_words import asked_of_a_file
from pipeline.types import Brief, Evidence, Question, Route
from pipeline.writing.synthesizer import OWN_AMONG, sections_for
from tests.asking import ask

ARTICLE = Passage(
    id="copropriete#0", document_id="copropriete", position=0, title="Copropriété", heading=("En bref",),
    text="Les charges de copropriété se répartissent entre les lots selon leur utilité et leur valeur relative.",
    url="https://a.fr", category="methodology", published=date(2026, 11, 21),
)  # fmt: skip
OWN = replace(
    ARTICLE, id="file:x#0", document_id="file:x", title="charges.pdf", heading=("Page 2",), published=date(2019, 2, 3),
    text="Les charges de copropriété des Tilleuls sont de 37 euros par mois pour un lot de deux pièces.",
)  # fmt: skip
QUERY = "Quelles sont les charges de copropriété aux Tilleuls ?"
ROUTE = Route("rag", "ask", QUERY)


def test_a_file_among_the_first_passages_has_its_section() -> None:
    """After the short answer; the articles' categories alone call for the others."""
    assert sections_for(ROUTE, Evidence((ARTICLE, OWN))) == (IN_SHORT, OWN_FILES, METHOD, CAUTION)
    assert sections_for(ROUTE, Evidence((OWN,))) == (IN_SHORT, OWN_FILES)
    assert OWN_FILES not in sections_for(ROUTE, Evidence((ARTICLE,) * OWN_AMONG + (OWN,)))


@pytest.mark.parametrize("passages", [(OWN, ARTICLE), (OWN,)])
async def test_what_a_file_says_of_the_case_opens_the_answer(passages: tuple[Passage, ...]) -> None:
    """Before what an article says in general; the date of a file is no date of our review."""
    question = Question(QUERY, asked_by="U1", asked_at=datetime(2026, 11, 21, 12, tzinfo=UTC))
    evidence = Evidence(passages)
    brief = Brief(question=question, route=ROUTE, evidence=evidence, sections=sections_for(ROUTE, evidence))
    draft = await ExtractiveWriter().write(brief)
    assert draft.text.startswith("### En bref\nLes charges de copropriété des Tilleuls sont de 37 euros")
    assert "Voir « En bref »" not in draft.text
    assert "03/02/2019" not in draft.text


@pytest.mark.parametrize("text", ["prix du lot B12 du programme Horizon", "à quel étage est le lot 14 ?"])
def test_a_lot_is_looked_for_in_documents(text: str) -> None:
    """A home by its number stands in somebody's price list, not in DVF and not in the CRM."""
    route = ask(text)
    assert "rag" in route.mode
    assert not route.tool_calls


async def test_the_words_that_make_the_question_particular_weigh() -> None:
    """An article that shares the common words answers another question than the page a team added about this one."""
    page = replace(
        ARTICLE, id="page:x#0", document_id="page:x", title="Charges d'un pigeonnier", heading=(),
        text="L'entretien du pigeonnier commun revient à onze lots. Les charges sont de 12 euros par an.",
    )  # fmt: skip
    query = "Comment se répartissent les charges de copropriété d'un pigeonnier ?"
    question = Question(query, asked_by="U1", asked_at=datetime(2026, 11, 21, 12, tzinfo=UTC))
    brief = Brief(question, replace(ROUTE, query=query), Evidence((ARTICLE, page)), sections=(IN_SHORT,))
    draft = await ExtractiveWriter().write(brief)
    assert draft.text.startswith("### En bref\nL'entretien du pigeonnier")


@pytest.mark.parametrize(
    ("query", "own"),
    [
        ("que dit le compte rendu sur les charges de copropriété ?", True),
        ("d'après ce document, comment se répartissent les charges de copropriété ?", True),
        ("quels documents disent comment se répartissent les charges de copropriété ?", False),
    ],
)
async def test_who_asks_what_a_file_says_is_told_what_it_says(query: str, own: bool) -> None:
    """The article that answers the same in general stays out of it, where the search found the file first."""
    file = replace(OWN, text="La visite a eu lieu le 12 mars. Les charges des Tilleuls sont de 37 euros par mois.")
    question = Question(query, asked_by="U1", asked_at=datetime(2026, 11, 21, 12, tzinfo=UTC))
    brief = Brief(question, replace(ROUTE, query=query), Evidence((file, ARTICLE)), sections=(IN_SHORT, OWN_FILES))
    draft = await ExtractiveWriter().write(brief)
    assert ("se répartissent entre les lots" in draft.text) is not own
    behind = await ExtractiveWriter().write(replace(brief, evidence=Evidence((ARTICLE, file))))
    assert "se répartissent entre les lots" in behind.text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("que dit le compte rendu ?", ""),
        ("résume-moi les points clés de la plaquette stp", ""),
        ("et dans l'annexe ?", ""),
        ("il dit quoi le pdf sur le parking ?", "parking"),
        ("d'après ce document, quel est le loyer ?", "loyer"),
        ("quel est le document à fournir pour le PTZ ?", None),
        ("quel est le rapport entre l'IFI et la SCI ?", None),
        ("que dit la loi Climat ?", None),
    ],
)
def test_what_is_asked_of_a_file(text: str, rest: str | None) -> None:
    """Nothing where a rule speaks of papers, or two things have a relation; else what is left of the question."""
    left = asked_of_a_file(text)
    assert (left is None) == (rest is None)
    assert (rest or "") in (left or "")
    assert rest or not left
