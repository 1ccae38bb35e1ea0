"""The choices of a question back: each button's question, asked again, needs no further choice."""

import pytest

from pipeline.types import Turn
from tests.unit.test_router import ask


@pytest.mark.parametrize(
    "text",
    [
        "prix à Saint-Denis",
        "Quels sont les prix des appartements à Saint-Denis ?",
        "prix des T3 à Lyon",
        "prix au m2 à Paris ?",
        "Marseille : prix des maisons en 2024",
        "risque d'inondation à Saint-Denis ?",
    ],
)
def test_each_choice_settles_the_question(text: str) -> None:
    """The completed question has the chosen commune and is looked up."""
    back = ask(text)
    assert back.clarification
    assert 2 <= len(back.choices) <= 20
    for choice in back.choices:
        found = ask(choice.question)
        assert found.clarification is None, choice
        assert found.communes == (choice.insee,)
        assert found.tool_calls
        assert choice.label


def test_a_choice_keeps_the_follow_up_in_its_thread() -> None:
    """« et à Lyon ? » after prices: the button asks « et à Lyon 7e ? »."""
    history = (Turn("assistant", "…", ("69266",), (), "prix des T3 à Villeurbanne"),)
    back = ask("et à Lyon ?", history=history)
    seventh = next(choice for choice in back.choices if choice.insee == "69387")
    found = ask(seventh.question, history=(*history, Turn("assistant", "…", ("69123",), (), back.query)))
    assert found.communes == ("69387",)
    assert [call.tool for call in found.tool_calls] == ["sales"]


def test_a_clear_question_offers_nothing() -> None:
    """No button where there is nothing to choose."""
    assert ask("prix à Toulon").choices == ()
    assert ask("prix des appartements").choices == ()
