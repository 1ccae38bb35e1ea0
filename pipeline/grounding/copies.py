"""A source's sentence copied but for a word or a figure: what was put in place of another must say the same."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from pipeline.grounding.clauses import Sentence, content, family, known
from pipeline.grounding.lexicon import flat, keys
from pipeline.grounding.sources import Source
from pipeline.text.figures import Value, supports

COPIED: Final = 0.7
"""Share of a claim's words that stand in one sentence of its source, in this order, from which it is a copy."""
_SHORTEST: Final = 5
_STEM: Final = 4
_WORD: Final = re.compile(r"[^\W_]+")
_EDIT: Final = 3
"""So many words in the place of so many: fewer or as many are an edit, more are another way of saying it."""
_OPPOSED: Final = tuple(map(frozenset, (("avec", "sans", "hors"), ("avant", "apres"), ("plus", "moins"))))
"""Small words of which one is another's opposite."""


_RANKS: Final = {"premier": 1, "premiere": 1, "deuxieme": 2, "second": 2, "seconde": 2}
"""Ranks that are read as words: from « troisième » on they are read as figures."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a figure. `key`: by which two of them are one; `value`: of a figure."""

    key: str
    value: Value | None = None


@lru_cache(maxsize=2048)
def tokens(sentence: Sentence) -> tuple[Token, ...]:
    """The words and figures of a sentence, in order."""
    found: list[Token] = []
    end = 0
    for value in sorted(sentence.values, key=lambda v: v.start):
        found += _words(sentence.text[end : value.start])
        found.append(_figure(value))
        end = max(end, value.end)
    return (*found, *_words(sentence.text[end:]))


def _figure(value: Value) -> Token:
    return Token(f"{family(value)} {value.value}", value)


def _words(text: str) -> Iterator[Token]:
    for word in _WORD.findall(flat(text)):
        rank = _RANKS.get(word.removesuffix("s"))
        yield _figure(Value("ordinal", Decimal(rank), "", 0, 0)) if rank else Token(word)


def altered(claim: Sentence, sources: Sequence[Source]) -> bool:
    """Whether the claim copies a sentence of a source and changes what it says."""
    mine = tokens(claim)
    if len(mine) < _SHORTEST:
        return False
    told = [_changes(mine, tokens(sentence)) for source in sources for sentence in source.sentences]
    return min((changes for changes in told if changes is not None), default=0) > 0


def _changes(mine: Sequence[Token], theirs: Sequence[Token]) -> int | None:
    """How many changes of sense lie between a copy and its original; None where it is no copy."""
    said, held = [token.key for token in mine], [token.key for token in theirs]
    if len(set(said).intersection(held)) < COPIED * len(set(said)):
        return None
    matcher = SequenceMatcher(None, held, said, autojunk=False)
    if sum(block.size for block in matcher.get_matching_blocks() if block.size > 1) < COPIED * len(said):
        return None
    edits = [(theirs[a:b], mine[c:d]) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    gone, come = ({token.key for edit in edits if not edit[1 - side] for token in edit[side]} for side in (0, 1))
    turned = sum(_turned(*edit) for edit in edits if max(map(len, edit)) <= _EDIT)
    return turned + (_denies(gone) != _denies(come))


def _denies(words: set[str]) -> bool:
    return not words.isdisjoint(("ne", "n")) and not words.isdisjoint(("pas", "jamais"))


def _turned(held: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the words and figures said say another thing than those in whose place they stand."""
    figures = [token.value for token in held if token.value]
    for value in (token.value for token in said if token.value):
        alike = [other for other in figures if family(other) == family(value)]
        if alike and not any(supports(other, value) for other in alike):
            return True
    mine, theirs = ([token.key for token in some if not token.value] for some in (said, held))
    pairs = ((group.intersection(mine), group.intersection(theirs)) for group in _OPPOSED)
    return any(one and other and one != other for one, other in pairs) or _renamed(
        content(" ".join(theirs)), content(" ".join(mine))
    )


def _renamed(held: Sequence[str], said: Sequence[str]) -> bool:
    """Whether a word stands for another that says something else."""
    return bool(held and said) and not any(
        known(held).intersection(keys(word)) or any(word[:_STEM] == other[:_STEM] for other in held) for word in said
    )
