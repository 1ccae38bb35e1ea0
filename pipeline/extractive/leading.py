"""What a sentence gives beside what is asked for, and an entry of the articles told as a whole."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from corpus.types import Passage
from pipeline.extractive.asked import Asked, terms_of
from pipeline.extractive.candidates import LONGEST_WORDS, Excerpt, quotable
from pipeline.extractive.question_forms import Form
from pipeline.extractive.sentence_shapes import is_polar, shapes_of
from pipeline.text.figures import figures
from pipeline.text.sentences import passage_sentences
from pipeline.types import Evidence

GIVES: Final[Mapping[Form, frozenset[str]]] = {
    "amount": frozenset(("money",)), "rate": frozenset(("share",)), "duration": frozenset(("span",)),
    "date": frozenset(("day", "year", "bounds")),
}  # fmt: skip
"""What a sentence has to offer to answer a question for a value."""
LONGEST_ENTRY: Final = 2 * LONGEST_WORDS
"""Words of an entry that are told; its first sentence answers by itself."""
_SUREST: Final = 4.0
"""Log-odds beyond which it is no surer that an entry's question is the one asked."""


def gives(form: Form, said: Sequence[str]) -> bool:
    wanted = GIVES.get(form, frozenset())
    return any(shapes_of(text) & wanted for text in said)


def odds_of(same: float) -> float:
    """Log-odds of a probability, within what says something."""
    return max(-_SUREST, min(_SUREST, math.log(max(same, 1e-6) / max(1 - same, 1e-6))))


def says_it_all(first: Excerpt, told: Sequence[str]) -> bool:
    """Whether an entry's own answer has every value of the records in its first sentence, and no other Oui or Non."""
    mine = values_of(" ".join(told))
    words = {text.split()[0] for text in (*told, first.sentences[0]) if is_polar(text)}
    return bool(first.faq and mine) and mine <= values_of(first.sentences[0]) and len(words) < 2


def values_of(text: str) -> frozenset[tuple[str, str, str]]:
    """What a text gives, years apart: they say when, of a law too."""
    return frozenset((v.kind, str(v.value), v.unit) for v in figures(text) if v.kind != "year")


def whole(excerpt: Excerpt, evidence: Evidence, asked: Asked) -> Excerpt:
    """An entry's answer with all that it says, from the sentence that answers on; anything else as it is."""
    passage = dict(evidence.numbered()).get(excerpt.source)
    if not excerpt.faq or excerpt.index or not isinstance(passage, Passage):
        return excerpt
    told = list(excerpt.sentences)
    for sentence in passage_sentences(passage.text)[len(told) :]:
        if not quotable(sentence) or asked.elsewhere(sentence):
            break
        told.append(sentence)
        if len(" ".join(told).split()) > LONGEST_ENTRY:
            told.pop()
            break
    return replace(excerpt, sentences=tuple(told), terms=terms_of(" ".join(told)))
