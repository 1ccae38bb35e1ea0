"""Evidence -> excerpts that may be quoted, each scored against the question: the eye of the extractive writer."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from corpus.chunking import indexed_text
from corpus.french import analyze
from corpus.types import Passage, is_built_in, is_own_file
from pipeline.extractive.question_forms import Form, answers, kind_of
from pipeline.schemes import having
from pipeline.text.cleaning import harmless
from pipeline.text.figures import figures
from pipeline.text.references import schemes
from pipeline.text.sentences import passage_sentences
from pipeline.types import Brief, Evidence

Closeness = Mapping[tuple[str, str], float]
"""(passage id, sentence) -> closeness to the question in [0, 1]."""
Elsewhere = Callable[[str], bool]
CLOSENESS, USUAL_CLOSENESS = 1.2, 0.5
FAQ: Final = "Questions fréquentes"
LONGEST_WORDS: Final = 75
SAME_QUESTION: Final = 0.5
"""From this match on, an FAQ entry answers the question that was asked."""
_THEIRS, _MINE = 0.72, 0.5
_LACKS: Final = 1.6
"""What a passage loses for lacking the words that make the question particular."""

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
_CONNECTS: Final = re.compile(
    r"\b(?:donc|également|aussi|pourtant|alors|ainsi|enfin|autrement|ensuite)\b", re.IGNORECASE
)
_SELF: Final = re.compile(
    r"\bici rappelée?s?\b|\bnos sources\b|\bcet article\b|\bQuartierScope\b|\bquestions (?:à poser|portent)\b", re.I
)
_FRESH: Final = 2.0
_CODE: Final = re.compile(r"(?=.*\d)(?=.*[a-z])(?!(?:[tf]\d|m[23]|co2)$)[a-z0-9]{2,12}")
_LIMIT: Final = re.compile(r"\bjusqu'à \d|\blimit\w+|\bplafon\w+", re.IGNORECASE)
_EXAMPLE: Final = re.compile(
    r"\bexemples?\b|\ben supposant\b|\b(?:acheté|payé|vendu)\w* \d[\d\s]*€|\bachat (?:à|de) \d[\d\s]*€|"
    r"(?-i:\bAvec \d[\d\s]*€)|\d\s?×\s?\d|\blaissent? \d[\d\s]*€|\breprenons\b|\btotal atteint \d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One sentence, or one and the next that leans on it, word for word. `score` about [0, 2.5]; `section`: its H2;
    `faq`: the question it answers, `match` in [0, 1] how much that is the one asked; `polar`: it says Oui or Non;
    `leads`: it opens with the question's subject; `close`: how near the question its meaning is, in [0, 1];
    `about`: its article treats a scheme that was named; `own`: it comes from a file of the team's;
    `rival`: it opens with a scheme that stands against the one asked about."""

    source: int
    index: int
    sentences: tuple[str, ...]
    terms: frozenset[str]
    score: float
    section: str
    category: str
    faq: str
    match: float
    polar: bool
    example: bool
    figures: int
    days: frozenset[str]
    leads: bool
    close: float
    about: bool
    own: bool = False
    rival: bool = False


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The question as the scoring sees it: its terms with their idf over this evidence, its kind, its schemes;
    `limits`: it names an amount, so a ceiling answers it; `subject`: its rarest term that the evidence knows;
    `particular`: terms that only documents added by a team hold: what makes it another question than our articles';
    `elsewhere`: whether a sentence is about other places, or other classes of the DPE, than those asked about."""

    terms: frozenset[str]
    idf: dict[str, float]
    kind: Form
    schemes: frozenset[str]
    limits: bool
    subject: str
    particular: frozenset[str]
    close: Closeness
    elsewhere: Elsewhere

    def closeness(self, passage: Passage, said: Sequence[str]) -> float:
        """How close the closest of the sentences is to the question, in [0, 1]; as close as usual when unknown."""
        known = [self.close[passage.id, text] for text in said if (passage.id, text) in self.close]
        return max(known, default=USUAL_CLOSENESS)

    def weight(self, terms: frozenset[str]) -> float:
        """An amount is the asker's own case more often than what the source says, so it weighs less."""
        return sum(self.idf.get(term, self.idf[""]) * (0.4 if _is_amount(term) else 1.0) for term in terms)

    def covered(self, terms: frozenset[str]) -> float:
        """Share of the question's weight that the terms hold."""
        return self.weight(self.terms & terms) / (self.weight(self.terms) or 1.0)

    def lacking(self, passage: Passage) -> float:
        """Share of the particular terms that the passage and its headings do not hold."""
        return len(self.particular - _held(passage)) / (len(self.particular) or 1)


