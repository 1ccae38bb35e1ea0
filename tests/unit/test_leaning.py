"""What a message of a thread is searched with besides itself."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.index.embedded import EmbeddedIndex
from corpus.late_interaction.entries import Opened
from corpus.questions.asked import FAQ
from corpus.questions.bank import QuestionBank, Signs, text_of
from corpus.questions.prepared import Entry, prepare
from corpus.types import Passage
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.retrieval.retriever import retrieve
from pipeline.talk.remembering import with_cited
from pipeline.text.leaning import nearest_in_thread
from pipeline.thread_state import ThreadState, Told, from_json, to_json
from pipeline.types import Brief, Evidence, Question, Route

STORY = "Ma cliente Mme Nadir loue un studio à Brest depuis mars. Quel préavis pour son départ ?"


def entry(name: str, question: str, text: str) -> Passage:
    return Passage(f"{name}#0", name, 0, "Titre", (FAQ, question), text, "https://a.fr", "regulation")


NOTICE = entry("conge", "Quel préavis pour un départ ?", "Un mois en meublé.")
DEPOSIT = entry("depot", "Quel dépôt de garantie ?", "Deux mois en meublé.")
BANK = QuestionBank(
    prepare([Entry(p, (p.heading[-1],)) for p in (DEPOSIT, NOTICE)], asked={}, told={}, version="none"),
    weights=Signs(1, 1, 1, 1),
)


async def found(text: str, state: ThreadState) -> tuple[list[str], list[str]]:
    """(documents of the entries found, texts that were embedded)."""
    embedded: list[str] = []

    async def embed(text: str) -> None:
        embedded.append(text)

    question = Question(text, "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=to_json(state))
    near = await nearest_in_thread(question, BANK, embed, limit=2)
    return [match.entry.passage.document_id for match in near], embedded


async def test_a_message_is_searched_behind_what_was_asked_before_it() -> None:
    """Without the story around that, and without anybody's number."""
    state = ThreadState(said=(STORY,), cited=("conge",))
    documents, embedded = await found("et en meublé, pour le 06 12 34 56 78 ?", state)
    assert documents == ["conge", "depot"]
    behind, first, own = embedded
    assert behind.startswith("Quel préavis pour son départ : et en meublé")
    assert first == behind
    assert own.startswith("et en meublé")
    assert not any(part in text for text in embedded for part in ("Nadir", "12 34"))


async def test_what_the_last_answer_cited_counts_most() -> None:
    """Both answers say « meublé »."""
    said = ("Et après ?",)
    assert (await found("en meublé ?", ThreadState(said=said, cited=("conge", "depot"))))[0][0] == "conge"
    assert (await found("en meublé ?", ThreadState(said=said, cited=("depot", "conge"))))[0][0] == "depot"


async def test_nothing_is_leant_on_at_the_head_of_a_thread() -> None:
    """After an answer without any document the question before it is there still."""
    assert await found("en meublé ?", ThreadState(cited=("conge",))) == ([], [])
    documents, _ = await found("en meublé ?", ThreadState(said=(STORY,)))
    assert documents == ["conge", "depot"]


async def test_the_question_that_our_articles_answered_first_is_leant_on_too() -> None:
    """What was said between is not its subject."""
    told = (Told("depot#0", "Et le dépôt ?"), Told("conge#0", STORY))
    _, embedded = await found("en meublé ?", ThreadState(said=(STORY, "Merci !"), told=told))
    assert embedded[:2] == ["Merci ! : en meublé ?".replace(" !", ""), "Quel préavis pour son départ : en meublé ?"]


