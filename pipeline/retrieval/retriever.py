"""Route -> passages: the query and its forced sub-queries searched at once, fused, varied, above a floor."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from corpus.chunking import indexed_text
from corpus.closeness import LocalSense
from corpus.errors import EmbedderUnavailable, IndexUnavailable, OldSchema, RerankerUnavailable, VectorMismatch
from corpus.french import terms_in
from corpus.ports import Embedder, PassageIndex, Reranker, Vector
from corpus.questions.bank import Match, QuestionBank
from corpus.questions.joining import BANKED, joined
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Filters, Passage, is_built_in, is_own_file
from pipeline.relevance.buildings import of_another_building
from pipeline.relevance.decision import UNHELD, Subject, held, is_live
from pipeline.relevance.floors import enough
from pipeline.relevance.unheld import NOT_READ, Unheld, read_unheld
from pipeline.retrieval.fusing import Hits, fused, seats_of, varied
from pipeline.text.file_words import asked_of_a_file
from pipeline.text.leaning import ANSWERS, LIKELY, NOTHING, learned_of, nearest_in_thread
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
SURELY_HELD: Final = -1.0
"""Log-odds that a question asks for what nothing of ours holds, below which one in a thread is not refused for want of
a near entry."""
LEAST_SCORE: Final = 5.5
"""Of an entry that is the question. About where 4 stood before the model's second training moved the scores; at 4 nine
in ten ways of asking that the bank did not know found theirs above it, and seven in ten questions that nothing of ours
answers found none. Not measured again."""


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

    question: Question
    index: PassageIndex
    embedder: Embedder | None
    bank: QuestionBank | None
    local: LocalSense | None
    tenants: Sequence[str]
    filters: Filters


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
    searcher = Searcher(question, index, about(embedder, persons), shared, local, question.tenants, filters)
    searches = (_found(query, searcher) for query in longest)
    found_for = dict(zip(longest, await asyncio.gather(*searches), strict=True))
    hits = [_about(found_for[query], question.text) for query in queries]
    named = bool(route.schemes or route.aspects)
    good = [found for found in hits if _carries(found, hits[0].unheld, shared, route=route, named=named)]
    leaning = await _leaning(question, hits[0], searcher)
    if any(_far(found) for found in leaning) and not _surely_held(hits[0].unheld):
        good = [found for found in good if found.nearest and found.nearest.score >= LEAST_SCORE]
    least = LIKELY if hits[0].unheld is not None and hits[0].unheld.odds <= UNHELD else ANSWERS
    good += [found for found in leaning if found.nearest and found.nearest.score >= least]
    ranked, unranked = await _reranked(fused([*hits, *leaning], route), route.query, reranker, persons)
    remarks = dict.fromkeys(text for text in (*(said for found in hits for said in found.failed), unranked) if text)
    passages = varied(ranked, route, seats=seats_of(good, main=route.query), limit=limit)
    main = hits[0]
    decided = bool(good) if main.unheld is not None and not is_live(route) else None
    return Retrieval(tuple(passages), tuple(remarks), bool(good), decided, main.unheld or NOT_READ, main.nearest)


async def asked_for(route: Route, *, embedder: Embedder | None, bank: QuestionBank | None) -> Retrieval:
    """Of a question that tools alone answer: nothing is searched, its own words are read."""
    query, own = without_identifiers(route.query), None
    if bank is not None and query.strip():
        vector, _ = await _embedded(query, embedder)
        own = _own_words(query, vector, bank.nearest(query, vector, limit=1, learned=await bank.asked(query)))
    return Retrieval(passages=(), degraded=(), enough=False, unheld=own or NOT_READ)


def _about(found: Hits, text: str) -> Hits:
    """Without the files about another building than the one that is named."""
    other = {p.id for p in found.passages if of_another_building(p, text)}
    kept, ranked = (tuple(p for p in some if p.id not in other) for some in (found.passages, found.ranked))
    return replace(found, passages=kept, ranked=ranked)


async def _found(query: str, searcher: Searcher) -> Hits:
    vector, remarks = await _embedded(query, searcher.embedder)
    found = await _files_first(await _search(query, vector, searcher), vector, searcher)
    found = replace(found, failed=(*remarks, *found.failed))
    if searcher.local is not None:
        vector, _ = await _embedded(query, searcher.local.embedder)
        found = replace(found, passages=await searcher.local.told(found.passages, vector))
    found = replace(found, ranked=found.passages)
    if searcher.bank is None or not found.passages:
        return found
    return await _with_entries(found, vector, searcher.bank, searcher.question)


async def _files_first(found: Hits, vector: Vector | None, searcher: Searcher) -> Hits:
    """Where the query asks what a file says, passages of the team's own files lead that hold all its other words, this
    channel's first: « que dit le compte rendu ? » is nearer to articles on such papers than to any file."""
    rest, own = asked_of_a_file(found.query), [name for name in searcher.tenants if name != SHARED_TENANT]
    if rest is None or not own:
        return found
    found_in = await _search(found.query, vector, replace(searcher, tenants=own))
    asked = terms_in(rest)
    files = [p for p in found_in.passages if is_own_file(p.document_id) and asked <= terms_in(indexed_text(p))]
    if not files:
        return found
    files.sort(key=lambda passage: passage.audience == PUBLIC_AUDIENCE)
    leading = {passage.id for passage in files}
    others = (passage for passage in found.passages if passage.id not in leading)
    return replace(found, passages=(*files, *others), in_files=True)