@lru_cache(maxsize=16384)
def terms_of(text: str) -> frozenset[str]:
    return frozenset(analyze(text))


def read_question(brief: Brief, query: str, *, close: Closeness, elsewhere: Elsewhere) -> QuestionTerms:
    """BM25's idf over the evidence's sentences; `""` holds the weight of a term that no sentence has."""
    bags = [terms_of(text) for passage in brief.evidence.passages for text in passage_sentences(passage.text)]
    counts = Counter(term for bag in bags for term in bag)
    idf = {term: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for term, n in counts.items()}
    mine = terms_of(query)
    if brief.route.intent == "ask" and brief.question.history:  # what a follow-up adds to its thread is what it asks
        idf.update({term: _FRESH * idf[term] for term in mine & terms_of(brief.question.text) & idf.keys()})
    return QuestionTerms(
        terms=mine,
        idf={**idf, "": math.log(2 * len(bags) + 2)},
        kind=kind_of(query),
        schemes=frozenset(brief.route.schemes),
        limits=any(_is_amount(term) for term in mine),
        close=close,
        elsewhere=elsewhere,
        particular=_particular(mine, brief.evidence.passages),
        subject=max(sorted(mine & idf.keys()), key=lambda term: (not term[0].isdigit(), idf[term]), default=""),
    )


