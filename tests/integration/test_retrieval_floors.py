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
    """Hybrid keeps its floors on all questions; the legs and our own are compared on a quarter."""
    vectors = await vectors_of(data, cache=CACHE, compute=False)
    if vectors is None:
        pytest.skip(
            "the measuring set's vectors are not in var/bench: `python -m bench retrieval` computes them in 15 minutes"
        )
    sample = Questions(data.passages, dict(list(data.queries.items())[::4]), data.relevant)
    async with embedded(tmp_path, data, vectors) as indexes:
        ways = searches(indexes, vectors)
        hybrid = await measure(ways["hybrid"], data)
        found = {name: await measure(search, sample) for name, search in ways.items()}
    assert hybrid["ndcg@10"] >= 0.82, hybrid
    assert hybrid["r@5"] >= 0.885, hybrid
    assert hybrid["r@10"] >= 0.915, hybrid
    assert hybrid["mrr"] >= 0.79, hybrid
    assert found["dense"]["ndcg@10"] >= 0.72, found
    assert found["hybrid"]["ndcg@10"] - found["bm25"]["ndcg@10"] >= 0.02, found
    assert found["ours"]["ndcg@10"] >= found["hybrid"]["ndcg@10"] - 0.005, found
