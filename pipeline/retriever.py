"""Route -> passages: the query and its forced sub-queries searched at once, fused, varied, above a floor."""

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import structlog

from corpus.chunking import indexed_text
from corpus.closeness import LocalSense
from corpus.errors import EmbedderUnavailable, IndexUnavailable, OldSchema, RerankerUnavailable, VectorMismatch
from corpus.french import terms_in
from corpus.ports import Embedder, PassageIndex, Reranker, Vector
from corpus.questions.bank import Match, QuestionBank
from corpus.questions.joining import BANKED, joined
from corpus.types import SHARED_TENANT, Filters, Passage, is_built_in
from pipeline.relevance.buildings import of_another_building
from pipeline.relevance.decision import Subject, held, is_live
from pipeline.relevance.floors import enough
from pipeline.relevance.unheld import NOT_READ, Unheld, read_unheld
from pipeline.text.masking import mask, without_identifiers
from pipeline.text.outward import about
from pipeline.text.persons import persons_in
from pipeline.text.pseudonyms import Cover, known_in
from pipeline.thread_state import from_json
from pipeline.types import Question, Route

log = structlog.get_logger()

WORDS_ONLY: Final = "Recherche par le sens indisponible : le corpus a été cherché par mots seulement."
STALE_VECTORS: Final = "Le corpus doit être réindexé : il a été cherché par mots seulement."
NOT_RERANKED: Final = "Reclassement indisponible : les passages sont dans l'ordre de la recherche."
NO_INDEX: Final = "La base documentaire ne répond pas : le corpus n'a pas pu être consulté en entier."

OLD_INDEX: Final = "Le corpus doit être réindexé : il n'a pas pu être consulté en entier."

SEARCHED: Final = 60
"""Passages taken of each query; the floor looks for the question's words and for the best cosine in them."""
RERANKED: Final = 40
RERANK_SECONDS: Final = 1.5
"""Somebody waits: a service that takes longer is not waited for."""
RANK_BIAS: Final = 10
"""k of reciprocal rank fusion: small, for the lists are short and their heads matter."""
MAIN_WEIGHT: Final = 2.0
SCHEME_BOOST: Final = 1.15
LEAST_SCORE: Final = 6.0
"""Of an entry that is the question: nine in ten ways of asking that the bank does not know find theirs above it, and
seven in ten questions that nothing of ours answers find none."""
SAME: Final = 0.9
"""Two passages that share this much of their terms say the same. At .8, entries that answer two questions nearly alike
were lost (-.003 nDCG@10 on every kind)."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Passages best first. `degraded`: what did not work, in French. `enough`: whether they can carry an answer;
    `in_articles`: the same, where that was learned of our articles; `nearest`: the bank's best entry."""

    passages: tuple[Passage, ...]
    degraded: tuple[str, ...]
    enough: bool
    in_articles: bool | None = None
    unheld: Unheld = NOT_READ
    nearest: Match | None = None


@dataclass(frozen=True, slots=True)
class Searcher:
    """What one question is searched with, and where. `local`: see `Deps`."""

    index: PassageIndex
    embedder: Embedder | None
    bank: QuestionBank | None
    local: LocalSense | None
    tenants: Sequence[str]
    filters: Filters


@dataclass(frozen=True, slots=True)
class _Hits:
    """What one query found; `failed`: remarks where it could not be searched as it should. `ranked`: with what the
    question bank adds; `nearest`: its best entry. Without the bank or a vector that and `unheld` are None."""

    query: str
    passages: tuple[Passage, ...]
    failed: tuple[str, ...] = ()
    ranked: tuple[Passage, ...] = ()
    nearest: Match | None = None
    unheld: Unheld | None = None


