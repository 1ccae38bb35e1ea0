"""The words of `lexicon.toml`: markers of meaning, opposites, exclusive classes, synonyms, words that say nothing."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from corpus.french import analyze
from pipeline.text.names import folded

_FILE: Final = Path(__file__).with_name("lexicon.toml")
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " "})
_LITERAL: Final = re.compile(r"(?:\(\?<![^)]*\))*([a-z0-9]{2,})(?![?*{])")
_WORD: Final = re.compile(r"[a-z0-9]+")
_SHORT: Final = 4
_HEAD: Final = 4
"""Letters of a word by which patterns are ruled out."""


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern over `flat` text. `heads`: the letters with which one of its words must begin, where it has such: most
    patterns are ruled out by them alone."""

    pattern: re.Pattern[str]
    heads: frozenset[str]

    def possible(self, plain: str) -> bool:
        return not self.heads or not self.heads.isdisjoint(_heads(plain))

    def found(self, plain: str) -> bool:
        return self.possible(plain) and self.pattern.search(plain) is not None

    def all(self, plain: str) -> tuple[str, ...]:
        return tuple(m.group() for m in self.pattern.finditer(plain)) if self.possible(plain) else ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`classes`: of each class its values, of which a thing has one; `synonyms`: stem -> the groups that it belongs
    to; `neutral`: stems that say nothing of a sentence's subject; `measures`: those that only say a figure's unit."""

    markers: Mapping[str, Form]
    antonyms: tuple[tuple[Form, Form], ...]
    classes: Mapping[str, tuple[Form, ...]]
    synonyms: Mapping[str, tuple[str, ...]]
    neutral: frozenset[str]
    measures: frozenset[str]


@cache
def lexicon() -> Lexicon:
    held = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    synonyms: dict[str, tuple[str, ...]] = {}
    for index, group in enumerate(held["synonyms"]["groups"]):
        for stem in stems(group):
            synonyms[stem] = tuple(dict.fromkeys((*synonyms.get(stem, ()), f"~{index}")))
    return Lexicon(
        markers={name: form_of(*forms) for name, forms in held["markers"].items()},
        antonyms=tuple((form_of(one), form_of(other)) for one, other in held["antonyms"]["pairs"]),
        classes={name: tuple(form_of(form) for form in forms) for name, forms in held["classes"].items()},
        synonyms=synonyms,
        neutral=frozenset(stems(held["neutral"]["words"])),
        measures=frozenset(stems(held["measures"]["words"])),
    )


def form_of(*forms: str) -> Form:
    """Whole words only. Where an alternative begins with no plain letters, every text is searched."""
    heads = [_LITERAL.match(part) for form in forms for part in _alternatives(form)]
    known = frozenset(head.group(1)[:_HEAD] for head in heads if head) if all(heads) else frozenset()
    return Form(re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)"), known)


def _alternatives(form: str) -> list[str]:
    """Split at the bars that stand in no bracket."""
    parts, depth = [""], 0
    for character in form:
        depth += (character in "([") - (character in ")]")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


@lru_cache(maxsize=8192)
def _heads(plain: str) -> frozenset[str]:
    words = set(_WORD.findall(plain))
    return frozenset(word[:length] for word in words for length in range(2, _HEAD + 1))


@lru_cache(maxsize=16384)
def flat(text: str) -> str:
    """Lower case without accents, straight apostrophes, plain spaces."""
    return folded(text.translate(_APOSTROPHES)).replace("n '", "n'")


def stems(text: str) -> list[str]:
    """Index terms, one more letter off: `meublé` and `meublée` are one word here; `dpe0e` keeps its letter."""
    return [
        term[:-1] if term.endswith("e") and len(term) > _SHORT and term.isalpha() else term for term in analyze(text)
    ]


@lru_cache(maxsize=16384)
def keys(stem: str) -> tuple[str, ...]:
    """A stem and the groups of words that say the same."""
    return (stem, *lexicon().synonyms.get(stem, ()))


@lru_cache(maxsize=8192)
def _likely(group: str, plain: str) -> tuple[tuple[str, int, Form], ...]:
    """(name, index, form) of those of a group that the heads of the text's words do not rule out."""
    begun, always = _begun(group)
    return tuple(sorted({*always, *(entry for head in _heads(plain) for entry in begun.get(head, ()))}, key=_order))


def _order(entry: tuple[str, int, Form]) -> tuple[str, int]:
    return entry[:2]


@cache
def _begun(group: str) -> tuple[Mapping[str, tuple[tuple[str, int, Form], ...]], tuple[tuple[str, int, Form], ...]]:
    """Forms of a group by their heads, and those without."""
    held = {
        "markers": [(name, 0, form) for name, form in lexicon().markers.items()],
        "antonyms": [
            (f"{place:03}", side, form)
            for place, pair in enumerate(lexicon().antonyms)
            for side, form in enumerate(pair)
        ],
        "classes": [
            (name, index, form) for name, forms in lexicon().classes.items() for index, form in enumerate(forms)
        ],
    }[group]
    begun: dict[str, list[tuple[str, int, Form]]] = {}
    for entry in held:
        for head in entry[2].heads:
            begun.setdefault(head, []).append(entry)
    return {head: tuple(entries) for head, entries in begun.items()}, tuple(e for e in held if not e[2].heads)


@lru_cache(maxsize=8192)
def marks(text: str) -> Mapping[str, tuple[str, ...]]:
    """Marker -> its words in the text, of the markers that are there."""
    plain = flat(text)
    found = (
        (name, tuple(m.group() for m in form.pattern.finditer(plain))) for name, _, form in _likely("markers", plain)
    )
    return {name: words for name, words in found if words}


@lru_cache(maxsize=8192)
def sides(text: str) -> tuple[tuple[bool, bool], ...]:
    """Of each pair of opposites, which sides the text says."""
    plain = flat(text)
    said = {(int(place), side) for place, side, form in _likely("antonyms", plain) if form.pattern.search(plain)}
    return tuple(((place, 0) in said, (place, 1) in said) for place in range(len(lexicon().antonyms)))


@lru_cache(maxsize=16384)
def classes(text: str) -> Mapping[str, frozenset[int]]:
    """Class -> which of its values the text says."""
    plain = flat(text)
    found: dict[str, set[int]] = {}
    for name, index, form in _likely("classes", plain):
        if form.pattern.search(plain):
            found.setdefault(name, set()).add(index)
    return {name: frozenset(values) for name, values in found.items()}
