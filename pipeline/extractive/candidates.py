"""Evidence -> excerpts that may be quoted, each with the signs by which it is chosen: the writer's eye."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from corpus.types import Passage, is_own_file
from pipeline.extractive.asked import Asked, terms_of
from pipeline.extractive.sentence_shapes import is_polar
from pipeline.extractive.signals import Signals, entry_signs, place_of, signals_of
from pipeline.extractive.weights import Weights
from pipeline.text.cleaning import harmless
from pipeline.text.figures import figures
from pipeline.text.orders import is_order
from pipeline.text.sentences import passage_sentences
from pipeline.types import Evidence

LONGEST_WORDS: Final = 75

_OPENS_LEANING: Final = (
    r"ils?|elles?|celui|celle|ceux|celles|ce(?:la|ci)?|c'|ces?|cet|cette|son|sa|ses|leurs?|l'un|l'une|le même|la même|"
    r"l[ea]s? (?:premi[eè]re?s?|deuxièmes?|secondes?|seconde?s?|troisièmes?|derni[eè]re?s?|deux|trois|autres?)|"
    r"dans (?:ce|ces|les)|pour (?:ces?|cette|cet)|à ce|à défaut|sinon|ainsi|donc|toutefois|cependant|mais|or|"
    r"en revanche|par ailleurs|en outre|de plus|de même|au contraire|inversement|sans ces?|sous cette|y|en cas|"
    r"la réponse dépend|"
    r"en contrepartie|à l'inverse|seule?s?|aucune? n'|un (?:second|autre|même)|une (?:seconde|autre|même)"
)
_POINTS_BACK: Final = (
    r"de cet exemple|ce même|cette même|ces mêmes|ce derniers?|cette dernière|ci-dessus|aux deux|les deux (?!ans\b)|"
    r"y (?:sont|est|figure\w*)|en bénéficier|"
    r"(?:de|à|depuis|pour|dans) (?:cet|cette|ces) \w+|leur division|article consacré"
)
_LEANS: Final = re.compile(
    rf"^(?:{_OPENS_LEANING})\b|\b(?:{_POINTS_BACK})\b|^(?:\S+\s){{1,7}}(?:cet|cette|ces)\s", re.IGNORECASE
)
_ANNOUNCES: Final = re.compile(
    r"^(?:deux|trois|quatre|cinq|plusieurs|quelques|certaines?|certains)\b[^,:]*"
    r"\b(?:erreurs?|échéances?|points?|questions?|confusions?|étapes?|règles?|situations?|pièges?|dates?)\b[^:]*$",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"(?=.*\d)(?=.*[a-z])(?!(?:[tf]\d|m[23]|co2)$)[a-z0-9]{2,12}")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One sentence, or one and the next that leans on it, word for word. `score`: the higher the likelier that it
    answers; `section`: its H2; `faq`: the question it answers, `same` in [0, 1]: how likely that is the one asked;
    `own`: it comes from a file of the team's; `signals`: what the score is made of."""

    source: int
    index: int
    sentences: tuple[str, ...]
    terms: frozenset[str]
    score: float
    section: str = ""
    category: str = ""
    faq: str = ""
    same: float = 0.0
    polar: bool = False
    days: frozenset[str] = frozenset()
    figures: int = 0
    own: bool = False
    signals: Signals = field(default_factory=dict)


def excerpts(evidence: Evidence, asked: Asked, weights: Weights) -> list[Excerpt]:
    """Quotable excerpts of the passages, in evidence order. Where some hold the lot or reference that was asked for,
    they alone: the next line of a price list is another lot's. So are those of a team's file that the search found
    first where the question is what it says."""
    numbered = ((number, item) for number, item in evidence.numbered() if isinstance(item, Passage))
    found = [excerpt for number, passage in numbered for excerpt in _of_passage(number, passage, asked, weights)]
    codes = frozenset(term for term in asked.terms if _CODE.fullmatch(term))
    if coded := [excerpt for excerpt in found if codes and codes <= excerpt.terms]:
        return coded
    leads = asked.file and any(excerpt.own and excerpt.source == 1 for excerpt in found)
    return [excerpt for excerpt in found if excerpt.own] if leads else found


def _of_passage(number: int, passage: Passage, asked: Asked, weights: Weights) -> Iterator[Excerpt]:
    said = passage_sentences(passage.text)
    if (question := place_of(passage)[1]) and asked.elsewhere(question):
        return
    entry = entry_signs(passage, asked)
    for index, sentence in enumerate(said):
        if not quotable(sentence) or _LEANS.search(sentence) or _ANNOUNCES.match(sentence) or asked.elsewhere(sentence):
            continue
        yield _excerpt(number, passage, index, (sentence,), asked, weights, entry)
        following = said[index + 1] if index + 1 < len(said) else ""
        if quotable(following) and _LEANS.search(following) and len(f"{sentence} {following}".split()) <= LONGEST_WORDS:
            yield _excerpt(number, passage, index, (sentence, following), asked, weights, entry)


def _excerpt(
    number: int,
    passage: Passage,
    index: int,
    said: tuple[str, ...],
    asked: Asked,
    weights: Weights,
    entry: Mapping[str, float],
) -> Excerpt:
    signals = signals_of(number, passage, index, said, asked, entry)
    section, question = place_of(passage)
    text = " ".join(said)
    values = figures(text)
    return Excerpt(
        source=number,
        index=index,
        sentences=said,
        terms=terms_of(text),
        score=weights.score(signals),
        section=section,
        category=passage.category,
        faq=question,
        same=weights.same(signals) if question else 0.0,
        polar=is_polar(text),
        days=frozenset(str(value.value) for value in values if value.kind == "day"),
        figures=len(values),
        own=is_own_file(passage.document_id),
        signals=signals,
    )


@lru_cache(maxsize=16384)
def quotable(sentence: str) -> bool:
    """Whether the sentence can stand in an answer as it is: no link, marker, table, invisible sign, impossible day, and
    no order to a machine."""
    if not 4 <= len(sentence.split()) <= LONGEST_WORDS or re.search(r"[\[\]|{}`【】*#<>\n]", sentence):
        return False
    if (
        not re.match(r"(?:[«\"(]\s?)?[A-ZÀ-ÝŒ0-9]", sentence)
        or sentence.endswith((":", ";", ","))
        or is_order(sentence)
    ):
        return False
    return harmless(sentence) == sentence and all(value.kind != "impossible" for value in figures(sentence))
