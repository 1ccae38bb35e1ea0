"""What is seen of a sentence beside a question: named signals, weighed by `python -m bench choosing`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from corpus.questions.asked import question_of
from corpus.questions.bank import Match
from corpus.types import Passage, is_built_in, is_own_file
from pipeline.extractive.asked import Asked, terms_of
from pipeline.extractive.question_forms import form_of
from pipeline.extractive.sentence_shapes import opposed, shapes_of
from pipeline.schemes import having
from pipeline.text.references import schemes

Signals = Mapping[str, float]
USUAL_COSINE: Final = 0.86
SPREAD: Final = 0.04
"""Of e5: where cosines of a question with sentences of its field lie."""
USUAL_SCORE, SCORES, LEADS = 14.0, 5.0, 3.0
"""Of the question bank: a usual score of the right entry, and how far scores and leads spread."""
LEARNED: Final = 4.0
"""How far the log-odds spread that were learned of messages and entries."""
_SHORT, _LONG = 8, 28
"""Words of a sentence that says little, and of one that is long to read."""
_FIRST_WORDS: Final = 7


def signals_of(
    number: int, passage: Passage, index: int, said: Sequence[str], asked: Asked, entry: Mapping[str, float]
) -> Signals:
    """`number`: the passage's place in the evidence, from 1; `index`: the first sentence's place in it, from 0;
    `entry`: its `entry_signs`."""
    found = dict(_of_words(passage, said, asked))
    found |= _of_place(number, passage, index)
    found |= _of_schemes(passage, said[0], asked)
    found |= {f"{'entry' if index == 0 else 'entry.later'}.{name}": value for name, value in entry.items()}
    found |= _of_shape(said, asked)
    return {name: value for name, value in found.items() if value}


def place_of(passage: Passage) -> tuple[str, str]:
    """(H2, FAQ question) of a passage; its heading path may start with the document's own title."""
    path = [part for part in passage.heading if part != passage.title]
    return (path[0] if path else ""), question_of(passage)


def _of_words(passage: Passage, said: Sequence[str], asked: Asked) -> Iterator[tuple[str, float]]:
    text = " ".join(said)
    own, around = terms_of(text), terms_of(" ".join((passage.title, *passage.heading)))
    yield "words", asked.covered(own)
    yield "words.first", asked.covered(terms_of(said[0]))
    yield "words.around", asked.covered(around)
    yield "words.both", asked.covered(own | around)
    yield "lacks", asked.lacking(passage)
    yield "subject", float(asked.subject in own)
    yield "leads", float(asked.subject in terms_of(" ".join(said[0].split()[:_FIRST_WORDS])))
    yield "opposed", float(opposed(asked.terms, own | around))
    yield "opposed.own", float(opposed(asked.terms, own))
    known = [asked.close[passage.id, one] for one in said if (passage.id, one) in asked.close]
    # A document that a team added has no vectors of its sentences: its passage's stands for each of them.
    near = max(known, default=passage.similarity or 0.0)
    yield "close", _cosine(near) if near else 0.0
    yield "long", max(0, len(text.split()) - _LONG) / 10
    yield "short", float(len(text.split()) < _SHORT)
    yield "second", float(len(said) > 1)


def _cosine(value: float) -> float:
    return max(-1.5, min(1.5, (value - USUAL_COSINE) / SPREAD))


def _of_place(number: int, passage: Passage, index: int) -> Iterator[tuple[str, float]]:
    section, question = place_of(passage)
    yield "rank", 1 / (1 + 0.3 * (number - 1))
    yield "found", passage.score
    yield "passage", _cosine(passage.similarity) if passage.similarity else 0.0
    yield "passage.words", passage.coverage
    yield ("in:added" if not is_built_in(passage.document_id) else f"in:{section}" if not question else "in:faq"), 1.0
    yield f"at:{min(index, 2)}", 1.0
    if is_own_file(passage.document_id):
        yield "own", 1 / number


def _of_schemes(passage: Passage, first: str, asked: Asked) -> Iterator[tuple[str, float]]:
    """An article on the question's scheme against one that mentions it; a team's file names none."""
    if not asked.schemes:
        return
    opens = schemes(" ".join(first.split()[:_FIRST_WORDS])) & having("rival")
    yield "rival", float(bool(asked.schemes & having("rival") and opens) and not opens & asked.schemes)
    yield "named", float(any(terms_of(scheme.replace("-", " ")) <= terms_of(first) for scheme in asked.schemes))
    if is_built_in(passage.document_id):
        main = {passage.document_id, *passage.entities[:1]} & asked.schemes
        about = "main" if main else "too" if asked.schemes & frozenset(passage.entities) else "other"
        yield f"about:{about}", 1.0


def entry_signs(passage: Passage, asked: Asked) -> Mapping[str, float]:
    """How much an entry's question is the one asked: shares of both questions' words in the way of asking that shares
    most, what the question bank says of it, form of the answer, and what it says that the asker did not: a place,
    an amount."""
    _, question = place_of(passage)
    if not question:
        return {}
    match = asked.entries.get(passage.id)
    theirs = max(((match.entry.ways if match else ()) or (question,)), key=lambda way: _both(way, asked))
    mine, held = _timeless(question), _timeless(theirs)
    named = frozenset().union(*(terms_of(word) for word in re.findall(r"(?<=[\s'’])[A-ZÀ-Ý][\w-]+", question)))
    amounts = {term for term in mine - asked.terms if term[0].isdigit()}
    shared = asked.weight(asked.terms & held)
    signs = {
        "theirs": shared / (asked.weight(held) or 1.0),
        "mine": shared / (asked.weight(asked.terms) or 1.0),
        "form": asked.forms.get(form_of(question), 0.0),
        "other": float(bool(amounts or named - asked.terms)),
        "opposed": float(opposed(asked.terms, mine)),
    }
    return {**signs, **_banked(match)} if match else signs


def _banked(match: Match) -> Mapping[str, float]:
    """What the bank says of it, each brought to about [-1, 1]."""
    signs = match.signs
    return {
        "bank": max(-1.5, min(1.5, (match.score - USUAL_SCORE) / SCORES)),
        "lead": max(-1.5, min(1.5, match.lead / LEADS)),
        "first": float(match.lead > 0),
        "asked": signs.asked,
        "told": signs.told,
        "ways": signs.ways,
        "held": signs.words,
        "learned": max(-1.5, min(1.5, signs.learned / LEARNED)),
    }


def _timeless(question: str) -> frozenset[str]:
    return frozenset(term for term in terms_of(question) if not re.fullmatch(r"20\d\d", term))


def _both(way: str, asked: Asked) -> float:
    """Share of the words of both that they have in common."""
    theirs = _timeless(way)
    return asked.weight(asked.terms & theirs) / (asked.weight(theirs) + asked.weight(asked.terms) or 1.0)


def _of_shape(said: Sequence[str], asked: Asked) -> Iterator[tuple[str, float]]:
    """What the sentence offers beside what the question asks for."""
    shapes = shapes_of(said[0]).union(*(shapes_of(one) - {"polar"} for one in said[1:]))
    for shape in shapes or {"plain"}:
        yield shape, 1.0
        for form, likely in asked.forms.items():
            yield f"{form}>{shape}", likely
    if asked.amounts and "limits" in shapes:
        yield "amount>limits", 1.0
