"""Files of vectors keyed by content: shipped with the built-in articles so that a first start embeds nothing."""

import hashlib
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EmbedderUnavailable
from corpus.ports import Vector

SHIPPED = Path(__file__).parent / "articles" / "vectors.npz"
SHIPPED_QUESTIONS = SHIPPED.with_name("questions.npz")


def content_key(text: str, *, version: str) -> str:
    """32 hex digits that change with the text and with the embedder's version."""
    return hashlib.sha256(f"{version}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]


class StoredVectors(Mapping[str, Vector]):
    """Such a file as it lies on the disk: mapped, so that a start reads none of it and processes share what is read.
    float32 vectors are made one at a time."""

    def __init__(self, path: Path = SHIPPED) -> None:
        """Empty when there is no file. Raises `EmbedderUnavailable` for a broken one."""
        self._keys, self._matrix = np.empty(0, "S32"), np.empty((0, 0), np.float16)
        if path.exists():
            try:
                self._keys, self._matrix = _mapped(path, "keys"), _mapped(path, "vectors")
            except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
                raise _broken(path) from error
        if len(self._keys) != len(self._matrix):
            raise _broken(path)

    def __getitem__(self, key: str) -> Vector:
        wanted = key.encode("ascii", "replace")
        at = int(self._keys.searchsorted(wanted))
        if at == len(self._keys) or self._keys[at] != wanted:
            raise KeyError(key)
        vector: Vector = self._matrix[at].astype(np.float32)
        return vector

    def __iter__(self) -> Iterator[str]:
        return (key.decode("ascii") for key in self._keys.tolist())

    def __len__(self) -> int:
        return len(self._keys)


def _mapped(path: Path, name: str) -> NDArray[Any]:
    """One array of an uncompressed archive, mapped. Raises `OSError`, `ValueError`, `KeyError`, `BadZipFile`."""
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        member = archive.getinfo(f"{name}.npy")
        with archive.open(member) as held:
            version = np.lib.format.read_magic(held)
            if version != (1, 0) or member.compress_type != zipfile.ZIP_STORED:
                raise ValueError(name)
            shape, _, kind = np.lib.format.read_array_header_1_0(held)
            header = held.tell()
        file.seek(member.header_offset + 26)
        lengths = struct.unpack("<HH", file.read(4))
        start = member.header_offset + 30 + sum(lengths) + header
    return np.memmap(path, kind, "r", start, shape) if np.prod(shape) else np.empty(shape, kind)


def _broken(path: Path) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"Le fichier de vecteurs {path.name} est illisible : le recalculer.")


def load_vectors(path: Path = SHIPPED) -> dict[str, Vector]:
    """Content key -> float32 vector; empty when there is no file. Raises `EmbedderUnavailable` for a broken one."""
    if not path.exists():
        return {}
    try:
        with np.load(path, allow_pickle=False) as stored:
            keys, matrix = stored["keys"], stored["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise _broken(path) from error
    return {key.decode("ascii"): vector for key, vector in zip(keys, matrix, strict=True)}


def save_vectors(vectors: Mapping[str, Vector], path: Path = SHIPPED) -> None:
    """Write atomically, sorted by key, as float16: half the size, and no ranking changed on the measuring set."""
    keys = sorted(vectors)
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix = np.stack([vectors[key] for key in keys]).astype(np.float16) if keys else np.empty((0, 0), np.float16)
    draft = path.with_suffix(".tmp.npz")
    np.savez(draft, keys=np.array(keys, dtype="S32"), vectors=matrix)
    draft.replace(path)
