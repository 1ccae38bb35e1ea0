"""The rows of the roles: each role of the contract has one, and what a calculation needs counts in it."""

import pytest

from pipeline.reading import CALCULATIONS, ROLES, Unit
from pipeline.understanding.offline.intents import ALSO, with_topics
from pipeline.understanding.roles import NEEDS, core_of, counted_in, row_of, rows


def test_each_role_has_its_row() -> None:
    """A row too many is a spelling that nothing reads."""
    assert set(rows()) == set(ROLES) - {"other"}


@pytest.mark.parametrize("kind", CALCULATIONS)
def test_what_a_calculation_needs_and_moves_counts_in_it(kind: str) -> None:
    """And nothing counts in what is no calculation."""
    assert {role for group in NEEDS[kind] for role in group} | set(core_of(kind)) <= set(counted_in(kind))
    assert counted_in("prices") == core_of("prices") == ()


@pytest.mark.parametrize(
    ("role", "unit", "can"),
    [("vacancy", "weeks", True), ("rate", "years", False), ("rent", "€", True), ("charges", "%", True)],
)
def test_a_role_bears_its_own_units(role: str, unit: Unit, can: bool) -> None:
    """« 8 % de gestion » are charges, « 3 ans » is no rate."""
    assert (unit in row_of(role).units) is can


def test_an_unsure_topic_gives_way_to_the_one_that_is_named() -> None:
    """It was dropped and none took its place: a message without any intent could not be read."""
    assert with_topics((("prices", 0.55),), "un t2 au bord de l'eau, ca inonde tous les hivers ?") == (("risks", ALSO),)
