"""Fits the hidden layer that votes beside the linear model of intents: two small networks over the words' main
directions and the vector, averaged. Each alone is no better than the linear model; together they are, on authors that
neither has seen (`docs/understanding.md`)."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.training.fitting import matrix, rarity, vocabulary_of
from pipeline.understanding.learned.linear import Linear

DIRECTIONS: Final = 256
"""Of the words: fewer lose a point of F1."""
UNITS: Final = 96
SEEDS: Final = (0, 1)
EPOCHS: Final = 14
DECAY: Final = 0.03


def fit_layers(
    rows: Sequence[Mapping[str, float]],
    vectors: NDArray[np.float32],
    targets: Sequence[Sequence[str]],
    labels: Sequence[str],
    *,
    most: int,
) -> tuple[Linear, Linear]:
    """(features and vector -> units, units -> labels); units are cut at zero between both. `vectors` are centred."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.neural_network import MLPClassifier

    vocabulary = vocabulary_of(rows, most=most)
    idf = rarity(rows, vocabulary)
    words = matrix(rows, vocabulary, idf)
    directions = TruncatedSVD(DIRECTIONS, random_state=0).fit(words)
    projected = directions.transform(words)
    of_words, of_vectors = 1 / np.abs(projected).std(), 1 / vectors.std()
    x = np.hstack([projected * of_words, vectors * of_vectors])
    y = np.array([[label in target for label in labels] for target in targets])
    hidden, biases, votes, offsets = [], [], [], []
    for seed in SEEDS:
        net = MLPClassifier(
            (UNITS,), alpha=DECAY, max_iter=EPOCHS, random_state=seed, learning_rate_init=2e-3, batch_size=128
        ).fit(x, y)
        hidden.append(net.coefs_[0])
        biases.append(net.intercepts_[0])
        votes.append(net.coefs_[1] / len(SEEDS))
        offsets.append(net.intercepts_[1] / len(SEEDS))
    first = np.hstack(hidden).astype(np.float32)
    units = tuple(f"unit{n}" for n in range(first.shape[1]))
    weights = (directions.components_.T @ (first[:DIRECTIONS] * of_words)).astype(np.float32)
    dense, bias = first[DIRECTIONS:] * of_vectors, np.hstack(biases).astype(np.float32)
    layer = Linear(units, vocabulary, idf, weights, dense, bias)
    nothing = np.zeros((0, len(labels)), np.float32)
    last = np.vstack(votes).astype(np.float32)
    return layer, Linear(
        tuple(labels), {}, np.zeros(0, np.float32), nothing, last, np.sum(offsets, axis=0).astype(np.float32)
    )
