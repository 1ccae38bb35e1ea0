"""How people of the trade write and what the texts call it: a question is also searched by the words of the texts.

For questions only, so that no index depends on it. The words are data (`everyday.toml`): abbreviations are matched as
typed, everyday words as stems in the order they stand, the longest phrase first.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from corpus.french import distinct, fold, stemmed

WORDS: Final[Path] = Path(__file__).with_name("everyday.toml")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Meaning:
    """Index terms to search beside what was typed, and what each counts, where a word as typed counts 1."""

    terms: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Table:
    """`short`: one word, folded, in lower case unless it must be typed in capitals; `phrases`: stems in order;
    `longest`: stems of a phrase."""

    short: dict[str, Meaning]
    phrases: dict[tuple[str, ...], Meaning]
    longest: int


@lru_cache(maxsize=512)
def _searched(text: str) -> tuple[tuple[str, float], ...]:
    found = dict.fromkeys(distinct(text), 1.0)
    for _, meaning in _meanings(_WORD.findall(fold(text)), table()):
        for term in meaning.terms:
            found[term] = max(found.get(term, 0.0), meaning.weight)
    return tuple(found.items())


def searched(text: str) -> dict[str, float]:
    """Index terms of a question with their weights in ]0, 1], those typed first: they count 1."""
    return dict(_searched(text))


def stand_ins(text: str) -> dict[str, frozenset[str]]:
    """Index terms as typed -> those that the texts have in their place."""
    found: dict[str, frozenset[str]] = {}
    for typed, meaning in _meanings(_WORD.findall(fold(text)), table()):
        for term in distinct(" ".join(typed)):
            found[term] = found.get(term, frozenset()) | set(meaning.terms)
    return found


@cache
def table(path: Path = WORDS) -> Table:
    """The data, read once. Raises `ValueError` for a row without words and `KeyError` for a missing part."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    said = dict(_rows(raw["said"]))
    short = dict(_rows(raw["short"])) | {typed: meaning for typed, meaning in said.items() if typed.isupper()}
    phrases = {_stems(_WORD.findall(typed)): meaning for typed, meaning in said.items() if not typed.isupper()}
    return Table(short, phrases, max(map(len, phrases), default=0))


def _rows(part: dict[str, Any]) -> Iterator[tuple[str, Meaning]]:
    weight = float(part["weight"])
    for typed, said in part["words"].items():
        terms = tuple(distinct(said))
        if not terms or not _WORD.search(typed) or not 0 < weight <= 1:
            raise ValueError(f"{WORDS.name} : {typed}")
        yield (typed if typed.isupper() else fold(typed).lower()), Meaning(terms, weight)


def _meanings(typed: Sequence[str], known: Table) -> Iterator[tuple[Sequence[str], Meaning]]:
    """(the words as typed, what they mean), of folded words whose case was kept."""
    words = [word.lower() for word in typed]
    stems = _stems(words)
    for start, word in enumerate(words):
        short = known.short.get(typed[start]) or known.short.get(word) or known.short.get(word.removesuffix("s"))
        if short is not None:
            yield typed[start : start + 1], short
            continue
        for end in range(min(len(stems), start + known.longest), start, -1):
            if (meaning := known.phrases.get(stems[start:end])) is not None:
                yield typed[start:end], meaning
                break


def _stems(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(stemmed(word) for word in words)
