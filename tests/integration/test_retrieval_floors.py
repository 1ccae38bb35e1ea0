"""Retrieval floors on the measuring set beside the checkout: measured figures minus about .01."""

import os
from pathlib import Path

import pytest

from bench.measures import mean_measures
from bench.retrieval import Questions, embedded, fill, load_set, measure, searches, vectors_of
from corpus.french import fold
from corpus.index.embedded import EmbeddedIndex
from corpus.types import SHARED_TENANT, Filters

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("QS_SHARED", ROOT.parent / "shared")) / "retrieval"
CACHE = ROOT / "var" / "bench" / "vectors.npz"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.exists(), reason=f"no measuring set in {FOLDER.name}/ beside the checkout"),
]


@pytest.fixture(scope="module")
def data() -> Questions:
    return load_set(FOLDER)


async def test_words_alone_find_with_and_without_accents(data: Questions, tmp_path: Path) -> None:
    """BM25 over title and text: nDCG@10 >= .785, R@10 >= .885, and the same without accents."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await fill(index, data, None)

    async def ranking(text: str) -> list[str]:
        found = await index.search(text, vector=None, tenants=(SHARED_TENANT,), filters=Filters(), limit=10)
        return [hit.id for hit in found]

    typed = {query: await ranking(text) for query, text in data.queries.items()}
    bare = {query: await ranking(fold(text)) for query, text in list(data.queries.items())[::5]}
    await index.aclose()
    figures = mean_measures(typed, data.relevant)
    assert figures["ndcg@10"] >= 0.785, figures
    assert figures["r@10"] >= 0.885, figures
    same = mean_measures({query: typed[query] for query in bare}, data.relevant)["ndcg@10"]
    assert mean_measures(bare, data.relevant)["ndcg@10"] == pytest.approx(same, abs=0.002)


async def test_vectors_and_fusion_keep_their_floors(data: Questions, tmp_path: Path) -> None:
    """Dense, hybrid and the product's own retrieval, with vectors computed earlier."""
    vectors = await vectors_of(data, cache=CACHE, compute=False)
    if vectors is None:
        pytest.skip(
            "the measuring set's vectors are not in var/bench: `python -m bench retrieval` computes them in 15 minutes"
        )
    async with embedded(tmp_path, data, vectors) as indexes:
        found = {name: await measure(search, data) for name, search in searches(indexes, vectors).items()}
    assert found["dense"]["ndcg@10"] >= 0.73, found
    assert found["dense"]["r@10"] >= 0.84, found
    for name in ("hybrid", "ours"):
        assert found[name]["ndcg@10"] >= 0.82, found
        assert found[name]["r@5"] >= 0.885, found
        assert found[name]["r@10"] >= 0.915, found
        assert found[name]["mrr"] >= 0.79, found
    assert found["hybrid"]["ndcg@10"] - found["bm25"]["ndcg@10"] >= 0.03, found
