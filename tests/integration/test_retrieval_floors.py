"""Retrieval floors on the measuring set beside the checkout: measured figures minus about .01."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.ranking.measures import mean_measures
from bench.ranking.retrieval import Questions, Vectors, embedded, fill, load_set, measure, searches, vectors_of
from corpus.french import fold
from corpus.index.embedded import EmbeddedIndex
from corpus.types import SHARED_TENANT, Filters, Passage

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("QS_SHARED", ROOT.parent / "shared")) / "retrieval"
NINTH = 9
"""427 questions: what they measure lies within .01 of what all 3,835 do, in a tenth of the time."""
CACHE = ROOT / "var" / "bench" / "vectors.npz"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.exists(), reason=f"no measuring set in {FOLDER.name}/ beside the checkout"),
]


@dataclass(frozen=True, slots=True)
class Filled:
    """The set in `retrieval.sqlite` of the folder; `vectors` None where they have not been computed yet."""

    data: Questions
    vectors: Vectors | None
    folder: Path

    def sample(self, step: int) -> Questions:
        return Questions(self.data.passages, dict(list(self.data.queries.items())[::step]), self.data.relevant)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Once for all tests: filling takes longer than any of them."""
    folder = tmp_path_factory.mktemp("floors")

    async def prepared() -> Filled:
        data = load_set(FOLDER)
        vectors = await vectors_of(data, cache=CACHE, compute=False)
        index = EmbeddedIndex(folder / "retrieval.sqlite")
        await fill(index, data, vectors)
        await index.aclose()
        return Filled(data, vectors, folder)

    return asyncio.run(prepared())


Search = Callable[[str], Awaitable[list[Passage]]]


@pytest.fixture
async def by_words(filled: Filled) -> AsyncIterator[Callable[[EmbeddedIndex], Search]]:
    """The lexical leg of an index as a search; the indexes are closed afterwards."""
    opened: list[EmbeddedIndex] = []

    def search_of(index: EmbeddedIndex) -> Search:
        opened.append(index)

        async def search(text: str) -> list[Passage]:
            return await index.search(text, vector=None, tenants=(SHARED_TENANT,), filters=Filters(), limit=10)

        return search

    yield search_of
    for index in opened:
        await index.aclose()


async def test_words_alone_find_with_and_without_accents(
    filled: Filled, by_words: Callable[[EmbeddedIndex], Search]
) -> None:
    """BM25 over title and text: nDCG@10 >= .785, R@10 >= .885, and the same without accents."""
    bm25 = by_words(EmbeddedIndex(filled.folder / "retrieval.sqlite", weights=None))
    data = filled.sample(NINTH)
    typed = {query: [hit.id for hit in await bm25(text)] for query, text in data.queries.items()}
    bare = {query: [hit.id for hit in await bm25(fold(data.queries[query]))] for query in typed}
    figures = mean_measures(typed, data.relevant)
    assert figures["ndcg@10"] >= 0.785, figures
    assert figures["r@10"] >= 0.885, figures
    same = mean_measures({query: typed[query] for query in bare}, data.relevant)["ndcg@10"]
    assert mean_measures(bare, data.relevant)["ndcg@10"] == pytest.approx(same, abs=0.002)


async def test_the_second_look_pays_by_words_alone(filled: Filled, by_words: Callable[[EmbeddedIndex], Search]) -> None:
    """What an installation without an embedder finds, as typed and with a letter lost: measured +.02 and +.04."""
    path = filled.folder / "retrieval.sqlite"
    bm25, ours = by_words(EmbeddedIndex(path, weights=None)), by_words(EmbeddedIndex(path))
    sample = filled.sample(NINTH)
    misspelt = Questions(sample.passages, {q: _misspelt(text) for q, text in sample.queries.items()}, sample.relevant)
    for data, gain in ((sample, 0.01), (misspelt, 0.02)):
        before, after = await measure(bm25, data), await measure(ours, data)
        assert after["ndcg@10"] >= before["ndcg@10"] + gain, (before, after)


def _misspelt(text: str) -> str:
    longest = max(text.replace("'", " ").split(), key=len, default="")
    return text.replace(longest, longest[:3] + longest[4:], 1) if len(longest) > 5 else text


async def test_vectors_and_fusion_keep_their_floors(filled: Filled) -> None:
    """The legs, their fusion and our own, on a ninth of the questions (all of them: `make bench-retrieval`)."""
    if filled.vectors is None:
        pytest.skip(
            "the measuring set's vectors are not in var/bench: `python -m bench retrieval` computes them in 15 minutes"
        )
    sample = filled.sample(NINTH)
    async with embedded(filled.folder, filled.data, filled.vectors) as indexes:
        found = {name: await measure(search, sample) for name, search in searches(indexes, filled.vectors).items()}
    assert found["dense"]["ndcg@10"] >= 0.71, found
    assert found["hybrid"]["ndcg@10"] >= 0.81, found
    assert found["hybrid"]["ndcg@10"] - found["bm25"]["ndcg@10"] >= 0.01, found
    ours = found["ours"]
    assert ours["ndcg@10"] - found["hybrid"]["ndcg@10"] >= 0.02, found
    assert ours["ndcg@10"] >= 0.85, ours
    assert ours["r@5"] >= 0.905, ours
    assert ours["r@10"] >= 0.93, ours
    assert ours["mrr"] >= 0.815, ours
