"""A message that tells a client's situation and asks something of it: what is asked, and what that leans on.

Advisers describe a client before, around and after their question: ages, prices, a forwarded mail. Read as a whole, the
figures of the story make a calculation of it, and its words hide the question.
"""

import re
from dataclasses import dataclass
from typing import Final

from corpus.sentences import sentences
from pipeline.schemes import having, said_in, schemes
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat

FEWEST_WORDS: Final = 45
"""Of a message that tells a situation."""
SHORT: Final = 7
"""Words of a question that needs the sentence before it to be understood: « est-ce qu'il y a droit ? »."""
MOST_NAMED: Final = 2
MOST_BEFORE: Final = 3
RUNNING: Final = 40
"""Words of a sentence that is dictated without stops."""
TAIL: Final = 25
"""Words of such a message in which it asks: its last, or its first where they ask."""
MID: Final = re.compile(r"(?<=[?…])\s+")
_EDGE: Final = " \t«»\"'“”()–—-"


@dataclass(frozen=True, slots=True)
class Situation:
    """`question`: the sentences that ask; `asked`: the same so that they stand alone, with the sentence that a short
    one goes on with and the schemes that only the story names; `before`: sentences of the story that say what it is
    about, in their order."""

    question: str
    asked: str
    before: tuple[str, ...]


def situation_of(text: str) -> Situation | None:
    """None of a short message, and of one in which everything or nothing asks."""
    if len(text.split()) < FEWEST_WORDS:
        return None
    said = [part.strip() for sentence in sentences(text) for part in MID.split(sentence) if part.strip()]
    asking = [at for at, one in enumerate(said) if "?" in one] or [at for at, one in enumerate(said) if _asks(one)]
    if not asking or len(asking) == len(said):
        return _dictated(text) if max(len(one.split()) for one in said) >= RUNNING else None
    asked = " ".join(said[at].strip(_EDGE) for at in asking)
    story = [at for at in range(len(said)) if at not in asking]
    return Situation(asked, _alone(asked, said, asking[0]), tuple(said[at] for at in _about(said, story, asking[0])))


def asked_of(text: str) -> str | None:
    """The question of a message that tells a situation, all of it where none of its sentences asks; None of a short
    one."""
    if len(text.split()) < FEWEST_WORDS:
        return None
    found = situation_of(text)
    return found.question if found is not None else text


def _dictated(text: str) -> Situation:
    """Of a message without stops."""
    words = text.split()
    asked, told = (words[:TAIL], words[TAIL:]) if _asks_first(text) else (words[-TAIL:], words[:-TAIL])
    question = " ".join(asked)
    return Situation(question, _alone(question, [text], 0), (" ".join(told),))


def _asks_first(text: str) -> bool:
    return cue("part.asks").match(flat(text).strip(_EDGE)) is not None


def asks(text: str) -> bool:
    """Whether some sentence of it asks something."""
    return "?" in text or any(_asks(one) for one in sentences(text))


def _asks(sentence: str) -> bool:
    low = flat(sentence).strip(_EDGE)
    return bool(cue("part.asks").match(low) or cue("part.open").search(low))


def _alone(asked: str, said: list[str], first: int) -> str:
    if first and len(asked.split()) <= SHORT:
        asked = f"{' '.join(said[first - 1].split()[-TAIL:])} {asked}"
    return alone(asked, " ".join(said))


def alone(asked: str, told: str) -> str:
    """The question behind the schemes that only what is told names."""
    own = said_in(flat(asked))
    if set(own) - having("facet"):
        return asked
    named = [name for name in said_in(flat(told)) if name not in own and name not in having("circumstance")]
    names = ", ".join(schemes()[name].short for name in named[:MOST_NAMED])
    return f"{names} : {asked}" if names else asked


def _about(said: list[str], story: list[int], first: int) -> list[int]:
    """Places of the sentences that the question leans on: the one before it, those that name a scheme, the first."""
    near = sorted(story, key=lambda at: (at != first - 1, not said_in(flat(said[at])), abs(at - first)))
    return sorted(near[:MOST_BEFORE])
