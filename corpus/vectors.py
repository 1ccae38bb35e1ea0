"""Files of vectors keyed by content: shipped with the built-in articles so that a first start embeds nothing."""

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from corpus.errors import EmbedderUnavailable
from corpus.ports import Vector

SHIPPED = Path(__file__).parent / "articles" / "vectors.npz"
SHIPPED_QUESTIONS = SHIPPED.with_name("questions.npz")


def content_key(text: str, *, version: str) -> str:
    """32 hex digits that change with the text and with the embedder's version."""
    return hashlib.sha256(f"{version}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]


def load_vectors(path: Path = SHIPPED) -> dict[str, Vector]:
    """Content key -> float32 vector; empty when there is no file. Raises `EmbedderUnavailable` for a broken one."""
    if not path.exists():
        return {}
    try:
        with np.load(path, allow_pickle=False) as stored:
            keys, matrix = stored["keys"], stored["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise EmbedderUnavailable(f"Le fichier de vecteurs {path.name} est illisible : le recalculer.") from error
    return {key.decode("ascii"): vector for key, vector in zip(keys, matrix, strict=True)}


def save_vectors(vectors: Mapping[str, Vector], path: Path = SHIPPED) -> None:
    """Write atomically, sorted by key, as float16: half the size, and no ranking changed on the measuring set."""
    keys = sorted(vectors)
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix = np.stack([vectors[key] for key in keys]).astype(np.float16) if keys else np.empty((0, 0), np.float16)
    draft = path.with_suffix(".tmp.npz")
    np.savez(draft, keys=np.array(keys, dtype="S32"), vectors=matrix)
    draft.replace(path)
