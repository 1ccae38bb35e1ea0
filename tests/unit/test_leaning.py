"""What a message of a thread is searched with besides itself."""

from datetime import UTC, datetime
from pathlib import Path

from corpus.index.embedded import EmbeddedIndex
from corpus.questions.asked import FAQ
from corpus.questions.bank import QuestionBank, Signs
from corpus.questions.prepared import Entry, prepare
from corpus.types import Passage
from pipeline.remembering import with_cited
from pipeline.retriever import retrieve
from pipeline.text.leaning import nearest_in_thread
from pipeline.thread_state import ThreadState, from_json, to_json
from pipeline.types import Evidence, Question, Route

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
    behind, own = embedded
    assert behind.startswith("Quel préavis pour son départ : et en meublé")
    assert own.startswith("et en meublé")
    assert not any(part in text for text in embedded for part in ("Nadir", "12 34"))


async def test_what_the_last_answer_cited_counts_most() -> None:
    """Both answers say « meublé »."""
    said = ("Et après ?",)
    assert (await found("en meublé ?", ThreadState(said=said, cited=("conge", "depot"))))[0][0] == "conge"
    assert (await found("en meublé ?", ThreadState(said=said, cited=("depot", "conge"))))[0][0] == "depot"


async def test_nothing_is_leant_on_at_the_head_of_a_thread() -> None:
    """Nor after an answer without any document."""
    assert await found("en meublé ?", ThreadState(said=(STORY,))) == ([], [])
    assert await found("en meublé ?", ThreadState(cited=("conge",))) == ([], [])


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


def test_the_documents_that_an_answer_cites_are_remembered_in_the_order_of_its_text() -> None:
    """The latest answer's first, four at most."""
    evidence = Evidence(passages=(DEPOSIT, NOTICE))
    old = to_json(ThreadState(cited=("a", "depot", "b", "c")))
    assert from_json(with_cited(old, "Un mois [2], deux [1].", evidence)).cited == ("conge", "depot", "a", "b")
    assert with_cited(old, "Rien.", evidence) == old
