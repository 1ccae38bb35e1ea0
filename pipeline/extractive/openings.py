"""Everything that an answer may open with, and what is seen of it beside the question: dated records, what tools found,
entries and sentences of the articles. Weighed by `python -m bench openings`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pipeline.extractive.asked import Asked, terms_of
from pipeline.extractive.candidates import Excerpt
from pipeline.extractive.fact_tables import FactsTold
from pipeline.extractive.leading import GIVES, gives, odds_of, values_of
from pipeline.extractive.question_forms import Form
from pipeline.extractive.sentence_shapes import is_polar, opposed, shapes_of
from pipeline.extractive.signals import Signals
from pipeline.extractive.weights import Weights
from pipeline.text.references import references

MOST: Final = 12
"""Excerpts, the likeliest, that are held against each other."""
_SEEN: Final = ("close", "passage", "rank", "example", "itself", "short", "long", "warns")
"""Signals of an excerpt that count here again, beside those of its entry."""
_FITTING: Final[Sequence[tuple[Form, str]]] = (
    ("definition", "defines"), ("how", "method"), ("difference", "contrast"), ("why", "reason"), ("who", "bearer"),
)  # fmt: skip
"""Forms of questions that ask for no value, and the shape of a sentence that answers each."""
_ENTRY: Final = "entry."
_LATER: Final = ".later"
_UNLIKE: Final = -2.0
"""Log-odds of what is no entry at all."""


@dataclass(frozen=True, slots=True)
class Opening:
    """`text`: its first sentence. One of `facts`, `tool` (a tool's name) and `excerpt` is set."""

    text: str
    facts: FactsTold | None = None
    tool: str = ""
    excerpt: Excerpt | None = None

    @property
    def kind(self) -> Literal["facts", "live", "rules"]:
        return "facts" if self.facts else "live" if self.tool else "rules"


def openings(facts: FactsTold, live: Sequence[tuple[str, str]], pool: Sequence[Excerpt]) -> list[Opening]:
    """`live`: (tool, first sentence of a finding); of the pool the likeliest, each sentence once."""
    found = [Opening(facts.opening[0][1], facts=facts)] if facts.opening else []
    found += [Opening(text, tool=tool) for tool, text in live]
    ruled: dict[str, Excerpt] = {}
    for excerpt in sorted(pool, key=lambda e: -e.score):
        if len(ruled) < MOST:
            ruled.setdefault(excerpt.sentences[0], excerpt)
    return [*found, *(Opening(text, excerpt=excerpt) for text, excerpt in ruled.items())]


def odds(found: Sequence[Opening], asked: Asked, weights: Weights) -> list[float]:
    """Of each, comparable between them: differences are log-odds that the one answers and the other does not."""
    return [weights.opens(signs) for signs in signs_of(found, asked)]


def signs_of(found: Sequence[Opening], asked: Asked) -> list[Signals]:
    """In order; how the likeliest excerpt scores, and which values several of them give, is seen of all together."""
    best = max((one.excerpt.score for one in found if one.excerpt), default=0.0)
    votes = Counter(value for one in found for value in values_of(one.text))
    kinds = {one.kind for one in found}
    return [
        {**_of_any(one, asked, votes), **_of_kind(one, asked), **_of_excerpt(one.excerpt, best)}
        | {f"{one.kind}.beside.{kind}": 1.0 for kind in kinds - {one.kind, "rules"}}
        for one in found
    ]


def _of_any(one: Opening, asked: Asked, votes: Counter[tuple[str, str, str]]) -> Signals:
    own, told = terms_of(one.text), _terms(one)
    values = values_of(one.text)
    wanted = sum(likely for form, likely in asked.forms.items() if form in GIVES)
    given = sum(likely for form, likely in asked.forms.items() if gives(form, [one.text]))
    shapes = shapes_of(one.text)
    asserts, polar = asked.forms.get("yes_no", 0.0), is_polar(one.text)
    return {
        "covers": asked.covered(told),
        "covers.asking": asked.part(asked.asking, told),
        "covers.asking.own": asked.part(asked.asking, own),
        "gives": given,
        "gives.not": wanted - given,
        "polar": asserts * polar,
        "polar.unasked": (1 - asserts) * polar,
        "polar.not": asserts * (not polar),
        "opposed": float(opposed(asked.terms, told)),
        "opposed.asking": float(opposed(asked.asking, told)),
        "more": asked.weight(_named(one) - asked.terms) / 10,
        "votes": max((votes[value] - 1 for value in values), default=0) / 5,
        "bare": float(not values),
        "law>law": asked.forms.get("law", 0.0) * bool(references(one.text)),
        **{f"{form}>{shape}": asked.forms.get(form, 0.0) * (shape in shapes) for form, shape in _FITTING},
    }


def _of_kind(one: Opening, asked: Asked) -> Signals:
    """What counts for one kind only."""
    asking = asked.part(asked.asking, _terms(one))
    if one.facts:
        return {
            "facts": 1.0,
            "facts.score": min(one.facts.score, 2.0),
            "facts.case": one.facts.case,
            "facts.rows": float(bool(one.facts.rows)),
            "facts.covers": asking,
            "facts.asserts": asked.forms.get("yes_no", 0.0),
            "facts.gives": sum(likely for form, likely in asked.forms.items() if gives(form, [one.text])),
        }
    if one.tool:
        return {
            "live": 1.0,
            f"live:{one.tool}": 1.0,
            "live.covers": asking,
            "live.asserts": asked.forms.get("yes_no", 0.0),
            "live.scheme": float(bool(asked.schemes)),
        }
    return {}


def _of_excerpt(excerpt: Excerpt | None, best: float) -> Signals:
    if excerpt is None:
        return {}
    entry = {name: value for name, value in excerpt.signals.items() if name.startswith(_ENTRY) and _LATER not in name}
    return {
        "score": excerpt.score / 5,
        "score.behind": best - excerpt.score,
        "same": odds_of(excerpt.same) if excerpt.faq else _UNLIKE,
        "same.chance": excerpt.same,
        **{name: excerpt.signals.get(name, 0.0) for name in _SEEN},
        **entry,
    }


def _terms(one: Opening) -> frozenset[str]:
    return terms_of(one.text) | (terms_of(one.excerpt.faq) if one.excerpt else frozenset())


def _named(one: Opening) -> frozenset[str]:
    """The terms of what it answers: of its own question, or of itself."""
    return terms_of(one.excerpt.faq if one.excerpt and one.excerpt.faq else one.text)