async def test_what_a_message_leans_on_is_in_its_evidence(tmp_path: Path) -> None:
    """Its own words find nothing in the index."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await index.upsert("depot", [DEPOSIT], None, tenant="shared", digest="1")
    thread = ThreadState(said=(STORY,), cited=("conge",))
    route = Route("rag", "ask", "et son dépôt ?")
    for memory, wanted in ((to_json(thread), {"conge", "depot"}), ({}, {"depot"})):
        question = Question(route.query, "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=memory)
        found = await retrieve(route, question, index=index, embedder=None, bank=BANK)
        assert {passage.document_id for passage in found.passages} == wanted
    await index.aclose()


@pytest.mark.parametrize(("worth", "enough"), [(100.0, True), (1.0, False)])
async def test_an_entry_that_is_near_enough_answers_a_later_question(
    tmp_path: Path, worth: float, *, enough: bool
) -> None:
    """What one line of both questions finds would not do."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await index.upsert("depot", [DEPOSIT], None, tenant="shared", digest="1")
    entries = prepare([Entry(p, (p.heading[-1],)) for p in (DEPOSIT, NOTICE)], asked={}, told={}, version="none")
    bank = QuestionBank(entries, weights=Signs(worth, worth, worth, worth))
    memory = to_json(ThreadState(said=(STORY,), cited=("conge",)))
    route = Route("rag", "ask", "et meublé, quel départ si elle change de métier, de ville ou de mari ?")
    asked = Question(route.query, "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=memory)
    assert (await retrieve(route, asked, index=index, embedder=None, bank=bank)).enough is enough
    await index.aclose()


async def test_beside_a_teams_own_file_no_entry_is_leant_on(tmp_path: Path) -> None:
    """As at the head of a thread: what such a file leads is its own."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    own = replace(DEPOSIT, id="file:T1:a#0", document_id="file:T1:a", title="Grille du cabinet")
    await index.upsert("file:T1:a", [own], None, tenant="T1", digest="1")
    memory = to_json(ThreadState(said=(STORY,), cited=("conge",)))
    route = Route("rag", "ask", "et son dépôt ?")
    asked = Question(route.query, "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=memory, tenants=("shared", "T1"))
    found = await retrieve(route, asked, index=index, embedder=None, bank=BANK)
    assert [passage.document_id for passage in found.passages] == ["file:T1:a"]
    await index.aclose()


async def test_the_writer_weighs_entries_by_what_a_message_leans_on() -> None:
    """The same evidence, in a thread that cited the one and at the head of another."""
    route, evidence = Route("rag", "ask", "en meublé ?"), Evidence(passages=(DEPOSIT, NOTICE))
    for memory, leads in ((to_json(ThreadState(said=(STORY,), cited=("depot",))), False), ({}, True)):
        asked = Question(route.query, "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=memory)
        whole, _ = await ExtractiveWriter(bank=BANK).asked(Brief(asked, route, evidence, ()))
        assert (whole.entries[NOTICE.id].lead > 0) is leads


def test_the_documents_that_an_answer_cites_are_remembered_in_the_order_of_its_text() -> None:
    """The latest answer's first, four at most."""
    evidence = Evidence(passages=(DEPOSIT, NOTICE))
    old = to_json(ThreadState(cited=("a", "depot", "b", "c")))
    assert from_json(with_cited(old, "Un mois [2], deux [1].", evidence)).cited == ("conge", "depot", "a", "b")
    assert with_cited(old, "Rien.", evidence) == old


async def test_a_message_is_read_by_the_model_behind_those_before_it() -> None:
    """« c'est combien ? » finds what the thread is about, by nothing else than what was learned."""
    entries = [Entry(p, (p.heading[-1],)) for p in (DEPOSIT, NOTICE)]
    prepared = prepare(entries, asked={}, told={}, version="none")
    learned = QuestionBank(prepared, weights=Signs(0, 0, 0, 0, 1), read=Opened([text_of(one) for one in entries]))

    async def embed(_text: str) -> None:
        return None

    for said, best in (("mon locataire veut partir", NOTICE), ("quelle caution je demande au locataire", DEPOSIT)):
        state = to_json(ThreadState(said=(said,)))
        question = Question("c'est combien ?", "U1", datetime(2026, 11, 23, tzinfo=UTC), memory=state)
        near = await nearest_in_thread(question, learned, embed, limit=1)
        assert near[0].entry.passage == best
        assert near[0].signs.learned != 0.0
