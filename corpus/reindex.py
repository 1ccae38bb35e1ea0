"""Passages as stored -> the same passages under today's analyser and embedder, in place or in a version beside."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.chunking import indexed_text
from corpus.ingest import NO_VECTORS, renewed
from corpus.ports import Embedder, PassageArchive, StagedIndex, embedder_for, taken_at_once
from corpus.types import Passage

Report = Callable[[str], None]
Held = Mapping[str, Mapping[str, str]]
"""Tenant -> document id -> digest."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a re-indexing did, in documents."""

    renewed: int = 0
    unchanged: int = 0
    retired: int = 0


async def reindex(index: PassageArchive, *, embedder: Embedder, report: Report = lambda line: None) -> Renewal:
    """In place, one document at a time: readers find each whole, in its old version or in its new one.

    Safe to interrupt and to repeat. Raises `IndexUnavailable`, and `EmbedderUnavailable` before a document changes.
    """
    return await _copied(await _held(index), index, index, embedder=embedder, report=report)


async def reindex_beside(
    live: PassageArchive, staged: StagedIndex, *, embedder: Embedder, report: Report = lambda line: None
) -> Renewal:
    """Fill `staged`, put it in service, then take over what was written to `live` meanwhile. Raises as `reindex`."""
    held = await _held(live)
    done = await _copied(held, live, staged, embedder=embedder, report=report)
    for tenant, digests in (await _held(staged)).items():
        gone = sorted(set(digests) - set(held.get(tenant, {})))
        done = replace(done, retired=done.retired + await staged.delete(gone, tenant=tenant))
    await staged.go_live()
    # From here on writers of the old version are refused: this second look is the last one needed, and it leaves
    # alone what a writer of the new version may have changed since.
    later = await _held(live)
    changed = {
        tenant: {name: digest for name, digest in digests.items() if held.get(tenant, {}).get(name) != digest}
        for tenant, digests in later.items()
    }
    late = await _copied(changed, live, staged, embedder=embedder, report=report)
    for tenant, digests in held.items():
        gone = sorted(set(digests) - set(later.get(tenant, {})))
        done = replace(done, retired=done.retired + await staged.delete(gone, tenant=tenant))
    return replace(done, renewed=done.renewed + late.renewed)


async def _held(index: PassageArchive) -> Held:
    return {tenant: await index.digests(tenant=tenant) for tenant in await index.tenants()}


async def _copied(
    held: Held, source: PassageArchive, target: PassageArchive, *, embedder: Embedder, report: Report
) -> Renewal:
    """In turns of a few documents, embedded in one call; what an earlier run has done is found done."""
    done, all_of = Renewal(), sum(map(len, held.values()))
    for tenant, documents in held.items():
        allowed = embedder_for(tenant, embedder)
        there = await target.digests(tenant=tenant)
        version = allowed.version if allowed else NO_VECTORS
        wanted = {name: renewed(digest, embedder=version) for name, digest in documents.items()}
        late = [name for name in sorted(documents) if there.get(name) != wanted[name]]
        done = replace(done, unchanged=done.unchanged + len(documents) - len(late))
        async for turn in _turns(late, source, tenant, most=taken_at_once(embedder)):
            texts = [indexed_text(passage) for _, passages in turn for passage in passages]
            vectors = await allowed.passages(texts) if allowed else None
            end = 0
            for name, passages in turn:
                start, end = end, end + len(passages)
                rows = None if vectors is None else vectors[start:end]
                await target.upsert(name, passages, rows, tenant=tenant, digest=wanted[name])
                done = replace(done, renewed=done.renewed + 1)
                report(f"{done.renewed + done.unchanged}/{all_of} {tenant} : {name}")
    return done


async def _turns(
    names: Sequence[str], source: PassageArchive, tenant: str, *, most: int
) -> AsyncIterator[list[tuple[str, list[Passage]]]]:
    """Documents with their passages, about `most` passages at a time."""
    turn: list[tuple[str, list[Passage]]] = []
    for name in names:
        turn.append((name, await source.passages(name, tenant=tenant)))
        if sum(len(passages) for _, passages in turn) >= most:
            yield turn
            turn = []
    if turn:
        yield turn
