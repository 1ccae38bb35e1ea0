"""Fits the linear models: one-vs-rest for intents, one-of-many for acts, roles and the fields of CRM writes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pipeline.understanding.learned.linear import Linear

SEEN: Final = 3
"""A feature seen in fewer messages is an accident."""


def vocabulary_of(rows: Sequence[Mapping[str, float]], *, seen: int = SEEN, most: int) -> dict[str, int]:
    """The features that are seen often enough, the most frequent `most`, in a stable order."""
    counts = Counter(name for row in rows for name in row)
    kept = sorted((name for name, count in counts.items() if count >= seen), key=lambda name: (-counts[name], name))
    return {name: index for index, name in enumerate(sorted(kept[:most]))}


def rarity(rows: Sequence[Mapping[str, float]], vocabulary: Mapping[str, int]) -> NDArray[np.float32]:
    counts = np.zeros(len(vocabulary), np.float32)
    for row in rows:
        for name in row:
            if (index := vocabulary.get(name)) is not None:
                counts[index] += 1
    idf: NDArray[np.float32] = (np.log((1 + len(rows)) / (1 + counts)) + 1).astype(np.float32)
    return idf


def matrix(rows: Sequence[Mapping[str, float]], vocabulary: Mapping[str, int], idf: NDArray[np.float32] | None) -> Any:
    """Sparse (rows, features); with `idf` weighed by rarity and of length one, as `Linear.scores(unit=True)` does."""
    from scipy.sparse import csr_matrix
    from sklearn.preprocessing import normalize

    data, columns, starts = [], [], [0]
    for row in rows:
        for name, value in row.items():
            if (index := vocabulary.get(name)) is not None:
                columns.append(index)
                data.append(value if idf is None else value * float(idf[index]))
        starts.append(len(columns))
    found = csr_matrix((data, columns, starts), shape=(len(rows), len(vocabulary)), dtype=np.float32)
    return found if idf is None else normalize(found)


def fit_many(
    rows: Sequence[Mapping[str, float]],
    vectors: NDArray[np.float32],
    targets: Sequence[Sequence[str]],
    labels: Sequence[str],
    *,
    weights: Sequence[float],
    strength: float,
    most: int,
    unit: bool = True,
) -> Linear:
    """A yes or no a label; several may hold. `unit`: as `Linear.scores` is asked."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    vocabulary = vocabulary_of(rows, most=most)
    idf = rarity(rows, vocabulary)
    x = hstack([matrix(rows, vocabulary, idf if unit else None), csr_matrix(vectors)]).tocsr()
    columns, biases = [], []
    for label in labels:
        y = np.fromiter((label in target for target in targets), bool, len(targets))
        model = LogisticRegression(C=strength, solver="liblinear", max_iter=400)
        model.fit(x, y, sample_weight=np.asarray(weights))
        columns.append(model.coef_[0])
        biases.append(model.intercept_[0])
    coefficients = np.stack(columns, axis=1).astype(np.float32)
    cut = len(vocabulary)
    return Linear(
        tuple(labels), vocabulary, idf, coefficients[:cut], coefficients[cut:], np.asarray(biases, np.float32)
    )


def fit_one(
    rows: Sequence[Mapping[str, float]],
    targets: Sequence[str],
    *,
    strength: float,
    most: int,
    vectors: NDArray[np.float32] | None = None,
    unit: bool = False,
    least: float = 0.0,
) -> Linear:
    """One label of many. Features whose weights all stay below `least` are dropped."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    vocabulary = vocabulary_of(rows, most=most)
    idf = rarity(rows, vocabulary)
    x = matrix(rows, vocabulary, idf if unit else None)
    x = x if vectors is None else hstack([x, csr_matrix(vectors)]).tocsr()
    model = LogisticRegression(C=strength, solver="lbfgs", max_iter=300)
    model.fit(x, np.asarray(targets))
    coefficients = model.coef_.T.astype(np.float32)
    words, dense = coefficients[: len(vocabulary)], coefficients[len(vocabulary) :]
    kept = [index for index in range(len(vocabulary)) if np.abs(words[index]).max() >= least]
    names = sorted(vocabulary, key=vocabulary.__getitem__)
    return Linear(
        labels=tuple(str(label) for label in model.classes_),
        vocabulary={names[index]: row for row, index in enumerate(kept)},
        idf=idf[kept],
        weights=words[kept],
        dense=dense,
        bias=model.intercept_.astype(np.float32),
    )
