"""The numbered evidence as the gate reads it: sentences, content words, figures, names of rules and schemes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from corpus.french import analyze
from corpus.types import Passage
from pipeline.text.figures import Value, figures, supports
from pipeline.text.references import references, schemes
from pipeline.text.sentences import passage_sentences
from pipeline.text.wording import in_digits
from pipeline.types import Computed, Evidence, Figure, ToolResult

QUOTE_CHARACTERS = 300
_ONE_SOURCE, _SEVERAL_SOURCES = 0.5, 0.3
"""Share of a claim's content words that must stand around its figure. Measured on French passages, a half binds 82 %
of misplaced figures and keeps 99.9 % of right ones. A sentence that cites several sources spreads its words."""


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One numbered piece of evidence. `context`: content words of title and heading. `shown`: a tool's figures."""

    id: int
    kind: str
    title: str
    url: str
    as_of: date | None
    sentences: tuple[str, ...]
    context: frozenset[str]
    names: frozenset[str]
    schemes: frozenset[str]
    shown: tuple[tuple[Value, frozenset[str]], ...] = ()


def read(evidence: Evidence) -> dict[int, EvidenceText]:
    """Sources by id."""
    return {
        number: _passage(number, item) if isinstance(item, Passage) else _tool_result(number, item)
        for number, item in evidence.numbered()
    }


def _passage(number: int, passage: Passage) -> EvidenceText:
    heading = " ".join((passage.title, *passage.heading))
    whole = f"{heading} {passage.text}"
    return EvidenceText(
        id=number,
        kind="passage",
        title=" › ".join((passage.title, *passage.heading[-1:])),
        url=passage.url,
        as_of=passage.published or passage.effective_from,
        sentences=passage_sentences(passage.text),
        context=words(heading),
        names=_names(whole),
        schemes=schemes(whole) | frozenset(passage.entities),
        shown=(*_validity(passage), *((value, words(heading)) for value in figures(in_digits(heading), generous=True))),
    )


def _validity(passage: Passage) -> Iterator[tuple[Value, frozenset[str]]]:
    """The dates of a passage's metadata, under the words that speak of them."""
    labels = (
        (passage.published, "relu revu publié à jour source texte article"),
        (passage.effective_from, "entrée en vigueur, applicable depuis"),
        (passage.effective_to, "fin de validité, applicable jusqu'au"),
    )
    for day, label in labels:
        if day is not None:
            yield Value("day", day.isoformat(), "", 0, 0), words(label)


def _tool_result(number: int, result: ToolResult) -> EvidenceText:
    whole = f"{result.title} {result.text}"
    labels = " ".join(figure.label for figure in result.figures)
    return EvidenceText(
        id=number, kind=result.call.tool, title=result.title or result.call.tool, url=result.url, as_of=result.as_of,
        sentences=passage_sentences(result.text), context=words(f"{whole} {labels}"), names=_names(whole),
        schemes=schemes(whole), shown=tuple(pair for figure in result.figures for pair in _shown(figure)),
    )  # fmt: skip


def _shown(figure: Figure) -> Iterator[tuple[Value, frozenset[str]]]:
    written = f"{Decimal(str(figure.value)):f}".removesuffix(".0").replace(".", ",")
    for value in figures(f"{written} {figure.unit}".strip()):
        yield value, words(figure.label)


@lru_cache(maxsize=16384)
def words(text: str) -> frozenset[str]:
    """Content words, stemmed; figures are compared as figures, so digits are left out."""
    return frozenset(term for term in analyze(text) if not term[0].isdigit())


def _names(text: str) -> frozenset[str]:
    return frozenset(reference.name for reference in references(in_digits(text)))


def carries(source: EvidenceText, claim: Value, said: frozenset[str], *, several: bool) -> bool:
    """Whether the figure stands in a sentence of the source which, with its neighbours and heading, speaks of what the
    claim says; or is one of a tool's figures under a label that shares a word with the claim."""
    need = (_SEVERAL_SOURCES if several else _ONE_SOURCE) * len(said)
    for index, sentence in enumerate(source.sentences):
        if any(supports(value, claim) for value in figures(sentence, generous=True)):
            near = source.sentences[max(0, index - 1) : index + 2]
            if len(said & source.context.union(*(words(other) for other in near))) >= need:
                return True
    return any(supports(value, claim) and (not label or label & said) for value, label in source.shown)


def computed(ledger: tuple[Computed, ...], claim: Value, cited: frozenset[int]) -> bool:
    """Whether the figure is one that code computed from evidence that the sentence cites."""
    for entry in ledger:
        if entry.inputs and cited.isdisjoint(entry.inputs):
            continue
        if any(supports(value, claim) for value, _ in _shown(entry.figure)):
            return True
    return False


def quote(source: EvidenceText, claims: list[str]) -> str:
    """The sentence of the source that best matches what was said of it, at most QUOTE_CHARACTERS."""
    if not source.sentences:
        return source.title[:QUOTE_CHARACTERS]
    said = frozenset().union(*(words(claim) for claim in claims))
    wanted = [value for claim in claims for value in figures(claim)]
    best = max(source.sentences, key=lambda sentence: _closeness(sentence, said, wanted))
    return best if len(best) <= QUOTE_CHARACTERS else best[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def _closeness(sentence: str, said: frozenset[str], wanted: list[Value]) -> float:
    own = words(sentence)
    shared = len(own & said) / (len(own) + 5)
    found = figures(sentence, generous=True)
    carried = sum(any(supports(value, claim) for value in found) for claim in wanted)
    return shared + (carried / len(wanted) if wanted else 0.0)
