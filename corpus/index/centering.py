"""Cosines about the mean vector of a language's vectors.

Vectors of e5 fill a narrow cone: unrelated French texts have cosines of .75 to .87, and some short passages lie close
to everything. Taking most of the mean of many French passages off both sides removes what all have in common. The mean
is that of our own articles, kept in a file: it was measured on a set that it has never seen (`docs/retrieval.md`), and
vectors stored in a server depend on it, so that it must not move with each article.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.ports import Vector
from corpus.vectors import content_key, load_vectors, save_vectors

SHARE: Final = 0.9
"""The whole mean would also take off what makes a short question one about property at all."""

MEAN_VECTORS: Final = Path(__file__).parents[1] / "mean_vectors.npz"


def load_mean_vector(version: str, path: Path = MEAN_VECTORS) -> Vector | None:
    """The mean vector of this embedder's vectors; None for an embedder that has none. Raises `EmbedderUnavailable`."""
    return load_vectors(path).get(content_key("centre", version=version))


def save_mean_vector(vectors: NDArray[np.float32], *, version: str, path: Path = MEAN_VECTORS) -> None:
    """`SHARE` of their mean, beside the centres of other embedders."""
    known = load_vectors(path)
    save_vectors({**known, content_key("centre", version=version): SHARE * vectors.mean(axis=0)}, path)


class Centering:
    """Unit vectors about a mean vector; without one, or for vectors of another size, the vectors as they are."""

    def __init__(self, mean_vector: Vector | None) -> None:
        self._mean_vector = mean_vector

    def centred(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Shape as given: one vector, or one a row."""
        return self.split(vectors)[0]

    def split(self, vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(unit vectors about the mean vector, their lengths before): what `whole` takes."""
        if self._mean_vector is None or vectors.shape[-1] != len(self._mean_vector):
            return vectors, np.ones(vectors.shape[:-1], np.float32)
        moved = vectors - self._mean_vector
        lengths = np.maximum(np.linalg.norm(moved, axis=-1), np.float32(1e-6))
        return moved / lengths[..., None], lengths

    def whole(self, centred: NDArray[np.float32], lengths: NDArray[np.float32]) -> NDArray[np.float32]:
        """The vectors as the embedder gave them; shapes as `split` returns them."""
        if self._mean_vector is None or centred.shape[-1] != len(self._mean_vector):
            return centred
        whole: NDArray[np.float32] = centred * lengths[..., None] + self._mean_vector
        return whole