async def _leaning(question: Question, main: Hits, searcher: Searcher) -> tuple[Hits, ...]:
    """What a message of a thread finds among the entries with all that it leans on; nothing beside a search that a
    team's own file leads, or that found nothing at all."""
    if searcher.bank is None or not main.passages or not is_built_in(main.passages[0].document_id):
        return ()

    async def embed(text: str) -> Vector | None:
        return (await _embedded(text, searcher.embedder))[0]

    near = await nearest_in_thread(question, searcher.bank, embed, limit=BANKED)
    return (Hits("", (), ranked=tuple(match.entry.passage for match in near), nearest=near[0]),) if near else ()


async def _with_entries(found: Hits, vector: Vector | None, bank: QuestionBank, question: Question) -> Hits:
    """With what the bank adds: nothing to a search that a team's own file leads."""
    learned = await learned_of(found.query, question, bank)
    near = bank.nearest(found.query, vector, limit=BANKED, learned=learned)
    if is_built_in(found.passages[0].document_id):
        found = replace(found, ranked=joined(found.passages, near))
    own = _own_words(found.query, vector, near)
    return found if own is None else replace(found, nearest=near[0], unheld=own)


def _far(leaning: Hits) -> bool:
    """Whether no entry answers a message with all that it leans on: unknown by words alone, whose scores are lower."""
    best = leaning.nearest
    return best is not None and bool(best.signs.told) and best.score < NOTHING


def _surely_held(unheld: Unheld | None) -> bool:
    """Whether a message asks by its own words for what our articles hold, whatever entry it comes near."""
    return unheld is not None and unheld.odds < SURELY_HELD


def _own_words(query: str, vector: Vector | None, near: Sequence[Match]) -> Unheld | None:
    """None for words alone, and for vectors of another embedder."""
    return None if vector is None or not near or not near[0].signs.told else read_unheld(query, vector)


def _carries(found: Hits, whole: Unheld | None, bank: QuestionBank | None, *, route: Route, named: bool) -> bool:
    """Whether what was found can carry an answer. `whole`: of the whole question."""
    if found.in_files:
        return True
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


async def _search(query: str, vector: Vector | None, searcher: Searcher) -> Hits:
    try:
        return Hits(query, await _passages(query, vector, searcher))
    except VectorMismatch:
        pass
    except IndexUnavailable as error:
        return _lost(query, error)
    try:
        found = await _passages(query, None, searcher)
    except IndexUnavailable as error:
        return _lost(query, error)
    return Hits(query, found, (STALE_VECTORS,))


def _lost(query: str, error: IndexUnavailable) -> Hits:
    log.warning("search_failed", reason=str(error))
    return Hits(query, (), (OLD_INDEX if isinstance(error, OldSchema) else NO_INDEX,))


async def _passages(query: str, vector: Vector | None, searcher: Searcher) -> tuple[Passage, ...]:
    tenants, filters = searcher.tenants, searcher.filters
    return tuple(await searcher.index.search(query, vector=vector, tenants=tenants, filters=filters, limit=SEARCHED))


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
