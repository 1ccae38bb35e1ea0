"""A short first message is read as a case where its words leave doubt, and stays what it was where they leave none."""

import pytest

from tests.asking import ask, in_thread
from tests.calculating import last


@pytest.mark.parametrize(
    ("text", "kind", "label", "worth"),
    [
        (
            "usuf. viager conservé à 62 ans sur un bien de 250 000, il vaut cb fiscalement",
            "usufruct",
            "Usufruit",
            100_000,
        ),
        ("budget de copropriété de 46 000 € par an, lot de 84/1000e : sa quote-part ?", "quota", "Quote-part", 3_864),
        ("VEFA 212 000, fondations achevées, appel max ?", "completion_call", None, None),
        (
            "viager, rente 900 par mois, elle a 74 ans, combien d'imposable par an ?",
            "annuity",
            "Rente imposable",
            3_240,
        ),
        ("dépôt rendu avec trois mois de retard, loyer 650, pénalité ?", "late_deposit", "Majoration", 195),
    ],
)
def test_what_was_learned_of_cases_finds_the_sum(text: str, kind: str, label: str | None, worth: float | None) -> None:
    call, values, _ = last(text)
    assert call.arguments["kind"] == kind
    assert label is None or values[label] == worth


def test_a_sum_that_has_all_it_needs_stays_what_it_was_read_as() -> None:
    """A case's reading took the income for an instalment."""
    call, *_ = last("6 000 net par mois, un crédit conso de 450. à 35 % il lui reste combien de mensualité possible ?")
    assert (call.arguments["kind"], call.arguments.get("income_monthly")) == ("capacity", 6_000)


def test_a_case_that_lacks_what_it_needs_is_not_believed() -> None:
    """A capacity without an income: what is left to borrow is the loan's."""
    call, *_ = last("prix 280k, frais 8 %, travaux 15k, apport 45k : il reste combien à emprunter ?")
    assert call.arguments["kind"] == "loan"


@pytest.mark.parametrize(
    "text",
    [
        "rachat de soulte de 88 000 entre ex-époux, c'est quel taux le droit de partage ?",
        "déficit foncier de 12 000 euros, reportable combien d'années ?",
    ],
)
def test_a_rule_that_is_asked_beside_a_number_is_no_sum(text: str) -> None:
    assert "rag" in ask(text).mode


def test_a_later_message_is_read_in_its_thread() -> None:
    """« et s'il a 82 ans » changes the age; alone it would be a case of nothing."""
    task, _ = in_thread(
        "usuf. viager conservé à 62 ans sur un bien de 250 000, il vaut cb", "et s'il avait plutôt 82 ans ?"
    )[-1]
    assert task.frame is not None
    assert "usufruct" in task.frame.options
