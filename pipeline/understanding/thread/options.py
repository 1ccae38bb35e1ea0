"""The switches of a calculation, turn after turn."""

from typing import Final

from pipeline.reading import OPPOSITES
from pipeline.understanding.named_calculations import KINDS

FAMILIES: Final = ("zone_", "level_", "heirs_", "relation_")
"""Beginnings of switches of which one stands."""
TOURIST: Final = frozenset(("tourist", "classified", "not_classified"))
ONCE: Final = frozenset(("wants_gap",))
"""What is asked of one message alone."""


def turned(before: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Switches that a message turns: the last said of two opposites stands."""
    now = (set(before) - ONCE) | set(said)
    for rivals in OPPOSITES:
        told = said & set(rivals)
        if told and told != set(rivals):
            now -= set(rivals) - told
    for family in FAMILIES:
        named = {option for option in said if option.startswith(family)}
        now -= {option for option in before if option.startswith(family) and named} - named
    if said_kind := KINDS & said:
        now -= KINDS - said_kind
    if {"bare", "long_let"} & said and "tourist" not in said:
        now -= TOURIST
    if "not_main_residence" in now or ("furnished" in said and "main_residence" not in said):
        now.discard("main_residence")
    return frozenset(now)
