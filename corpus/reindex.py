"""Passages as stored -> the same passages under today's analyser and embedder, in place or in a version beside."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from corpus.chunking import indexed_text
from corpus.ingest import renewed
from corpus.ports import Embedder, PassageArchive, StagedIndex

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
    done = Renewal()
    for tenant, documents in held.items():
        there = await target.digests(tenant=tenant)
        for document, digest in sorted(documents.items()):
            wanted = renewed(digest, embedder=embedder.version)
            if there.get(document) == wanted:
                done = replace(done, unchanged=done.unchanged + 1)
                continue
            passages = await source.passages(document, tenant=tenant)
            vectors = await embedder.passages([indexed_text(passage) for passage in passages])
            await target.upsert(document, passages, vectors, tenant=tenant, digest=wanted)
            done = replace(done, renewed=done.renewed + 1)
            report(f"{tenant} : {document}")
    return done
