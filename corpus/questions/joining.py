"""What the question bank's best entries add to the passages that a search found.

Scores are added, not ranks: of ranks, eight entries came before all that the search had found, however far behind the
best they were (`docs/retrieval.md`).
"""

from collections.abc import Sequence
from typing import Final

from corpus.questions.bank import Match
from corpus.types import Passage

BANKED: Final = 8
"""Entries that are looked at."""
JOINING: Final = 5.5
GAIN: Final = 0.02
BEHIND: Final = 4.0
"""An entry adds to its passage's score `GAIN` a point above `JOINING`, less the further it is behind the best entry,
nothing from `BEHIND` points on."""


def joined(passages: Sequence[Passage], near: Sequence[Match]) -> tuple[Passage, ...]:
    """Passages and the best entries', best first. `near`: best first; one that the search did not find begins at 0."""
    gains = {match.entry.passage.id: _gain(match, near[0]) for match in near if match.score > JOINING}
    known = {passage.id for passage in passages}
    more = (match.entry.passage for match in near if match.entry.passage.id in gains.keys() - known)
    return tuple(sorted((*passages, *more), key=lambda passage: -(passage.score + gains.get(passage.id, 0.0))))


def _gain(match: Match, best: Match) -> float:
    return GAIN * (match.score - JOINING) * max(0.0, 1 - (best.score - match.score) / BEHIND)
