"""Which intents of a model's reply count: those that the words of the message make likely. What the offline reader is
sure of is not lost by being left out."""

from collections.abc import Mapping
from typing import Final

from pipeline.reading import CALCULATIONS, INTENTS, SURE_UNSAFE, WRITES, Intent, Reading
from pipeline.understanding.model.schema import Reply
from pipeline.understanding.model.verbatim import Claims
from pipeline.understanding.offline.intents import ALSO

Intents = tuple[tuple[Intent, float], ...]
DEAD_ENDS: Final = ("out_of_field", "unsafe", "smalltalk", "recall", "capabilities", "complaint")
"""Readings after which nothing is looked up: a model may not bury a question that the offline reader is sure of."""
SURE: Final = 0.85
LIKELY: Final = 0.05
"""Share of the likeliest intent's likelihood from which another one may be what is meant."""
MOST_INTENTS: Final = 4


def believed_intents(reply: Reply, draft: Reading, likely: Mapping[Intent, float], claims: Claims) -> Intents:
    """The best, and others that are sure enough; a name said twice counts once. Empty: the reply is of no use."""
    said: dict[Intent, float] = {}
    for item in reply.intents:
        name = next((name for name in INTENTS if name == item.name), None)
        if name is None or name in said or not _may_be(name, draft, likely):
            claims.falls("intent", item.name)
        else:
            said[name] = item.confidence
    ranked = sorted(said.items(), key=lambda pair: -pair[1])[:MOST_INTENTS]
    kept = tuple(pair for rank, pair in enumerate(ranked) if rank == 0 or pair[1] >= ALSO)
    if kept:
        claims.stands("intent")
    return kept


def _may_be(name: Intent, draft: Reading, likely: Mapping[Intent, float]) -> bool:
    """Likely by the words of the message, whatever a model says; and no dead end against a sure question."""
    if name in DEAD_ENDS and draft.main not in DEAD_ENDS and draft.confidence >= SURE:
        return False
    return name in draft.names or likely[name] >= LIKELY * max(likely.values())


def not_lost(intents: Intents, draft: Reading) -> Intents:
    """With the writes and the calculation that the offline reader is sure of and that the reply leaves out, unless it
    calculates something else; what that reader holds to be unsafe stays so, and as sure."""
    names = {name for name, _ in intents}
    counts = bool(names & set(CALCULATIONS))
    for name, sure in draft.intents:
        missed = name not in names and sure >= SURE
        if missed and (name in WRITES or (name in CALCULATIONS and not counts)):
            intents = (*intents, (name, sure))
    held = dict(draft.intents).get("unsafe")
    if held is None or held < SURE_UNSAFE:
        return intents
    others = tuple(pair for pair in intents if pair[0] != "unsafe")
    return (("unsafe", held), *others) if draft.main == "unsafe" else (*others, ("unsafe", held))