def _particular(mine: frozenset[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Had an article of ours held them, the search for these words would have found it."""
    ours = frozenset().union(*(_held(passage) for passage in passages if is_built_in(passage.document_id)))
    added = frozenset().union(*(_held(passage) for passage in passages if not is_built_in(passage.document_id)))
    return mine & (added - ours)


def _held(passage: Passage) -> frozenset[str]:
    return terms_of(indexed_text(passage))


def _is_amount(term: str) -> bool:
    return term.isdigit() and len(term) > 3 and not re.fullmatch(r"20\d\d", term)


def excerpts(evidence: Evidence, asked: QuestionTerms) -> list[Excerpt]:
    """Quotable excerpts of the passages, in evidence order. Where some hold the lot or reference that was asked for,
    they alone: the next line of a price list is another lot's."""
    numbered = ((number, item) for number, item in evidence.numbered() if isinstance(item, Passage))
    found = [excerpt for number, passage in numbered for excerpt in _of_passage(number, passage, asked)]
    codes = frozenset(term for term in asked.terms if _CODE.fullmatch(term))
    return [excerpt for excerpt in found if codes and codes <= excerpt.terms] or found


def _of_passage(number: int, passage: Passage, asked: QuestionTerms) -> Iterator[Excerpt]:
    said = passage_sentences(passage.text)
    if (question := _place(passage)[1]) and asked.elsewhere(question):
        return
    for index, sentence in enumerate(said):
        if not quotable(sentence) or _LEANS.search(sentence) or _ANNOUNCES.match(sentence) or asked.elsewhere(sentence):
            continue
        yield _excerpt(number, passage, index, (sentence,), asked)
        following = said[index + 1] if index + 1 < len(said) else ""
        if quotable(following) and _LEANS.search(following) and len(f"{sentence} {following}".split()) <= LONGEST_WORDS:
            yield _excerpt(number, passage, index, (sentence, following), asked)


def _excerpt(number: int, passage: Passage, index: int, said: tuple[str, ...], asked: QuestionTerms) -> Excerpt:
    text = " ".join(said)
    section, question = _place(passage)
    match = _same_question(question, asked) if question else 0.0
    example = bool(_EXAMPLE.search(" ".join((section, text))))
    own, close = terms_of(text), asked.closeness(passage, said)
    rival = _of_a_rival(said[0], asked)
    leads = asked.subject in terms_of(" ".join(said[0].split()[:7]))
    score = (
        asked.covered(own)
        + CLOSENESS * (close - USUAL_CLOSENESS)
        + 0.3 * asked.covered(terms_of(" ".join((passage.title, *passage.heading))))
        + 0.3 / (1 + 0.3 * (number - 1))
        + _about(passage, asked)
        + max(answers(sentence, asked.kind) for sentence in said)
        + 0.5 * match
        - 0.5 * (example and asked.kind != "example")
        + 0.2 * leads
        + 0.2 * any(terms_of(scheme.replace("-", " ")) <= own for scheme in asked.schemes)
        + 0.25 * (asked.limits and bool(_LIMIT.search(text)))
        - 0.2 * bool(_CONNECTS.search(said[0]))
        - 0.5 * bool(_SELF.search(text))
        - 0.5 * rival
        - _LACKS * asked.lacking(passage)
        - 0.006 * max(0, len(text.split()) - 28)
    )
    values = figures(text)
    days = frozenset(str(value.value) for value in values if value.kind == "day")
    return Excerpt(
        source=number,
        index=index,
        sentences=said,
        terms=own,
        score=score,
        section=section,
        category=passage.category,
        faq=question,
        match=match,
        polar=bool(re.match(r"(?:Oui|Non)\b", text)),
        example=example,
        figures=len(values),
        days=days,
        leads=leads,
        close=close,
        about=not asked.schemes or bool({passage.document_id, *passage.entities} & asked.schemes),
        own=is_own_file(passage.document_id),
        rival=rival,
    )


def _of_a_rival(sentence: str, asked: QuestionTerms) -> bool:
    """Whether it opens with a scheme that stands against the one asked about: `Le Pinel` for Loc'Avantages."""
    opens = schemes(" ".join(sentence.split()[:7])) & having("rival")
    return bool(asked.schemes & having("rival") and opens) and not opens & asked.schemes


def quotable(sentence: str) -> bool:
    """Whether the sentence can stand in an answer as it is: no link, marker, table, invisible sign, impossible day."""
    if not 4 <= len(sentence.split()) <= LONGEST_WORDS or re.search(r"[\[\]|{}`【】*#<>\n]", sentence):
        return False
    if not re.match(r"(?:[«\"(]\s?)?[A-ZÀ-ÝŒ0-9]", sentence) or sentence.endswith((":", ";", ",")):
        return False
    return harmless(sentence) == sentence and all(value.kind != "impossible" for value in figures(sentence))


def _place(passage: Passage) -> tuple[str, str]:
    """(H2, FAQ question) of a passage; its heading path may start with the document's own title."""
    path = [part for part in passage.heading if part != passage.title]
    question = path[-1] if FAQ in path and path[-1].endswith("?") else ""
    return (path[0] if path else ""), question


def _about(passage: Passage, asked: QuestionTerms) -> float:
    """An article on the question's scheme goes before one that merely mentions it; a team's file names none."""
    if not asked.schemes or not is_built_in(passage.document_id):
        return 0.0
    if {passage.document_id, *passage.entities[:1]} & asked.schemes:
        return 0.25
    return 0.1 if asked.schemes & frozenset(passage.entities) else -0.35


def _same_question(question: str, asked: QuestionTerms) -> float:
    """How much an FAQ question is the one asked. Under SAME_QUESTION when one holds a condition that the other lacks
    (its `Non` would be another's), or asks for another sort of answer; 0 when it names another place or amount."""
    theirs = frozenset(term for term in terms_of(question) if not re.fullmatch(r"20\d\d", term))
    named = frozenset().union(*(terms_of(word) for word in re.findall(r"(?<=[\s'’])[A-ZÀ-Ý][\w-]+", question)))
    amounts = {term for term in theirs - asked.terms if term[0].isdigit()}
    if named - asked.terms or amounts:
        return 0.0
    shared = asked.weight(asked.terms & theirs)
    of_theirs, of_mine = shared / (asked.weight(theirs) or 1.0), shared / (asked.weight(asked.terms) or 1.0)
    if of_theirs < _THEIRS or of_mine < _MINE or not _like(kind_of(question), asked.kind):
        return 0.4 * min(of_theirs, of_mine)
    return min(1.0, (of_theirs + of_mine) / 2)


def _like(one: Form, other: Form) -> bool:
    return (
        one == other
        or "other" in (one, other)
        or {one, other} <= {"yes_no", "until"}
        or {one, other} <= {"when", "until"}
    )
