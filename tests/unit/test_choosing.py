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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Quels sont les prix à Trifouillis-les-Oies ?", "« Trifouillis-les-Oies »"),
        ("Loyers à Londres ?", "« Londres »"),
        ("Zone tendue à New York ?", "« New York »"),
        ("Prix à 99999 ?", "le code 99999"),
    ],
)
def test_a_place_that_no_commune_is_is_said_so(text: str, said: str) -> None:
    """One sentence, nothing looked up, no figure."""
    found = ask(text)
    assert found.intent == "clarify"
    assert found.tool_calls == ()
    assert said in (found.clarification or "")


def test_a_code_that_lost_its_zero_is_offered_with_it() -> None:
    """Spreadsheets eat it; the button asks the question with the commune's name."""
    found = ask("Prix au m² à 1004 ?")
    assert "01004, Ambérieu-en-Bugey" in (found.clarification or "")
    (choice,) = found.choices
    assert choice.insee == "01004"
    assert ask(choice.question).communes == ("01004",)


@pytest.mark.parametrize("text", ["Quel zonage à La Réunion ?", "Quel loyer maximal à Jeanbrun ?", "Loyers en LMNP ?"])
def test_areas_schemes_and_acronyms_are_no_unknown_commune(text: str) -> None:
    """They are not asked about as if they were misspelt towns."""
    found = ask(text)
    assert "Je ne connais pas" not in (found.clarification or "")


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Prix à Toulon en 2027 ?", 2027),
        ("Prix à Toulon en 1985 ?", 1985),
        ("Prix d'un immeuble construit en 1985 à Toulon ?", None),
        ("Prix à Toulon en 2024 ?", 2024),
    ],
)
def test_a_year_out_of_reach_is_asked_for_and_not_passed_over(text: str, year: int | None) -> None:
    """The latest year in its place would be silently wrong."""
    (call,) = ask(text).tool_calls
    assert call.arguments["year"] == year
