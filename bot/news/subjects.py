"""What a publication is about: its side of the field and its schemes; nothing for another field or language."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, get_args

from corpus.sources.files.language import other_language
from corpus.types import Category
from pipeline.schemes import aspects_of, said_in
from pipeline.text.references import schemes as schemes_named
from pipeline.understanding.own_words import flat

ROWS: Final = Path(__file__).with_name("topics.toml")
IN_TEXT: Final = 2
"""Words of a topic that a text alone must hold: one may stand there by accident."""
FEWEST_WORDS: Final = 8
"""Of a title with its text; below that nobody can tell the language."""
READ: Final = 2_000
"""Characters of a text that are looked at: what it is about stands at its beginning."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One side of the field: `words` over flattened text; `category`: the corpus's."""

    id: str
    category: Category
    words: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a publication is about: the id of its topic, and the schemes that it names."""

    topic: str
    schemes: tuple[str, ...] = ()

    @property
    def category(self) -> Category:
        return topics()[self.topic].category


@cache
def topics() -> Mapping[str, Topic]:
    """All of them, in the order of the file. Read once."""
    with ROWS.open("rb") as file:
        rows = tomllib.load(file)
    return {name: _topic(name, row["category"], row["words"]) for name, row in rows.items()}


def _topic(name: str, category: str, words: list[str]) -> Topic:
    known = next(each for each in get_args(Category) if each == category)
    return Topic(name, known, re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"))


def subject_of(title: str, text: str) -> Subject | None:
    """None for what is of another field, or in another language than French."""
    begun = text[:READ]
    if other_language(f"{title}. {begun}", fewest=FEWEST_WORDS):
        return None
    headline, body = flat(title), flat(begun)
    schemes = tuple(dict.fromkeys((*schemes_named(f"{title}. {begun}"), *said_in(headline))))
    votes = {
        name: 3 * len(set(topic.words.findall(headline))) + len(set(topic.words.findall(body)))
        for name, topic in topics().items()
    }
    for aspect in aspects_of(schemes):
        if aspect in votes:
            votes[aspect] += IN_TEXT
    best = max(votes, key=lambda name: votes[name])
    return Subject(best, schemes) if votes[best] >= IN_TEXT else None
