"""Whether the articles answer a question: fitted on what they answer and on what they do not.

Few signs: how near the best passages and the best entry of the question bank are, which of the question's words they
lack and how rare these are, and whether the question by its own words asks for what no corpus of rules has.
`python -m bench answerable` fits the weights and prints what is refused at which price.
"""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from corpus.chunking import indexed_text
from corpus.everyday import stand_ins
from corpus.french import distinct, terms_in
from corpus.questions.bank import Match
from corpus.questions.prepared import Entry
from corpus.types import Passage
from pipeline.relevance.floors import about_another_scheme, relevance, unknown_share

LEAST, SURE = 0.34, 0.52
"""Under the first a question is refused: one in eleven of those that our articles answer, seven in ten of the others.
From the second on it is answered; between them the floors decide, which know short questions of other fields."""
LEAST_BARE, SURE_BARE = 0.42, 0.84
"""The same of a question of few words that names nothing of the field: its nearness is more often a coincidence."""
FITTED: Final = Path(__file__).with_name("learned") / "answerable.json"
Signs = Mapping[str, float]
_USUAL, _SPREAD = 0.9, 0.04
"""Of e5: where the best passage of a question of the field lies."""
_ODDS, _LEARNED = 4.0, 4.0
_LONG: Final = 20
_LEADING: Final = 3
"""Passages that count as what was found beside the best entry."""
_MUCH: Final = 3.0
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
Rarity = Callable[[str], float]
"""Of an index term, in ]0, 1]."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """The question's words that a text lacks: their share of all, the rarest of them, their sum."""

    share: float
    rarest: float
    whole: float


def signs_of(
    text: str,
    found: Sequence[Passage],
    entries: Sequence[Match],
    *,
    places: int,
    named: bool,
    unheld: float,
    rarity: Rarity,
) -> Signs:
    """Each about in [-1, 1]. `unheld`: log-odds that the question asks for what no corpus holds; `rarity`: of a term
    among the entries."""
    best = entries[0] if entries else None
    told = _terms_of(best.entry) if best else frozenset()
    entry = lacking(text, told, rarity)
    every = lacking(text, told.union(*(terms_in(indexed_text(passage)) for passage in found[:_LEADING])), rarity)
    close = max((passage.similarity or 0.0 for passage in found), default=0.0)
    return {
        "": 1.0,
        "close": max(-1.5, min(1.5, (close - _USUAL) / _SPREAD)),
        "best": max(-1.5, min(1.5, (max(map(relevance, found), default=0.0) - _USUAL) / _SPREAD)),
        "covered": max((passage.coverage for passage in found), default=0.0),
        "unknown": unknown_share(text, found, places),
        "lead": min(1.0, best.lead / _ODDS) if best else 0.0,
        "asked": best.signs.asked if best else 0.0,
        "told": best.signs.told if best else 0.0,
        "ways": best.signs.ways if best else 0.0,
        "words": best.signs.words if best else 0.0,
        "learned": max(-1.5, min(1.5, best.signs.learned / _LEARNED)) if best else 0.0,
        "named": float(named),
        "rival": float(about_another_scheme(text, found)),
        "short": 1.0 / max(1, len(distinct(text))),
        "long": min(1.0, len(distinct(text)) / _LONG),
        "entry lacks": entry.share,
        "entry lacks rare": entry.rarest,
        "entry lacks much": min(_MUCH, entry.whole) / _MUCH,
        "all lack": every.share,
        "all lack rare": every.rarest,
        "unheld": max(-1.5, min(1.5, unheld / _ODDS)),
    }


def lacking(text: str, held: Collection[str], rarity: Rarity) -> Lacking:
    """What of `text` is not among the terms `held`. A year is a question's circumstance; of an everyday word the words
    of the texts count."""
    meant, terms = stand_ins(text), distinct(text)
    absent = [
        rarity(term)
        for term in terms
        if term not in held and not _YEAR.fullmatch(term) and not any(other in held for other in meant.get(term, ()))
    ]
    whole = sum(map(rarity, terms)) or 1.0
    return Lacking(sum(absent) / whole, max(absent, default=0.0), sum(absent))


def _terms_of(entry: Entry) -> frozenset[str]:
    return terms_in(indexed_text(entry.passage)).union(*map(terms_in, entry.ways))


def answerable(signs: Signs, weights: Mapping[str, float] | None = None) -> float:
    """Probability in [0, 1]."""
    held = fitted() if weights is None else weights
    odds = sum(held.get(name, 0.0) * value for name, value in signs.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def fitted() -> Mapping[str, float]:
    found: dict[str, float] = json.loads(FITTED.read_text(encoding="utf-8"))
    return found
