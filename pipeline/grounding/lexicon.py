"""The words of `lexicon.toml`: markers of meaning, opposites, exclusive classes, synonyms, words that say nothing."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from corpus.french import analyze
from pipeline.text.names import folded

_FILE: Final = Path(__file__).with_name("lexicon.toml")
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " "})
_LITERAL: Final = re.compile(r"(?:\(\?<![^)]*\))*([a-z0-9]{2,}(?![?*{])|[a-z0-9](?=[ ']))")
_WORD: Final = re.compile(r"[a-z0-9]+")
_SHORT: Final = 4
_HEAD: Final = 4
"""Letters of a word by which patterns are ruled out."""

Group = Literal["markers", "antonyms", "classes"]


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern over `flat` text. `heads`: the letters with which its first word must begin, where it has such: it is
    tried where words begin so, and most patterns nowhere."""

    pattern: re.Pattern[str]
    heads: frozenset[str]


Named = tuple[str, int, Form]
"""Of a group of forms one, with its name and its place under it."""


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
def matches(group: Group, plain: str) -> Mapping[tuple[str, int], Sequence[re.Match[str]]]:
    """(name, index) of a form of the group -> where `flat` text has it, in order and without overlaps."""
    found = {(name, index): [*form.pattern.finditer(plain)] for name, index, form in _beginning(group, "")}
    for word in _WORD.finditer(plain):
        place = word.start()
        for name, index, form in _beginning(group, word.group()[:_HEAD]):
            there = found.setdefault((name, index), [])
            if (not there or place >= there[-1].end()) and (match := form.pattern.match(plain, place)):
                there.append(match)
    return {form: there for form, there in found.items() if there}


@lru_cache(maxsize=16384)
def _beginning(group: Group, letters: str) -> tuple[Named, ...]:
    """Forms one of whose first words may begin with these letters; without letters, those that may begin anywhere."""
    heads = _by_head(group)
    lengths = range(1, len(letters) + 1) if letters else (0,)
    return tuple({form[:2]: form for length in lengths for form in heads.get(letters[:length], ())}.values())


@cache
def _by_head(group: Group) -> Mapping[str, Sequence[Named]]:
    """Forms of the group by their heads, under the empty text those without."""
    forms: dict[Group, list[Named]] = {
        "markers": [(name, 0, form) for name, form in lexicon().markers.items()],
        "antonyms": [
            (str(place), side, f) for place, pair in enumerate(lexicon().antonyms) for side, f in enumerate(pair)
        ],
        "classes": [(name, index, f) for name, forms in lexicon().classes.items() for index, f in enumerate(forms)],
    }
    found: dict[str, list[Named]] = {}
    for name, index, form in forms[group]:
        for head in form.heads or ("",):
            found.setdefault(head, []).append((name, index, form))
    return found


@lru_cache(maxsize=8192)
def marks(text: str) -> Mapping[str, tuple[str, ...]]:
    """Marker -> its words in the text, of the markers that are there."""
    return {name: tuple(m.group() for m in there) for (name, _), there in matches("markers", flat(text)).items()}


@lru_cache(maxsize=8192)
def sides(text: str) -> tuple[tuple[bool, bool], ...]:
    """Of each pair of opposites, which sides the text says."""
    said = matches("antonyms", flat(text))
    return tuple(((str(place), 0) in said, (str(place), 1) in said) for place in range(len(lexicon().antonyms)))


@lru_cache(maxsize=16384)
def classes(text: str) -> Mapping[str, frozenset[int]]:
    """Class -> which of its values the text says."""
    found: dict[str, set[int]] = {}
    for name, index in matches("classes", flat(text)):
        found.setdefault(name, set()).add(index)
    return {name: frozenset(values) for name, values in found.items()}


def clashing(said: str, own: str, *wider: str) -> tuple[str, ...]:
    """Classes of which the claim says a value where the nearest text that says any of the class says another, or where
    none says any. Of persons, only the clause itself counts."""
    mine = classes(said)
    found = []
    for name, values in mine.items():
        held = (classes(text).get(name, frozenset()) for text in ((own,) if name == "person" else (own, *wider)))
        nearest = next((there for there in held if there), frozenset[int]())
        if not values & nearest and (nearest or name != "person"):
            found.append(name)
    return tuple(found)
