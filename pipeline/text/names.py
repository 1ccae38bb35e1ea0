"""Names as people type them: case, accents and slips of the finger forgiven, in an order of how much was forgiven."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

SPELT_ALIKE, ACCENTS, START, TYPO = 0, 1, 2, 3
"""How a word fits, best first; a second slip is one worse than `TYPO`."""

CLOSE: Final = 0.62
"""Mean likeness of words (0 to 1) from which a name is worth offering: « Lefebre » and « Lefèvre » are at 0.86."""

# Words of a request that tell no record from another.
_EMPTY_WORDS: Final = frozenset(
    {"dossier", "dossiers", "deal", "client", "cliente", "famille", "m", "mme", "mr", "madame", "monsieur", "affaire"}
    | {"le", "la", "les", "l", "d", "de", "du", "des", "et", "un", "une", "pour", "sur", "avec", "au", "aux", "chez"}
)
_START_LETTERS = 4
_LINK_LETTERS = 2
_WORDS_USED = 6
"""As many as one HubSpot filter group takes."""


_KEPT: Final = 0x3000


class _Unmarked(dict[int, int | None]):
    """A translation without combining marks; those of alphabets in use are kept as they are met."""

    def __missing__(self, code: int) -> int | None:
        kept = None if unicodedata.combining(chr(code)) else code
        if code < _KEPT:
            self[code] = kept
        return kept


_UNMARKED: Final = _Unmarked()


def folded(text: str) -> str:
    """Lower case without accents; ligatures as two letters."""
    low = text.lower().replace("œ", "oe").replace("æ", "ae")
    return low if low.isascii() else unicodedata.normalize("NFKD", low).translate(_UNMARKED)


def all_words(text: str) -> tuple[str, ...]:
    """Every word in lower case, each once; apostrophes and hyphens separate."""
    return tuple(dict.fromkeys(re.findall(r"[^\W_]+", text.lower())))


def telling_words(name: str) -> tuple[str, ...]:
    """The words of a name that tell it apart, at most six."""
    kept = (w for w in all_words(name) if w not in _EMPTY_WORDS and (len(w) > 1 or w.isdigit()))
    return tuple(kept)[:_WORDS_USED]


def town(name: str) -> str:
    """A commune's name in one spelling: « St-Étienne », « saint etienne »."""
    long = {"st": "saint", "ste": "sainte"}
    return " ".join(long.get(word, word) for word in re.findall(r"[^\W_]+", folded(name)))


def fit(wanted: Sequence[str], said: Sequence[str]) -> int | None:
    """How well a name holds every wanted word: the worst of its words, 0 is best; None when one is missing."""
    ranks = [_word_fit(word, said) for word in wanted]
    return None if not ranks or None in ranks else max(rank for rank in ranks if rank is not None)


def _word_fit(word: str, said: Sequence[str]) -> int | None:
    if word in said:
        return SPELT_ALIKE
    plain = folded(word)
    others = [folded(other) for other in said]
    if plain in others:
        return ACCENTS
    if len(plain) >= _START_LETTERS and any(other.startswith(plain) for other in others):
        return START
    slips = _slips_allowed(plain)
    sound = _sounded(plain)
    found = [n for other in others if slips and (n := distance(sound, _sounded(other), most=slips)) is not None]
    return TYPO + max(min(found), 1) - 1 if found else None


def _sounded(word: str) -> str:
    """Spellings of one sound as one letter: Sophie and Sofie, Mathieu and Matieu, Guy and Gui."""
    return word.replace("ph", "f").replace("th", "t").replace("y", "i")


def _slips_allowed(word: str) -> int:
    """None in a short word or in one with digits: `T3` is not `T2`."""
    if len(word) < _START_LETTERS or not word.isalpha():
        return 0
    return 1 if len(word) < 7 else 2


def distance(one: str, other: str, *, most: int) -> int | None:
    """Letters to add, drop, change or swap with the next one; None above `most`."""
    if abs(len(one) - len(other)) > most:
        return None
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        earlier, before, row = before, row, [i] + [0] * len(other)
        for j, right in enumerate(other, start=1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                row[j] = min(row[j], earlier[j - 2] + 1)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def likeness(wanted: Sequence[str], said: Sequence[str]) -> float:
    """Mean over the wanted words of the best likeness to a word of the name, 0 to 1."""
    if not wanted or not said:
        return 0.0
    others = [folded(other) for other in said]
    best = (max(SequenceMatcher(None, folded(word), other).ratio() for other in others) for word in wanted)
    return sum(best) / len(wanted)


def _tells(word: str) -> bool:
    """Not « en », « on » or « y », which stand in names of towns too; « T2 » and « 7e » do."""
    return len(word) > _LINK_LETTERS or any(char.isdigit() for char in word)


def told_apart(names: Sequence[str], message: str) -> tuple[int, ...]:
    """The positions of those names that a message tells from the others, by words that stand in some of them only:
    « Robert viager » among the deals of Robert. All positions when it names none, or several equally."""
    said = [word for word in all_words(message) if word not in _EMPTY_WORDS and _tells(word)]
    held = [all_words(name) for name in names]
    hits = [
        {word for word in said if (rank := _word_fit(word, words)) is not None and rank <= ACCENTS} for words in held
    ]
    shared = set.intersection(*hits) if hits else set()
    counts = [len(found - shared) for found in hits]
    best = max(counts, default=0)
    return tuple(i for i, count in enumerate(counts) if count == best)
