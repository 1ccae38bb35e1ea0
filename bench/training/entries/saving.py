"""The trained network -> `corpus/late_interaction/weights.npz`: eight bits a number with a scale a row, and those
pieces of words that our texts use."""

import hashlib
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.training.entries.e5_file import E5File
from bench.training.entries.network import DENSE, NORMS, Network
from corpus.late_interaction.encoder import WEIGHTS

MARKS: Final = 4
LONGEST: Final = 128
"""Tokens of a text that are ever read."""
SHORT: Final = 2
"""Characters of a piece that is always kept: with these any French word can be cut."""
LATIN: Final = 0x250
BLANKS: Final = frozenset("\t\n\r")
Arrays = dict[str, NDArray[Any]]


class Used(Protocol):
    used: set[int]


def save(network: Network, file: E5File, texts: Used) -> None:
    """Write the file, with a version that changes with its content."""
    kept = [*range(MARKS), *sorted(at for at in texts.used | _short(file) if at >= MARKS)]
    held: Arrays = {}
    _eight_bits(held, "word", network.word.numpy()[kept])
    held["place"] = network.place.numpy()[:LONGEST].astype(np.float16)
    _plain(held, "norm", network.norm)
    layers = [*network.lower, *network.upper]
    for at, layer in enumerate(layers):
        for name in DENSE.values():
            dense = getattr(layer, name)
            _eight_bits(held, f"layer{at}.{name}", dense.weight.detach().numpy())
            held[f"layer{at}.{name}.b"] = dense.bias.detach().numpy().astype(np.float16)
        for name in NORMS.values():
            _plain(held, f"layer{at}.{name}", getattr(layer, name))
    held["layers"] = np.int32(len(layers))  # type: ignore[assignment]
    held["words"] = network.words.weight.detach().numpy().T.astype(np.float16)
    held["scales"] = network.scales.detach().numpy()
    held["pieces"] = _lines("" if at < MARKS else file.pieces[at] for at in kept)
    held["piece_scores"] = file.scores[kept]
    folds = {one: other for one, other in file.folds.items() if not BLANKS & {one, *other}}
    held["folds"] = _lines(f"{one}\t{other}" for one, other in folds.items())
    digest = hashlib.sha256(b"".join(held[name].tobytes() for name in sorted(held))).hexdigest()[:12]
    held["version"] = _lines([f"entries-{digest}"])
    np.savez(WEIGHTS, **held)  # type: ignore[arg-type]


def _short(file: E5File) -> set[int]:
    said = (piece.replace("\u2581", "") for piece in file.pieces)
    return {at for at, one in enumerate(said) if len(one) <= SHORT and all(ord(c) < LATIN for c in one)}


def _eight_bits(held: Arrays, name: str, weight: NDArray[np.float32]) -> None:
    scale = np.maximum(np.abs(weight).max(axis=1) / 127, 1e-8).astype(np.float16)
    held[f"{name}.q"] = np.clip(np.round(weight / scale.astype(np.float32)[:, None]), -127, 127).astype(np.int8)
    held[f"{name}.s"] = scale


def _plain(held: Arrays, name: str, norm: Any) -> None:
    held[f"{name}.w"] = norm.weight.detach().numpy().astype(np.float16)
    held[f"{name}.b"] = norm.bias.detach().numpy().astype(np.float16)


def _lines(said: Any) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(said).encode("utf-8"), np.uint8)
