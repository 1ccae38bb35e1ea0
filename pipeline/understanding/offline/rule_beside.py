"""The rule that a message asks beside its sum: « combien d'impôt sur la vente, et il la déclare comment ? ».

Learned from sums of many hands whose words that ask a rule are marked, and from told cases of which is known only that
they ask one: « quel abattement » asks for a rule or for a number, as the words beside it have it.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from corpus.sentences import sentences
from pipeline.reading import CALCULATIONS
from pipeline.understanding.learned.features import masked, ngrams
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.offline.intents import likelihoods, model_of
from pipeline.understanding.own_words import flat
from pipeline.understanding.parts import SEAM
from pipeline.understanding.situations import MID

LEAST: Final = 0.0
"""Log odds from which a piece asks for a rule: of hands that were not learned from .87 of the short messages said
to ask for one do, .56 and .69 of the told cases; of those that do .73 and .88, .61 and .66 are found
(`python -m bench.training.rule_beside`)."""
FEWEST: Final = 2
"""Words of a piece."""
LONG: Final = 20
Seen = tuple[dict[str, float], Floats]


def rule_beside(text: str, asked: str) -> tuple[str, str]:
    """(the words that ask for a rule beside a sum, the message without them); ("", the message) where none do or
    nothing else is asked. `asked`: what the message asks, or all of it."""
    parts = pieces(asked)
    if len(parts) < 2:
        return "", text
    model = model_of("rule_beside")
    rules = [one for at, one in enumerate(parts) if float(model.scores(*seen(at, parts), unit=True)[0]) >= LEAST]
    if len(rules) == len(parts):
        return "", text
    rest = text
    for one in rules:
        rest = rest.replace(one, " ", 1)
    return " ".join(rules), " ".join(rest.split())


def pieces(asked: str) -> tuple[str, ...]:
    """Cut at its sentences and wherever one more thing may begin to be asked."""
    found = []
    for one in (part for sentence in sentences(asked) for part in MID.split(sentence)):
        seams = [0, *(seam.end() for seam in SEAM.finditer(flat(one))), len(one)]
        found += [one[a:b].strip(" ,;") for a, b in pairwise(seams) if len(one[a:b].split()) >= FEWEST]
    return tuple(found)


def seen(at: int, parts: Sequence[str]) -> Seen:
    """Of the piece at this place: its n-grams; what it, and what the others, may be read as, and how it stands."""
    own, rest = parts[at], " ".join(part for place, part in enumerate(parts) if place != at)
    rules, sums = _read(own)
    held = [rules, sums, _read(rest)[1] if rest else 0.0, rules - sums, len(parts) == 1, at == 0, at == len(parts) - 1]
    held += [bool(re.search(r"\d", own)), "?" in own, min(len(own.split()), LONG) / LONG]
    return dict(ngrams(masked(own))), np.array(held, np.float32)


def _read(text: str) -> tuple[float, float]:
    """(how likely it asks for a rule, for a sum)"""
    likely = likelihoods(text, (), places=())
    return likely["rules"], max(likely[intent] for intent in CALCULATIONS)
