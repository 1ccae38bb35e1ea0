"""Articles against the records of facts: a figure that stands where a fact is named, and that no fact has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from corpus.facts.book import fact_book
from corpus.facts.values import Fact
from corpus.french import analyze
from corpus.sentences import sentences
from pipeline.text.fact_wording import value_of
from pipeline.text.figures import Value, figures

ARTICLES: Final = Path(__file__).parents[1] / "corpus" / "articles"
EXAMPLES: Final = frozenset(("Calcul et exemple", "En pratique pour le conseiller"))
"""Sections whose amounts are somebody's case."""
NAMED: Final = 0.6
"""Share of a fact's telling words that a sentence must have to name it."""
MENTIONED, MENTIONED_HERE = 0.4, 0.3
"""The same, to speak of it; less is needed in the fact's own article."""
KINDS: Final = frozenset(("percent", "amount", "measure"))
_CASE: Final = re.compile(
    r"^(?:Exemple|Avec \d|Pour \d|Sur (?:une|\d)|Un (?:foyer|client|couple|célibataire|bien|logement|bailleur) )|"
    r"\bpar exemple\b|\bsupposé|\bhypothèse\b| = | × |\bsoit \d[\d\s]*(?:,\d+)? €|\brevient\b|\bcoûterait\b|"
    r"\béconomise\b|\b[àd]'?(?:une|la) (?:tranche|TMI)\b|\b[Pp]our une tranche\b|\btranche marginale\b|"
    r"\ble cumul atteint\b",
)
"""Sentences that work out somebody's case."""
Figure = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of an article, with its headings."""

    article: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A figure of a sentence (`10700 €`) that names a fact and is not its value."""

    said: Said
    figure: str
    fact: Fact

    def __str__(self) -> str:
        return (
            f"{self.said.article} : {self.figure} contredit « {self.fact.label} » ({self.fact.id}) : {self.said.text}"
        )


def said_in(path: Path) -> Iterator[Said]:
    """The sentences of an article that state rules, in order."""
    text = path.read_text(encoding="utf-8").split("---", 2)[2]
    headings: dict[int, str] = {}
    for line in text.splitlines():
        if found := re.match(r"^(#{2,3}) (.*)$", line):
            level = len(found[1])
            headings = {depth: title for depth, title in headings.items() if depth < level} | {level: found[2]}
        elif line.strip() and not EXAMPLES & set(headings.values()):
            for sentence in sentences(line):
                if not _CASE.search(sentence):
                    yield Said(path.stem, tuple(headings.values()), sentence)


@dataclass(frozen=True)
class Known:
    """A fact as the check sees it: the telling words of what it is, its own figures and those that it mentions."""

    fact: Fact
    telling: frozenset[str]
    values: frozenset[Figure]
    all: frozenset[Figure]


@cache
def known_facts() -> tuple[Known, ...]:
    return tuple(_known(fact) for fact in fact_book().facts)


def _known(fact: Fact) -> Known:
    told = f"{fact.label} {value_of(fact)} {fact.condition} {fact.sentence}"
    return Known(fact, words(fact.label), _keys(value_of(fact)) or _keys(fact.sentence), _keys(told))


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    return frozenset(term for term in analyze(text) if not term[0].isdigit())


def _keys(text: str) -> frozenset[Figure]:
    return frozenset(key(value) for value in figures(text) if value.kind in KINDS)


def key(value: Value) -> Figure:
    return value.kind, str(value.value), value.unit


def contradictions(said: Said) -> Iterator[Contradiction]:
    """Figures of a sentence that names a fact of the same unit, where no fact that it speaks of has them."""
    for value, named, held in _checked(said):
        if named and not held:
            yield Contradiction(said, f"{value.value:f} {value.unit}".strip(), named[0].fact)


def guarded(said: Said) -> Iterator[Value]:
    """Figures that stand, because a fact which the sentence names has them."""
    for value, named, _ in _checked(said):
        if any(key(value) in known.values for known in named):
            yield value


def _checked(said: Said) -> Iterator[tuple[Value, Sequence[Known], bool]]:
    """Each figure with the facts of its unit that are named beside it, and whether any fact spoken of has it."""
    here = [value for value in figures(said.text) if value.kind in KINDS]
    if not here:
        return
    own = words(said.text)
    around = own | words(" ".join((said.article.replace("-", " "), *said.headings)))
    near = [known for known in known_facts() if known.telling & own and _spoken_of(known, said, around)]
    named = [known for known in near if _share(known, around) >= NAMED]
    for value in here:
        unit = (value.kind, value.unit)
        rivals = [known for known in named if any((kind, of) == unit for kind, _, of in known.values)]
        yield value, rivals, any(key(value) in known.all for known in near)


def _spoken_of(known: Known, said: Said, around: frozenset[str]) -> bool:
    mine = said.article in (known.fact.article, *known.fact.schemes)
    return _share(known, around) >= (MENTIONED_HERE if mine else MENTIONED)


def _share(known: Known, around: frozenset[str]) -> float:
    return len(known.telling & around) / (len(known.telling) or 1)


def rules() -> Sequence[Said]:
    return [said for path in sorted(ARTICLES.glob("*.md")) for said in said_in(path)]
