"""What several searches of one question found, as one list: fused, varied, with a seat for each search."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from corpus.french import terms_in
from corpus.questions.bank import Match
from corpus.types import Passage
from pipeline.relevance.unheld import Unheld
from pipeline.types import Route

RANK_BIAS: Final = 10
"""k of reciprocal rank fusion: small, for the lists are short and their heads matter."""
MAIN_WEIGHT: Final = 2.0
SCHEME_BOOST: Final = 1.15
SAME: Final = 0.9
"""Two passages that share this much of their terms say the same. At .8, entries that answer two questions nearly alike
were lost (-.003 nDCG@10 on every kind)."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What one query found ("" for what a message leans on in its thread); `failed`: remarks where it could not be
    searched as it should. `ranked`: with what the question bank adds; `nearest`: its best entry. Without the bank or a
    vector that and `unheld` are None. `in_files`: it asks what a file says, and the team's own that tell it lead."""

    query: str
    passages: tuple[Passage, ...]
    failed: tuple[str, ...] = ()
    ranked: tuple[Passage, ...] = ()
    nearest: Match | None = None
    unheld: Unheld | None = None
    in_files: bool = False


def fused(hits: Sequence[Hits], route: Route) -> list[Passage]:
    """Reciprocal rank fusion, the main query weighted; passages about the named schemes gain a little."""
    weights: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for found in hits:
        weight = MAIN_WEIGHT if found.query in ("", route.query) else 1.0
        for rank, passage in enumerate(found.ranked, start=1):
            weights[passage.id] = weights.get(passage.id, 0.0) + weight / (RANK_BIAS + rank)
            passages[passage.id] = _better(passages.get(passage.id), passage)
    schemes = set(route.schemes)
    for name, passage in passages.items():
        if schemes & set(passage.entities):
            weights[name] *= SCHEME_BOOST
    return [passages[name] for name in sorted(weights, key=lambda name: (-weights[name], name))]


def _better(known: Passage | None, found: Passage) -> Passage:
    """One passage found by two queries keeps its best figures."""
    if known is None:
        return found
    cosines = [value for value in (known.similarity, found.similarity) if value is not None]
    return replace(
        known,
        score=max(known.score, found.score),
        similarity=max(cosines, default=None),
        coverage=max(known.coverage, found.coverage),
    )


def seats_of(good: Iterable[Hits], *, main: str) -> list[str]:
    """The best passage of each sub-query that found something: every aspect is in the evidence."""
    return [found.ranked[0].id for found in good if found.query != main]


def varied(ranked: Sequence[Passage], route: Route, *, seats: Sequence[str], limit: int) -> list[Passage]:
    """The first `limit` in rank order, seats included, without near-duplicates and without one document taking all."""
    # One passage at least is of another document, unless one scheme is named: with less of one document, sections of
    # the right article were lost (docs/retrieval.md).
    cap = limit if len(route.schemes) == 1 else max(1, limit - 1)
    reserved = [passage for passage in ranked if passage.id in seats][:limit]
    chosen = islice(_distinct_passages((*reserved, *ranked), cap=cap), limit)
    order = {passage.id: position for position, passage in enumerate(ranked)}
    return sorted(chosen, key=lambda passage: order[passage.id])


def _distinct_passages(passages: Iterable[Passage], *, cap: int) -> Iterator[Passage]:
    taken: dict[str, int] = {}
    seen: list[frozenset[str]] = []
    for passage in passages:
        terms = terms_in(passage.text)
        if taken.get(passage.document_id, 0) >= cap or any(_alike(terms, other) for other in seen):
            continue
        taken[passage.document_id] = taken.get(passage.document_id, 0) + 1
        seen.append(terms)
        yield passage


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= SAME * max(1, len(first | second))
