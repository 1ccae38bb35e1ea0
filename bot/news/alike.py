"""Whether two publications are one: by address, by title and day, or by nearly the same words about the same things."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray

from corpus.french import analyze, fold, words_of

SHINGLE: Final = 3
"""Terms in a row that are compared as one."""
KEPT: Final = 24
"""Smallest hashes of a text's shingles: they are alike as its shingles are (bottom-k sketch, Broder 1997)."""
FEWEST: Final = 8
"""Shingles of a text that can be told from another by them."""
ALIKE: Final = 0.6
"""Share of the smallest hashes of both that both hold, from which two texts are one."""
READ: Final = 1_200
"""Characters of a text: what several sources give of the same news is its beginning."""
_TRACKING: Final = re.compile(r"utm_|at_|mtm_|pk_|xtor=|fbclid=|gclid=|mc_")
_MARK: Final = re.compile(r"\d+(?:[.,]\d+)?|(?<![.!?:»] )(?<![.!?:»]\n)(?<!^)\b[A-ZÀ-Þ][\w-]+")

Sketch = NDArray[np.uint32]


def untracked(url: str) -> str:
    """The address without what only statistics read, and without a fragment."""
    parts = urlsplit(url)
    kept = [pair for pair in parts.query.split("&") if pair and not _TRACKING.match(pair.lower())]
    return urlunsplit(parts._replace(query="&".join(kept), fragment=""))


def address_key(url: str) -> str:
    """The same for every way in which feeds write one address."""
    parts = urlsplit(untracked(url))
    host = (parts.hostname or "").lower().removeprefix("www.")
    kept = sorted(parse_qsl(parts.query, keep_blank_values=True))
    port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    return f"{host}{port}{parts.path.rstrip('/')}" + (f"?{urlencode(kept)}" if kept else "")


def item_id(key: str) -> str:
    """`news:0123…`: its document's id too."""
    return f"news:{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:24]}"


def title_key(title: str, day: str) -> str:
    """The same title on the same day, whatever its signs and accents."""
    return hashlib.sha256(f"{' '.join(words_of(title))}\n{day}".encode()).hexdigest()[:32]


def sketch_of(title: str, text: str) -> Sketch:
    """Sorted; empty for a text too short to be told from another by its words."""
    terms = analyze(f"{title}. {text[:READ]}")
    shingles = {" ".join(terms[at : at + SHINGLE]) for at in range(len(terms) - SHINGLE + 1)}
    if len(shingles) < FEWEST:
        return np.zeros(0, np.uint32)
    hashes = sorted(int.from_bytes(hashlib.blake2b(s.encode(), digest_size=4).digest(), "big") for s in shingles)
    return np.array(hashes[:KEPT], np.uint32)


def marks_of(title: str, text: str) -> str:
    """The numbers and names that it gives, once each: the same words about another year or another department are
    other news. A word that opens a sentence is no name."""
    found = (fold(mark).lower() for part in (title, text[:READ]) for mark in _MARK.findall(part))
    return " ".join(sorted(set(found)))


@dataclass(slots=True)
class Gallery:
    """What newcomers are compared with: ids, sketches as rows of one array (0 where a text has fewer), marks."""

    ids: list[str] = field(default_factory=list)
    marks: list[frozenset[str]] = field(default_factory=list)
    _rows: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((64, KEPT), np.uint32))

    @classmethod
    def of(cls, known: Sequence[tuple[str, bytes, str]]) -> "Gallery":
        """From (id, sketch, marks) as stored."""
        made = cls(_rows=np.zeros((len(known) + 256, KEPT), np.uint32))
        for name, sketch, marks in known:
            made.add(name, np.frombuffer(sketch, np.uint32), marks)
        return made

    def add(self, name: str, sketch: Sketch, marks: str) -> None:
        """One more to compare with."""
        if not len(sketch):
            return
        if len(self.ids) == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[len(self.ids), : len(sketch)] = sketch
        self.ids.append(name)
        self.marks.append(frozenset(marks.split()))

    def twin(self, sketch: Sketch, marks: str) -> str | None:
        """The id of the one that says the same; None for something new."""
        if not len(sketch) or not self.ids:
            return None
        shared = np.isin(self._rows[: len(self.ids)], sketch).sum(axis=1)
        own = frozenset(marks.split())
        for at in np.argsort(-shared, kind="stable")[:5]:
            if shared[at] < ALIKE * len(sketch) / 2:
                return None
            same_marks = own <= self.marks[at] or self.marks[at] <= own
            if same_marks and _resemblance(sketch, self._rows[at]) >= ALIKE:
                return self.ids[int(at)]
        return None


def _resemblance(one: Sketch, other: Sketch) -> float:
    """Estimated share of shingles that two texts have in common, from the smallest hashes of both together."""
    held = other[other > 0]
    both = np.union1d(one, held)[: max(len(one), len(held))]
    return float(np.isin(both, np.intersect1d(one, held)).sum()) / len(both)