async def retrieve(
    route: Route,
    question: Question,
    *,
    index: PassageIndex,
    embedder: Embedder | None,
    bank: QuestionBank | None = None,
    local: LocalSense | None = None,
    reranker: Reranker | None = None,
    limit: int = 8,
) -> Retrieval:
    """Never raises for a part that is down: fewer passages and a remark. Reads the question's tenants and audience."""
    route = replace(route, query=without_identifiers(route.query))
    queries = list(dict.fromkeys(q for s in (route.query, *route.sub_queries) if (q := without_identifiers(s)).strip()))
    filters = Filters(audiences=question.audience)
    # Each is searched as soon as it has its vector, while the next one gets its own; the longest first, for a long one
    # that starts last is waited for alone.
    longest = sorted(queries, key=len, reverse=True)
    shared = bank if SHARED_TENANT in question.tenants else None
    persons = persons_in(from_json(question.memory))
    searcher = Searcher(index, about(embedder, persons), shared, local, question.tenants, filters)
    searches = (_found(query, searcher) for query in longest)
    found_for = dict(zip(longest, await asyncio.gather(*searches), strict=True))
    hits = [_about(found_for[query], question.text) for query in queries]
    named = bool(route.schemes or route.aspects)
    good = [found for found in hits if _carries(found, hits[0].unheld, shared, route=route, named=named)]
    ranked, unranked = await _reranked(_fused(hits, route), route.query, reranker, persons)
    remarks = dict.fromkeys(text for text in (*(said for found in hits for said in found.failed), unranked) if text)
    passages = _varied(ranked, route, seats=_seats(good, main=route.query), limit=limit)
    main = hits[0]
    decided = bool(good) if main.unheld is not None and not is_live(route) else None
    return Retrieval(tuple(passages), tuple(remarks), bool(good), decided, main.unheld or NOT_READ, main.nearest)


async def asked_for(route: Route, *, embedder: Embedder | None, bank: QuestionBank | None) -> Retrieval:
    """Of a question that tools alone answer: nothing is searched, its own words are read."""
    query, own = without_identifiers(route.query), None
    if bank is not None and query.strip():
        vector, _ = await _embedded(query, embedder)
        own = _own_words(query, vector, bank.nearest(query, vector, limit=1))
    return Retrieval(passages=(), degraded=(), enough=False, unheld=own or NOT_READ)


def _about(found: _Hits, text: str) -> _Hits:
    """Without the files about another building than the one that is named."""
    other = {p.id for p in found.passages if of_another_building(p, text)}
    kept, ranked = (tuple(p for p in some if p.id not in other) for some in (found.passages, found.ranked))
    return replace(found, passages=kept, ranked=ranked)


async def _found(query: str, searcher: Searcher) -> _Hits:
    vector, remarks = await _embedded(query, searcher.embedder)
    found = await _search(query, vector, searcher)
    found = replace(found, failed=(*remarks, *found.failed))
    if searcher.local is not None:
        vector, _ = await _embedded(query, searcher.local.embedder)
        found = replace(found, passages=await searcher.local.told(found.passages, vector))
    found = replace(found, ranked=found.passages)
    return _with_entries(found, vector, searcher.bank) if searcher.bank is not None and found.passages else found


def _with_entries(found: _Hits, vector: Vector | None, bank: QuestionBank) -> _Hits:
    """With what the bank adds: nothing to a search that a team's own file leads."""
    near = bank.nearest(found.query, vector, limit=BANKED)
    if is_built_in(found.passages[0].document_id):
        found = replace(found, ranked=joined(found.passages, near))
    own = _own_words(found.query, vector, near)
    return found if own is None else replace(found, nearest=near[0], unheld=own)


def _own_words(query: str, vector: Vector | None, near: Sequence[Match]) -> Unheld | None:
    """None for words alone, and for vectors of another embedder."""
    return None if vector is None or not near or not near[0].signs.told else read_unheld(query, vector)


def _carries(found: _Hits, whole: Unheld | None, bank: QuestionBank | None, *, route: Route, named: bool) -> bool:
    """Whether what was found can carry an answer. `whole`: of the whole question."""
    if bank is None or found.nearest is None or whole is None:
        return enough(found.query, found.passages, places=len(route.communes), named=named)
    asked = Subject(found.query, whole.odds, len(route.communes), named, live=is_live(route))
    return held(asked, found.passages, found.nearest, bank.rarity)


