"""A question in the middle of a client's case is answered as that question, and sums are made of the case as before."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.told_cases import as_asked
from pipeline.types import Answer, Question
from tests.beginnings import indexed

WHEN = datetime(2026, 11, 28, tzinfo=UTC)
RULE = (
    "Décès du père de mon client début octobre. Le papa avait donné en 2014 la nue-propriété de l'immeuble à son fils "
    "unique, avec réserve d'usufruit, donation notariée, droits payés à l'époque sur 180 000 €. Aujourd'hui l'immeuble "
    "vaut dans les 395 000 €, loyers 2 300 € par mois. Le fils a 46 ans et panique. Doit-il des droits sur l'usufruit "
    "qui s'éteint ?"
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
        return await as_asked(asked, deps=deps), await answer(asked, deps=deps, report=lambda line: None)


async def test_a_rule_is_answered_and_the_figures_of_the_story_make_no_sum(tmp_path: Path) -> None:
    asked, found = await told(tmp_path, RULE)
    assert asked.case[0].startswith("Doit-il des droits")
    assert "calculator" not in {citation.kind for citation in found.citations}
    assert "1133" in found.text


@pytest.mark.parametrize("text", [SUM, ORDER])
async def test_a_sum_and_an_order_are_of_the_whole_message(tmp_path: Path, text: str) -> None:
    """The amounts are in the story, and so is whom to write of."""
    asked, found = await told(tmp_path, text)
    assert asked.text == text
    assert not asked.case
    assert ("1 058,72" in found.text.replace("\u202f", " ").replace("\xa0", " ")) == (text == SUM)
