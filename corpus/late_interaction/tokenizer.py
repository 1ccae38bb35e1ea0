"""Text -> the pieces of words that the model knows: SentencePiece's unigram, as XLM-RoBERTa and e5 have it.

Of the 250,000 pieces of these models only those are kept that our texts and questions use; a word of others is cut into
smaller ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

ASKED, TOLD, BEFORE = "query: ", "passage: ", " | "
"""How e5 marks the two sides, and what stands behind each message of the thread."""
LONGEST, LONGEST_BEHIND, LONGEST_BEFORE = 60, 40, 24
"""Pieces of a message that stands alone, of one in a thread and of each before it: the last ones, for a story comes
first and the question after it."""
LONGEST_QUESTION, LONGEST_ENTRY = 28, 52
"""Pieces of an entry's question, and of that and its answer together."""
WORD: Final = "\u2581"
"""What a word begins with."""
UNKNOWN_PENALTY: Final = 10.0
"""Below the rarest piece, as SentencePiece has it."""
NEVER: Final = -1e30
REMEMBERED: Final = 32_768


class Unigram:
    """Pieces of the likeliest cut. `scores`: log-probabilities of the pieces, in order; `folds`: characters that are
    written otherwise before; `unknown`: the id of a character that no piece holds."""

    def __init__(
        self, pieces: Sequence[str], scores: Sequence[float], *, folds: Mapping[str, str], unknown: int
    ) -> None:
        self._ids = {piece: (at, score) for at, (piece, score) in enumerate(zip(pieces, scores, strict=True)) if piece}
        self._folds = str.maketrans(dict(folds))
        self._unknown = unknown
        self._least = min(scores) - UNKNOWN_PENALTY
        self._longest = max(map(len, self._ids))
        self._cut = lru_cache(maxsize=REMEMBERED)(self._of_word)

    def __call__(self, text: str) -> list[int]:
        """Ids of a text, without the marks of its beginning and end."""
        return list(chain.from_iterable(self._cut(word) for word in text.translate(self._folds).split()))

    def _of_word(self, word: str) -> tuple[int, ...]:
        """Viterbi over its characters."""
        text = WORD + word
        best = [0.0] + [NEVER] * len(text)
        came = [(0, self._unknown)] * (len(text) + 1)
        for start in range(len(text)):
            for end, piece, score in self._pieces_from(text, start):
                if best[start] + score > best[end]:
                    best[end], came[end] = best[start] + score, (start, piece)
        found, end = [], len(text)
        while end:
            end, piece = came[end]
            found.append(piece)
        return tuple(reversed(found))

    def _pieces_from(self, text: str, start: int) -> Iterable[tuple[int, int, float]]:
        """(where it ends, piece, score), the single unknown character last."""
        for end in range(start + 1, min(len(text), start + self._longest) + 1):
            if (hit := self._ids.get(text[start:end])) is not None:
                yield end, *hit
        yield start + 1, self._unknown, self._least


def pieces_asked(cut: Unigram, text: str, before: Sequence[str]) -> list[int]:
    """Of a message behind those that it leans on."""
    found = cut(ASKED)
    for one in before:
        found += cut(one)[-LONGEST_BEFORE:] + cut(BEFORE)[-1:]
    return found + cut(text)[-(LONGEST_BEHIND if before else LONGEST) :]


def pieces_told(cut: Unigram, question: str, answer: str) -> list[int]:
    """Of an entry."""
    return [*cut(TOLD), *(cut(question)[:LONGEST_QUESTION] + cut(answer))[:LONGEST_ENTRY]]
