"""The model: multilingual-e5-small, its upper half trained further on messages and the entries that answer them.

A transformer encoder, post-norm, as BERT has it (Devlin et al. 2018), in numpy: one text at a time, so that nothing is
padded. `bench/training/entries` trains it and writes its weights: eight bits a number with a scale a row.
"""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from corpus.late_interaction.tokenizer import Unigram

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
UNREADABLE: Final = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
"""What reading a file of arrays raises that is not there or is damaged."""
HEADS: Final = 12
EPSILON: Final = np.float32(1e-12)
BEGIN, END, UNKNOWN = 0, 2, 3
"""Ids of the marks, as in XLM-RoBERTa."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Dense:
    """`weight`: shape (in, out)."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        found: Floats = x @ self.weight
        found += self.bias
        return found


@dataclass(frozen=True, slots=True)
class Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.einsum("th,th->t", x, x)[:, None] / np.float32(x.shape[-1]) + EPSILON)
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class Layer:
    """One block: attention over the tokens, then two dense layers, each with its residual."""

    query: Dense
    key: Dense
    value: Dense
    mixed: Dense
    after_attention: Norm
    wide: Dense
    narrow: Dense
    after_wide: Norm

    def __call__(self, x: Floats) -> Floats:
        x = self.after_attention(x + self.mixed(self._attended(x)))
        return self.after_wide(x + self.narrow(gelu(self.wide(x))))

    def _attended(self, x: Floats) -> Floats:
        tokens, size = x.shape
        q, k, v = (
            part(x).reshape(tokens, HEADS, size // HEADS).transpose(1, 0, 2)
            for part in (self.query, self.key, self.value)
        )
        weights: Floats = q @ k.transpose(0, 2, 1)
        weights *= np.float32((size // HEADS) ** -0.5)
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        attended: Floats = (weights @ v).transpose(1, 0, 2).reshape(tokens, size)
        return attended


def gelu(x: Floats) -> Floats:
    """By tanh (Hendrycks and Gimpel 2016, equation 2)."""
    inner = x * x
    inner *= np.float32(0.044715)
    inner += np.float32(1.0)
    inner *= x
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += np.float32(1.0)
    inner *= x
    inner *= np.float32(0.5)
    return inner


@dataclass(frozen=True, slots=True)
class Read:
    """A text as the model read it, rows of length 1: `whole`: shape (384,); `words`: shape (tokens, 96)."""

    whole: Floats
    words: Floats


class Encoder:
    """`tokenizer`, and what the model makes of the tokens. `scales`: what the cosine of two wholes and the mean of the
    words' best cosines are worth, and the sum at which an entry is as likely as none."""

    def __init__(self, held: Mapping[str, NDArray[Any]]) -> None:
        self.tokenizer = _tokenizer(held)
        self.scales = tuple(map(float, held["scales"]))
        self.version = held["version"].tobytes().decode("ascii")
        self._word, self._word_scale = held["word.q"], held["word.s"].astype(np.float32)
        self._place = held["place"].astype(np.float32)
        self._norm = _norm(held, "norm")
        self._layers = [_layer(held, f"layer{at}") for at in range(int(held["layers"]))]
        self._narrow = held["words"].astype(np.float32)

    def read(self, ids: Sequence[int]) -> Read:
        """`ids`: what the tokenizer cut, marks left out; at most 126 are read."""
        marked = [BEGIN, *ids[: len(self._place) - 2], END]
        x = self._word[marked].astype(np.float32) * self._word_scale[marked][:, None]
        x = self._norm(x + self._place[: len(marked)])
        for layer in self._layers:
            x = layer(x)
        return Read(_unit(x.mean(axis=0)[None])[0], _unit(x @ self._narrow))


def load_encoder(path: Path = WEIGHTS) -> Encoder:
    """Raises one of `UNREADABLE` for a file that is not there or is damaged."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
        return Encoder(dict(held))


def _tokenizer(held: Mapping[str, NDArray[Any]]) -> Unigram:
    pieces = held["pieces"].tobytes().decode("utf-8").split("\n")
    folds = dict(line.split("\t") for line in held["folds"].tobytes().decode("utf-8").split("\n"))
    return Unigram(pieces, held["piece_scores"].tolist(), folds=folds, unknown=UNKNOWN)


def _layer(held: Mapping[str, NDArray[Any]], name: str) -> Layer:
    dense = {part: _dense(held, f"{name}.{part}") for part in ("query", "key", "value", "mixed", "wide", "narrow")}
    norms = {part: _norm(held, f"{name}.{part}") for part in ("after_attention", "after_wide")}
    return Layer(**dense, **norms)  # type: ignore[arg-type]


def _dense(held: Mapping[str, NDArray[Any]], name: str) -> Dense:
    weight = held[f"{name}.q"].astype(np.float32) * held[f"{name}.s"].astype(np.float32)[:, None]
    return Dense(np.ascontiguousarray(weight.T), held[f"{name}.b"].astype(np.float32))


def _norm(held: Mapping[str, NDArray[Any]], name: str) -> Norm:
    return Norm(held[f"{name}.w"].astype(np.float32), held[f"{name}.b"].astype(np.float32))


def _unit(rows: Floats) -> Floats:
    found: Floats = rows / np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float32(1e-6))[:, None]
    return found
