"""A question in the middle of a client's case is answered as that question, and sums are made of the case as before."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.asked.told_cases import as_asked
from pipeline.types import Answer, Question
from tests.beginnings import indexed

WHEN = datetime(2026, 11, 28, tzinfo=UTC)
RULE = (
    "Mme Petit, 67 ans, donne à sa fille unique de 41 ans la nue-propriété d'un appartement de 180 000 €, elle garde "
    "l'usufruit, loyer 650 € par mois, TMI 11, et il lui reste une maison de 395 000 €. La fille panique pour plus "
    "tard. Au décès de sa mère, quel article dit que l'usufruit s'éteint sans droits ?"
)
SUM = (
    "Emprunt de 185 000 € sur 20 ans à 3,35 % fixe, hors assurance, pour Mélanie et Farid, 34 et 36 ans, 5 100 € de "
    "revenus nets à deux, un enfant en route. Ils achètent une maison à 215 000 € avec 45 000 € d'apport, le courtier "
    "leur a dit à peu près 1 100. La mensualité, c'est combien ?"
)
ORDER = (
    "Rendez-vous avec les Garnier ce matin, lui 52 ans, elle 50, deux enfants, un T3 loué nu à Nantes et un crédit qui "
    "finit en 2031, ils veulent vendre avant la retraite et hésitent encore. Ajoute une note sur le dossier 9001 : ils "
    "rappellent en mars. Quel est le délai de préavis du bailleur pour vendre ?"
)


async def told(folder: Path, text: str) -> tuple[Question, Answer]:
    await indexed(folder / "corpus.sqlite3")
    async with build_deps(Settings(_env_file=None, var_dir=folder)) as deps:
        asked = Question(text, "U1", WHEN)
        alone, _ = await as_asked(asked, deps=deps)
        return alone, await answer(asked, deps=deps, report=lambda line: None)


async def test_a_rule_is_answered_and_the_figures_of_the_story_make_no_sum(tmp_path: Path) -> None:
    asked, found = await told(tmp_path, RULE)
    assert asked.case[0].startswith("Au décès de sa mère")
    assert "calculator" not in {citation.kind for citation in found.citations}
    assert "1133" in found.text


@pytest.mark.parametrize("text", [SUM, ORDER])
async def test_a_sum_and_an_order_are_of_the_whole_message(tmp_path: Path, text: str) -> None:
    """The amounts are in the story, and so is whom to write of."""
    asked, found = await told(tmp_path, text)
    assert asked.text == text
    assert not asked.case
    assert ("1 058,72" in found.text.replace("\u202f", " ").replace("\xa0", " ")) == (text == SUM)


SALE = (
    "Mme Rolland, 61 ans, divorcée, TMI 30, a un T3 loué nu à Croix, acheté 151 000 € en septembre 2015, elle le vend "
    "214 000 € et l'acte est prévu le 20 janvier 2027. Deux enfants étudiants, 40 000 € d'épargne. Sa fille dit que "
    "les abattements ont changé. Comment se calcule l'abattement pour durée de détention ?"
)


async def test_a_sum_that_is_asked_later_finds_the_figures_of_the_case(tmp_path: Path) -> None:
    """The case was answered as a rule; its prices are the thread's."""
    await indexed(tmp_path / "corpus.sqlite3")
    async with build_deps(Settings(_env_file=None, var_dir=tmp_path)) as deps:
        first = await answer(Question(SALE, "U1", WHEN), deps=deps, report=lambda line: None)
        assert "calculator" not in {citation.kind for citation in first.citations}
        later = Question("calcule l'impôt sur sa plus-value", "U1", WHEN, memory=first.memory)
        second = await answer(later, deps=deps, report=lambda line: None)
    call = next(result.call for result in second.evidence.tool_results if result.call.tool == "calculator")
    assert (call.arguments["purchase_price"], call.arguments["sale_price"]) == (151_000, 214_000)


BOTH = (
    "M. Fuchs conventionne un deux-pièces en Loc'Avantages niveau Loc2, sans intermédiation, loyer 550 € par mois. "
    "Quelle réduction d'impôt pour une année pleine, {}"
)


@pytest.mark.parametrize(
    ("rule", "answered"),
    [
        ("et combien de temps au minimum devra-t-il louer ?", ("2 310 €", "6 ans")),
        ("et quelle équation de Maxwell s'applique ?", ("2 310 €",)),
    ],
)
async def test_a_rule_that_is_asked_beside_a_sum_is_answered_after_it(
    tmp_path: Path, rule: str, answered: tuple[str, ...]
) -> None:
    """The sum keeps its place whatever becomes of the rule."""
    _, found = await told(tmp_path, BOTH.format(rule))
    text = found.text.replace("\u202f", " ").replace("\xa0", " ")
    places = [text.find(one) for one in answered]
    assert -1 not in places
    assert places == sorted(places)
    assert "calculator" in {citation.kind for citation in found.citations}
    assert ("passage" in {citation.kind for citation in found.citations}) >= (len(answered) > 1)