async def _embedded(query: str, embedder: Embedder | None) -> tuple[Vector | None, tuple[str, ...]]:
    if embedder is None:
        return None, (WORDS_ONLY,)
    try:
        return (await embedder.queries([query]))[0], ()
    except EmbedderUnavailable as error:
        log.warning("embedder_failed", reason=str(error))
        return None, (WORDS_ONLY,)


async def _search(query: str, vector: Vector | None, searcher: Searcher) -> _Hits:
    try:
        return _Hits(query, await _passages(query, vector, searcher))
    except VectorMismatch:
        pass
    except IndexUnavailable as error:
        return _lost(query, error)
    try:
        found = await _passages(query, None, searcher)
    except IndexUnavailable as error:
        return _lost(query, error)
    return _Hits(query, found, (STALE_VECTORS,))


def _lost(query: str, error: IndexUnavailable) -> _Hits:
    log.warning("search_failed", reason=str(error))
    return _Hits(query, (), (OLD_INDEX if isinstance(error, OldSchema) else NO_INDEX,))


async def _passages(query: str, vector: Vector | None, searcher: Searcher) -> tuple[Passage, ...]:
    tenants, filters = searcher.tenants, searcher.filters
    return tuple(await searcher.index.search(query, vector=vector, tenants=tenants, filters=filters, limit=SEARCHED))


def _fused(hits: Sequence[_Hits], route: Route) -> list[Passage]:
    """Reciprocal rank fusion, the main query weighted; passages about the named schemes gain a little."""
    weights: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for found in hits:
        weight = MAIN_WEIGHT if found.query == route.query else 1.0
        for rank, passage in enumerate(found.ranked, start=1):
            weights[passage.id] = weights.get(passage.id, 0.0) + weight / (RANK_BIAS + rank)
            passages[passage.id] = _better(passages.get(passage.id), passage)
    schemes = set(route.schemes)
    for name, passage in passages.items():
        if schemes & set(passage.entities):
            weights[name] *= SCHEME_BOOST
    return [passages[name] for name in sorted(weights, key=lambda name: (-weights[name], name))]


async def _reranked(
    ranked: Sequence[Passage], query: str, reranker: Reranker | None, persons: Sequence[str]
) -> tuple[list[Passage], str | None]:
    """The first passages as the service orders them, the rest behind. Late or failing, the fused order stands."""
    first = list(ranked[:RERANKED])
    if reranker is None or len(first) < 2:
        return list(ranked), None
    try:
        async with asyncio.timeout(RERANK_SECONDS):
            asked, *texts = _outward([query, *map(indexed_text, first)], persons)
            scores = await reranker.scores(asked, texts)
    except (RerankerUnavailable, TimeoutError) as error:
        log.warning("reranker_failed", reason=str(error) or f"{RERANK_SECONDS} s")
        return list(ranked), NOT_RERANKED
    order = sorted(range(len(first)), key=lambda position: -scores[position])
    return [*(first[position] for position in order), *ranked[RERANKED:]], None


def _outward(texts: Sequence[str], persons: Sequence[str]) -> list[str]:
    """As a service may see them: personal numbers masked, clients under other names, the same in all of them."""
    masked = [mask(text) for text in texts]
    known, cover = known_in(masked, persons), Cover(secrets.token_bytes(32))
    return [cover.hide(text, known) for text in masked]


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


def _seats(good: Iterable[_Hits], *, main: str) -> list[str]:
    """The best passage of each sub-query that found something: every aspect is in the evidence."""
    return [found.ranked[0].id for found in good if found.query != main]


def _varied(ranked: Sequence[Passage], route: Route, *, seats: Sequence[str], limit: int) -> list[Passage]:
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
