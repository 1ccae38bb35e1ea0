"""The entries as the model read them, and how a message stands to each of them.

What was read of the built-in articles is shipped (`make vectors`); an entry that was edited since is read at the start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
import structlog
from numpy.typing import NDArray

from corpus.late_interaction.encoder import UNREADABLE, WEIGHTS, Encoder, load_encoder
from corpus.late_interaction.tokenizer import pieces_asked, pieces_told
from corpus.vectors import SHIPPED, content_key

log = structlog.get_logger()

SHIPPED_READ: Final = SHIPPED.with_name("entries.npz")
SHORTLIST: Final = 96
"""Entries whose words are compared one by one: the nearest as wholes."""
SIZE: Final = 384
_EIGHT_BITS: Final = np.float32(127)
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Packed:
    """What was read of an entry, eight bits a number, as the file holds it: in 32 bits all words would take 50 MB."""

    whole: NDArray[np.float16]
    words: NDArray[np.int8]


Known = Mapping[str, Packed]


@dataclass(frozen=True, slots=True)
class EntryText:
    """What is read of an entry."""

    question: str
    answer: str

    def key(self, encoder: Encoder) -> str:
        return content_key(f"{self.question}\n{self.answer}", version=encoder.version)

    def read(self, encoder: Encoder) -> Packed:
        found = encoder.read(pieces_told(encoder.tokenizer, self.question, self.answer))
        return Packed(found.whole.astype(np.float16), np.round(found.words * _EIGHT_BITS).astype(np.int8))


class ReadEntries:
    """`known`: by key, what was read before; in order of `texts`."""

    def __init__(self, encoder: Encoder, texts: Sequence[EntryText], known: Known) -> None:
        self._encoder = encoder
        reads = [known[key] if (key := text.key(encoder)) in known else text.read(encoder) for text in texts]
        self._wholes = np.array([one.whole for one in reads], np.float32).reshape(-1, SIZE)
        self._words = [one.words for one in reads]

    def __len__(self) -> int:
        return len(self._words)

    def odds(self, text: str, before: Sequence[str] = ()) -> Floats:
        """Of each entry, log-odds that it answers the message rather than none of ours; `before`: the messages of the
        thread that it leans on, in order."""
        of_wholes, of_words, none = self._encoder.scales
        asked = self._encoder.read(pieces_asked(self._encoder.tokenizer, text, before))
        cosines: Floats = self._wholes @ asked.whole
        near = np.argsort(-cosines, kind="stable")[:SHORTLIST]
        words = np.array([self._best_cosines(asked.words, at) for at in near], np.float32)
        found = np.full(len(cosines), words.min(initial=0.0), np.float32)
        found[near] = words
        return np.asarray(of_wholes * cosines + of_words * found + none, np.float32)

    def _best_cosines(self, asked: Floats, at: int) -> float:
        theirs = self._words[at].astype(np.float32) / _EIGHT_BITS
        return float((asked @ theirs.T).max(axis=1).mean())


class Opened:
    """The same, opened when the first message comes: a start that nobody asks anything need not wait for it. None where
    the model's weights cannot be read, which is logged once: then nothing learned speaks for an entry."""

    def __init__(self, texts: Sequence[EntryText], path: Path = WEIGHTS) -> None:
        self._texts, self._path = texts, path
        self._held: ReadEntries | None = None
        self._tried, self._opening = False, Lock()

    def odds(self, text: str, before: Sequence[str] = ()) -> Floats | None:
        """See `ReadEntries.odds`."""
        with self._opening:
            if not self._tried:
                self._tried, self._held = True, self._open()
        return self._held.odds(text, before) if self._held else None

    def _open(self) -> ReadEntries | None:
        try:
            return ReadEntries(load_encoder(self._path), self._texts, load_known())
        except UNREADABLE as error:
            log.error("entries_model_unreadable", file=self._path.name, reason=str(error))
            return None


def load_known(path: Path = SHIPPED_READ) -> Known:
    """Empty for a file that is not there or is damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            keys, wholes, starts = held["keys"].tolist(), held["wholes"], held["starts"]
            words = held["words"]
    except UNREADABLE:
        return {}
    rows = zip(keys, wholes, starts[:-1], starts[1:], strict=True)
    return {key.decode("ascii"): Packed(whole, words[start:end]) for key, whole, start, end in rows}


def save_known(known: Known, path: Path = SHIPPED_READ) -> None:
    """Write atomically, sorted by key."""
    keys = sorted(known)
    words = [known[key].words for key in keys]
    draft = path.with_suffix(".tmp.npz")
    np.savez(
        draft,
        keys=np.array(keys, dtype="S32"),
        wholes=np.stack([known[key].whole for key in keys]),
        words=np.concatenate(words),
        starts=np.cumsum([0, *map(len, words)]).astype(np.int32),
    )
    draft.replace(path)
