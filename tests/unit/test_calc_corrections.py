"""What a later message puts right, adds or says again of a calculation, and what of it is no input at all."""

import pytest

from tests.calculating import computed, last

LETTING = "appart 185 000 + 14 000 de frais, loyer 780 hors charges. rendement brut sur le coût total frais inclus ?"
CHARGES = "net : taxe foncière 1 050, charges non récup 900, pno 150. toujours sur 199 000"
COUPLE = "combien peut emprunter un couple à 2 300 et 2 700, 25 ans à 3,5 % ?"


@pytest.mark.parametrize(
    ("messages", "argument", "worth"),
    [
        (("couple à 6 800, 20 ans à 3,4", "apport 50k", "et 10 000 d'apport en plus"), "down_payment", 60_000),
        ((COUPLE, "ah j'ai oublié le crédit auto 280"), "debts_monthly", 280),
        ((COUPLE, "non pardon, ils gagnent 5 400 à deux"), "months", 300),
        ((LETTING, CHARGES, "la taxe foncière sans la teom elle fait plutôt 890"), "property_tax", 890),
        ((LETTING, CHARGES, "la taxe foncière sans la teom elle fait plutôt 890"), "rent_monthly", 780),
        (("patrimoine immo net taxable 1,85 M€, IFI ?", "autre dossier : 1,35 M€ net taxable"), "amount", 1_350_000),
        (("achat de 250k dont 40 d'apport, 20 ans à 3,6", "10 000 d'apport de plus"), "down_payment", 50_000),
        (("rendement : 156 000, loyer 710", "et 12 500 € de frais de notaire en plus ?"), "purchase_price", 156_000),
    ],
)  # fmt: skip
def test_what_is_put_right_or_added_is_that_input(messages: tuple[str, ...], argument: str, worth: float) -> None:
    call, _, _ = last(*messages)
    assert call.arguments[argument] == worth


def test_what_was_told_before_is_told_again() -> None:
    """« charges pareil » of instalments: the 1 450 are what they were, and are not counted twice."""
    first = "couple 4 600 net/mois, mensualité 1 450 assurance comprise, taux d'endettement ?"
    _, values, _ = last(first, "ajoute un crédit auto à 220", "non pardon revenus 4 900, charges pareil (1 450 + 220)")
    assert values["Taux d'effort"] == pytest.approx(100 * 1_670 / 4_900, abs=0.01)


@pytest.mark.parametrize(
    ("sum_", "rule"),
    [
        ("LMNP, 14 400 de recettes. base imposable au micro-bic ?", "les PS sur du meublé c'est 17,2 ou 18,6 ?"),
        ("un père donne 250k à sa fille, droits ?", "l'abattement de 100k, il se recharge tous les combien ?"),
    ],
)  # fmt: skip
def test_a_number_in_a_rule_that_is_asked_beside_a_sum_is_no_input_of_it(sum_: str, rule: str) -> None:
    *_, (route, _, state) = computed(sum_, rule)
    assert "calculator" not in {call.tool for call in route.tool_calls}
    assert state.frames[0].slots == computed(sum_)[-1][2].frames[0].slots


def test_an_input_that_a_sum_does_not_count_takes_no_others_place() -> None:
    """Nothing is depreciated in a yield, and the 4 000 are no property tax."""
    call, _, _ = last("rendement net : 105 000, loyer 620, TF 850", "idem en réel avec 4 000 d'amortissement")
    assert call.arguments.get("property_tax", 850) == 850
