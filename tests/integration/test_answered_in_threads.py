"""Messages of a thread that were taken for a calculation, or refused, and are a question that our articles answer."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.types import Answer, Question
from tests.beginnings import indexed

WHEN = datetime(2026, 11, 23, tzinfo=UTC)


async def told(folder: Path, *messages: str) -> list[Answer]:
    await indexed(folder / "corpus.sqlite3")
    found: list[Answer] = []
    async with build_deps(Settings(_env_file=None, var_dir=folder)) as deps:
        for text in messages:
            memory = found[-1].memory if found else {}
            asked = Question(text, "U1", WHEN, memory=memory)
            found.append(await answer(asked, deps=deps, report=lambda line: None))
    return found


FORTUNE = "Époux : résidence principale 900 000, deux locatifs 600 000, 100 000 de crédit. Ils paient de l'IFI ?"


async def test_what_comes_to_the_same_again_is_held_against_our_questions(tmp_path: Path) -> None:
    """Who is taxed together changes no fortune: the sum that was told says nothing of it."""
    first, again = await told(tmp_path, FORTUNE, "et des concubins pas mariés pas pacsés, on additionne leurs biens ?")
    assert {citation.kind for citation in first.citations} == {"calculator"}
    assert "passage" in {citation.kind for citation in again.citations}
    assert "concubins" in again.text


async def test_another_result_of_the_same_inputs_is_no_repetition(tmp_path: Path) -> None:
    """« dont combien d'intérêts ? » changes nothing, and is the question."""
    loan = "220 000 sur 20 ans à 3,4 % hors assurance, ça fait combien par mois ?"
    *_, again = await told(tmp_path, loan, "dont combien d'intérêts sur toute la durée ?")
    assert {citation.kind for citation in again.citations} == {"calculator"}
    assert "83 513,60" in again.text.replace("\u202f", " ").replace("\xa0", " ")


async def test_what_could_only_be_asked_back_is_answered_by_a_rule(tmp_path: Path) -> None:
    """Its amounts are those of no calculation of ours."""
    asked = "elle n'a que 2 100 € d'impôt et la réduction annuelle fait 3 400, le reste est gardé pour l'an d'après ?"
    *_, found = await told(tmp_path, "denormandie, sur 9 ans la réduction c'est combien ?", asked)
    assert "perdue" in found.text
    assert "passage" in {citation.kind for citation in found.citations}


async def test_what_is_surely_held_is_not_refused_for_want_of_a_near_entry(tmp_path: Path) -> None:
    """Told at length, it comes near no question of ours, and asks by its own words for what our articles tell."""
    before = "Quelle part des charges le bailleur peut-il récupérer auprès de son locataire, en copropriété ?"
    asked = (
        "Je m'aperçois qu'elle n'a jamais régularisé l'exercice 2024. Peut-elle encore réclamer ce complément en cette "
        "fin d'année 2026, et son locataire est-il fondé à demander un étalement ?"
    )
    *_, found = await told(tmp_path, before, asked)
    assert not found.refused
    assert found.citations


async def test_a_near_entry_answers_a_message_that_asks_for_nothing_unheld(tmp_path: Path) -> None:
    """Its own words find too little; behind what was asked before, one of our questions comes near."""
    before = (
        "L'assemblée générale de copropriété a été convoquée quinze jours avant seulement, qu'est-ce qu'elle risque ?"
    )
    asked = (
        "Enfin, dans le cas où ce syndic refuserait d'en réunir une autre, quelle fraction des voix faut-il rassembler "
        "pour l'exiger ?"
    )
    *_, found = await told(tmp_path, before, asked)
    assert not found.refused
    assert "quart" in found.text


@pytest.mark.parametrize(
    ("messages", "worth"),
    [
        (("usufruitier de 67 ans, quel pourcentage ?", "donc la nue-propriété d'un bien de 380 000 ?"), "228 000"),
        (("amortissement Jeanbrun d'un logement neuf, quel taux ?", "donc sur un T2 à 200 000 ?"), "5 600"),
        (("pénalités d'un remboursement anticipé, le maximum ?", "par exemple il reste 150 000, à 2 %"), "1 500"),
    ],
)  # fmt: skip
async def test_a_sum_that_is_one_only_behind_the_rule_is_worked_out(
    tmp_path: Path, messages: tuple[str, ...], worth: str
) -> None:
    first, found = await told(tmp_path, *messages)
    assert "calculator" not in {citation.kind for citation in first.citations}
    assert worth in found.text.replace("\u202f", " ").replace("\xa0", " ")


@pytest.mark.parametrize(
    "messages",
    [
        ("abattement pour un don à un petit-fils ?", "le grand-père a 82 ans, il peut encore faire ce don ?"),
        ("mensualité pour 200 000 sur 20 ans à 3,4 % ?", "la banque peut-elle aller plus loin que 25 ans ?"),
    ],
)  # fmt: skip
async def test_a_rule_with_a_number_behind_a_question_is_no_sum(tmp_path: Path, messages: tuple[str, ...]) -> None:
    *_, found = await told(tmp_path, *messages)
    assert "calculator" not in {citation.kind for citation in found.citations}


async def test_a_share_on_record_opens_the_answer_before_somebody_elses_example(tmp_path: Path) -> None:
    *_, found = await told(
        tmp_path, "ptz appartement neuf, quotité ?", "cout retenu 150 000, tranche 2, appart. montant ?"
    )
    opening = found.text.replace("\u202f", " ").replace("\xa0", " ").split("\n\n")[0]
    assert "60 000 €" in opening
    assert "200 000" not in opening


async def test_what_is_hardly_a_sum_behind_a_rule_is_of_that_rule(tmp_path: Path) -> None:
    """A budget and a lot's thousandths are neither a price nor a rent."""
    rule = "Cotisation minimale au fonds de travaux d'une copropriété sans plan pluriannuel adopté ?"
    *_, found = await told(
        tmp_path, rule, "Pour un budget de 48 000 € et un lot de 85/1 000, ma cliente paie combien à ce titre ?"
    )
    assert "endement" not in found.text
    assert "5 %" in found.text.replace("\u202f", " ").replace("\xa0", " ")


async def test_what_was_answered_as_a_rule_is_remembered_as_one(tmp_path: Path) -> None:
    """« étape » is a deal's word as well: the question is one of our articles' own, and so is what comes behind it."""
    *_, found = await told(tmp_path, "vefa, appels de fonds à chaque étape ?", "et pour 310 000, hors d'eau ?")
    assert "217 000 €" in found.text.replace("\u202f", " ").replace("\xa0", " ")
    assert "HubSpot" not in found.text
