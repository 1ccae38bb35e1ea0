"""The numbered evidence as the gate reads it: sentences, content words, figures, names of rules and schemes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from corpus.types import Passage, is_own_file
from pipeline.grounding.clauses import Clause, Sentence, content, known, read_sentence
from pipeline.grounding.lexicon import flat
from pipeline.text.dates import month_of, months
from pipeline.text.figures import Value, figures, supports
from pipeline.text.letters import plain_letters
from pipeline.text.orders import is_order
from pipeline.text.references import references, schemes
from pipeline.text.sentences import passage_sentences
from pipeline.text.wording import in_digits
from pipeline.types import Evidence, Figure, ToolResult

QUOTE_CHARACTERS: Final = 300
REREAD: Final = "Textes relus le {:%d/%m/%Y}."
"""What a passage's metadata says of it."""
_BROKEN: Final = re.compile(r"(?<=\d)[ \u00a0\u202f]*\n[ \u00a0\u202f]*(?=\d{3}(?!\d)|€|%|euros?\b|ans\b|mois\b|m²)")
_SITE: Final = re.compile(
    r"\b(?:[\w-]+\.(?:fr|com|org|net|eu)|service[- ]public|l[ée]gifrance|impots\.gouv|bofip|minist[èe]re|g[ée]orisques|"
    r"banque de france|anil\b|adil\b|insee\b|ademe\b|gouv\b)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered piece of evidence. `sentences`: its own, then what its metadata and its tool's figures state;
    `raw`: its own as written; `title`: words of title and heading, which hold for all of it."""

    id: int
    kind: str
    name: str
    url: str
    as_of: date | None
    raw: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    title: tuple[str, ...]
    title_text: str
    flowing: str
    flat_text: str
    names: frozenset[str]
    schemes: frozenset[str]
    months: frozenset[int]


def read(evidence: Evidence) -> dict[int, Source]:
    """Sources by id; what code computed from a piece of evidence stands there as its own figures."""
    found = {}
    for number, item in evidence.numbered():
        source = _passage(number, item) if isinstance(item, Passage) else _tool_result(number, item)
        worked = [e for e in evidence.ledger if not e.inputs or number in e.inputs]
        stated = tuple(_stated(value, label) for entry in worked for value, label in _shown(entry.figure))
        found[number] = replace(source, sentences=(*source.sentences, *stated))
    return found


def _passage(number: int, passage: Passage) -> Source:
    heading = " ".join((passage.title, *passage.heading))
    stated = (*_validity(passage), *((value, heading) for value in figures(in_digits(heading), generous=True)))
    name = " › ".join((passage.title, *passage.heading[-1:]))
    from_web = ":" in passage.document_id and not is_own_file(passage.document_id)
    name = with_host(name, passage.url, always=from_web)
    as_of = passage.published or passage.effective_from
    source = _source(
        number, "passage", name, passage.url, as_of, "\n".join((passage.title, *passage.heading)), passage.text, stated
    )
    read_on = flowing(REREAD.format(passage.published)) if passage.published else ""
    return replace(source, schemes=source.schemes | frozenset(passage.entities), flowing=f"{source.flowing}{read_on}")


def _tool_result(number: int, result: ToolResult) -> Source:
    stated = tuple(pair for figure in result.figures for pair in _shown(figure))
    name = with_host(result.title or result.call.tool, result.url, always=result.call.tool == "web")
    return _source(number, result.call.tool, name, result.url, result.as_of, result.title, result.text, stated)


def _source(
    number: int,
    kind: str,
    name: str,
    url: str,
    as_of: date | None,
    headings: str,
    text: str,
    stated: tuple[tuple[Value, str], ...],
) -> Source:
    text, headings = _mended(text), plain_letters(headings)
    heading = headings.replace("\n", " ")
    raw = passage_sentences(text)
    if any(map(is_order, raw)):  # nothing rests on a sentence that tells a machine what to do
        raw = tuple(sentence for sentence in raw if not is_order(sentence))
        text = "\n".join(raw)
    whole = f"{heading} {text}"
    return Source(
        id=number, kind=kind, name=name, url=url, as_of=as_of, raw=raw,
        sentences=(*(read_sentence(said, generous=True) for said in raw), *(_stated(v, label) for v, label in stated)),
        title=content(heading), title_text=heading, flowing=flowing(f"{headings}\n{text}"),
        flat_text=flat(text), names=_names(whole), schemes=schemes(whole),
        months=months(whole) | {month_of(str(value.value)) for value, _ in stated},
    )  # fmt: skip


@lru_cache(maxsize=2048)
def _mended(text: str) -> str:
    """One alphabet, and figures whole that a line break cut in two."""
    return _BROKEN.sub(" ", plain_letters(text))


def with_host(name: str, url: str, *, always: bool) -> str:
    """A title is what a page says of itself, and may be the name of an official site: its host stands beside it."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    shown = host and host not in name.lower() and (always or _SITE.search(name))
    return f"{name} ({host})" if shown else name


def _stated(value: Value, label: str) -> Sentence:
    """A figure of the metadata or of a tool, under its label, as a sentence."""
    words = content(label)
    clause = Clause(label, 0, 0, words, (value, *figures(label, generous=True)))
    return Sentence(label, label, (clause,), words, known(words), clause.values)


def _validity(passage: Passage) -> Iterator[tuple[Value, str]]:
    """The dates of a passage's metadata, under the words that speak of them."""
    labels = (
        (passage.published, "relu revu publié à jour source texte article"),
        (passage.effective_from, "entrée en vigueur, applicable depuis"),
        (passage.effective_to, "fin de validité, applicable jusqu'au"),
    )
    for day, label in labels:
        if day is not None:
            yield Value("day", day.isoformat(), "", 0, 0), label


def _shown(figure: Figure) -> Iterator[tuple[Value, str]]:
    written = f"{Decimal(str(figure.value)):f}".removesuffix(".0").replace(".", ",")
    for value in figures(f"{written} {figure.unit}".strip()):
        yield value, figure.label


def _names(text: str) -> frozenset[str]:
    return frozenset(reference.name for reference in references(in_digits(text)))


@lru_cache(maxsize=4096)
def flowing(text: str) -> str:
    """Words and figures alone, a full stop between sentences: to look whole sentences up, whatever their spacing."""
    told = (" ".join(_WORD.findall(sentence.lower())) for sentence in passage_sentences(text))
    return "|" + "|".join(told) + "|"


def holds(source: Source, sentence: str) -> bool:
    """Whether the source says these very words, as whole sentences of its own."""
    wanted = flowing(sentence)
    return len(wanted) > 2 and wanted in source.flowing


def quote(source: Source, claims: list[str]) -> str:
    """The sentence of the source that best matches what was said of it, at most QUOTE_CHARACTERS."""
    if not source.raw:
        return source.name[:QUOTE_CHARACTERS]
    said = known([word for claim in claims for word in content(claim)])
    wanted = [value for claim in claims for value in figures(claim)]
    own = zip(source.raw, source.sentences, strict=False)
    best = max(own, key=lambda pair: _closeness(pair[1], said, wanted))[0]
    return best if len(best) <= QUOTE_CHARACTERS else best[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def _closeness(sentence: Sentence, said: frozenset[str], wanted: list[Value]) -> float:
    words = frozenset(sentence.words)
    shared = len(words & said) / (len(words) + 5)
    carried = sum(any(supports(value, claim) for value in sentence.values) for claim in wanted)
    return shared + (carried / len(wanted) if wanted else 0.0)
