"""Both indexes find the same: the top ten of 500 questions of the measuring set."""

import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bench.ranking.retrieval import OURS, Vectors, embedded, load_set, vectors_of, weaviate
from corpus.ports import PassageIndex
from corpus.types import SHARED_TENANT, Filters
from tests.contract.passage_indexes import NEEDS_WEAVIATE

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("QS_SHARED", ROOT.parent / "shared")) / "retrieval"
CACHE = ROOT / "var" / "bench" / "vectors.npz"

NOBODY = (SHARED_TENANT, "T-without-anything")

pytestmark = [
    *NEEDS_WEAVIATE,
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.exists(), reason=f"no measuring set in {FOLDER.name}/ beside the checkout"),
]


async def test_the_top_ten_of_both_indexes_overlap(tmp_path: Path) -> None:
    """At least 98 %, for the plain fusion and as the product ranks, over one tenant and over two."""
    data = load_set(FOLDER)
    vectors = await vectors_of(data, cache=CACHE, compute=False)
    if vectors is None:
        pytest.skip(
            "the measuring set's vectors are not in var/bench: `python -m bench retrieval` computes them in 15 minutes"
        )
    asked = list(data.queries.values())[:: len(data.queries) // 500][:500]
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(embedded(tmp_path, data, vectors))
        theirs = await stack.enter_async_context(weaviate(tmp_path, data, vectors))
        for at in range(0, len(data.passages), 12):  # a team of its own, whose passages lie between the others
            one, row = data.passages[at], vectors.passages_matrix[at : at + 1]
            for indexes in (ours, theirs):
                for name in {"hybrid", OURS} if indexes is theirs else {OURS}:
                    await indexes[name].upsert(one.id, [one], row, tenant="T1", digest="1")
        for name in ("hybrid", OURS):
            for tenants, some in (((SHARED_TENANT,), asked), ((SHARED_TENANT, "T1"), asked[::4]), (NOBODY, asked[::4])):
                overlaps = [await _overlap(text, vectors, tenants, ours[name], theirs[name]) for text in some]
                print(f"{name}, {len(tenants)} tenant(s): {sum(overlaps) / len(overlaps):.4f}")  # shown by pytest -s
                assert sum(overlaps) / len(overlaps) >= 0.98, (name, tenants)


async def _overlap(
    text: str, vectors: Vectors, tenants: tuple[str, ...], ours: PassageIndex, theirs: PassageIndex
) -> float:
    """Share of the first index's top ten that the second has too."""
    first, second = [
        {
            hit.id
            for hit in await index.search(
                text, vector=vectors.by_query[text], tenants=tenants, filters=Filters(), limit=10
            )
        }
        for index in (ours, theirs)
    ]
    return len(first & second) / max(1, len(first))
