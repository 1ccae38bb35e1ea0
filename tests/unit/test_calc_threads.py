"""Calculations turn after turn: which one is meant, what is taken over, and what is set side by side."""

import pytest

from pipeline.talk.thread_talk import talk
from pipeline.types import Question
from tests.asking import SUNDAY
from tests.calculating import computed, last

HOMES = ("rendement appart 131 000 loyer 610", "un autre a 158000 loué 745")
COST = "Coût total du crédit hors assurance"
MEDIAN = (("Prix médian des appartements T3 en 2025", 2_500.0, "€/m²"),)


@pytest.mark.parametrize(
    ("then", "price", "rent"),
    [
        (("le premier avec 640 de loyer",), 131_000, 640),
        (("le premier avec 640 de loyer", "et le second avec 9000 de travaux"), 158_000, 745),
        (("et l'autre avec 590 de loyer",), 131_000, 590),
        (("celui a 131 000 avec 600 de loyer",), 131_000, 600),
    ],
)
def test_one_of_several_homes_is_meant(then: tuple[str, ...], price: float, rent: float) -> None:
    call, _, _ = last(*HOMES, *then)
    assert call.arguments["purchase_price"] == price
    assert call.arguments["rent_monthly"] == rent


def test_a_first_year_is_no_first_home() -> None:
    call, _, _ = last(*HOMES, "la premiere annee 650 de loyer")
    assert call.arguments["purchase_price"] == 158_000


def test_the_difference_between_two_named_cases_is_computed() -> None:
    """The first of them was asked turns ago."""
    _, values, _ = last("pret 210000 a 3,3 sur 25 ans", "et en 15 et 20 ans", "la différence entre 15 et 25 ?")

    def cost(years: int) -> float:
        i = 3.3 / 1200
        paid = round(210_000 * i / (1 - (1 + i) ** (-12 * years)), 2)
        return paid * 12 * years - 210_000

    assert values["Écart de coût total"] == pytest.approx(cost(25) - cost(15), abs=0.02)


def test_a_yield_apart_is_told_in_points() -> None:
    _, values, said = last(*HOMES, "lequel est le mieux ?")
    assert values["Écart : Rendement brut"] == pytest.approx(745 * 1200 / 158_000 - 610 * 1200 / 131_000, abs=0.011)
    assert "point" in said
    assert "prix 158 000 €" in said
    assert "Formule" in said


def test_regimes_of_two_answers_are_ranked_together() -> None:
    _, _, said = last(
        "micro foncier ou reel : loyers 9000 charges 3500 tmi 30", "et en meublé ?", "lequel est le mieux ?"
    )
    assert "le plus favorable sur ce point : en meublé au micro-BIC" in said  # 4 500 x 48.6 %
    assert "2 187 €" in said
    assert "en location nue au réel" in said


def test_results_of_two_kinds_are_not_compared() -> None:
    call, _, said = last("rendement 150000 loyer 700", "pv achat 120000 en 2012 vente 205000", "ecart entre les deux ?")
    assert call.tool == "compare"
    assert "ne se comparent pas" in said


@pytest.mark.parametrize("asked", ["donc net ?", "et en net ?"])
def test_a_level_asked_for_is_no_comparison(asked: str) -> None:
    _, values, said = last("rendement 150000 loyer 700", "charges 800 tf 700", asked)
    assert values["Rendement net"] == 4.6
    assert said.startswith("Rendement net")


def test_a_share_of_the_rents_leaves_the_charges_in_place() -> None:
    _, values, _ = last("rendement 120000 loyer 600", "charges 50 par mois", "gestion 8%")
    assert values["Charges et vacance"] == pytest.approx(600 + 0.08 * 7_200)


def test_the_rent_of_a_wanted_yield_and_no_price() -> None:
    _, values, said = last("rendement 120000 loyer 600 tf 800", "il faut quel loyer pour 7 % ?")
    assert values["Loyer mensuel pour le rendement visé"] == pytest.approx((8_400 + 800) / 12, abs=0.01)
    assert said.startswith("Loyer mensuel")


def test_the_instalment_of_the_amount_that_was_found() -> None:
    turns = ("capacité 4800 de revenus 20 ans 3,2", "du coup la mensualité pour ce montant")
    (_, first, _), (route, then, _) = computed(*turns)
    capital = next(e.figure.value for e in first[0].computed if e.figure.label == "Capacité d'emprunt")
    assert route.tool_calls[0].arguments["loan_amount"] == capital
    assert next(e.figure.value for e in then[0].computed) == pytest.approx(1_680, abs=0.01)


def test_what_can_be_bought_with_capacity_and_down_payment() -> None:
    _, values, said = last("capacité 4800 de revenus 20 ans 3,2", "avec 30000 d'apport", "quel bien il peut acheter ?")
    assert said.startswith("Budget d'achat")
    budget = (values["Capacité d'emprunt"] + 30_000) / 1.08
    assert values["Prix d'achat possible, hors frais"] == pytest.approx(budget, abs=0.01)


def test_a_year_of_instalments() -> None:
    _, values, said = last("mensualite 120000 sur 15 ans a 0%", "et par an ça fait combien ?")
    assert values["Total annuel des mensualités"] == pytest.approx(8_000, abs=0.05)
    assert said.startswith("Total annuel")


def test_what_is_left_to_live_on() -> None:
    _, _, said = last("endettement : 5100 de revenus, mensualité 1300, credit auto 200", "et le reste à vivre ?")
    assert said.startswith("Reste à vivre : 3 600 €")


def test_a_price_beside_the_median_that_was_looked_up() -> None:
    before = ("prix t3 angers", "mon client paie 186 000 pour 62 m2, c'est trop cher ?")
    _, values, said = last(*before, looked_up=MEDIAN)
    assert values["Écart avec la médiane"] == pytest.approx(20, abs=0.01)
    assert "au-dessus de 2 500 €/m², prix médian des appartements T3 en 2025 à Angers" in said
    call, values, _ = last(*before, "il negocie a 170000", looked_up=MEDIAN)
    assert call.arguments["kind"] == "market"
    assert values["Prix au m²"] == pytest.approx(170_000 / 62, abs=0.01)
    call, values, _ = last(*before, "il negocie a 170000", "rendement a ce prix loyer 800", looked_up=MEDIAN)
    assert values["Rendement brut"] == pytest.approx(9_600 / 1_700, abs=0.01)


def test_what_an_area_would_cost_at_the_median_and_its_loan() -> None:
    before = ("prix t3 angers", "pour un 60 m2 ca fait quel prix à Angers ?")
    _, values, _ = last(*before, looked_up=MEDIAN)
    assert values["Prix estimé"] == 150_000
    call, _, _ = last(*before, "mensualité pour ce prix sur 20 ans a 3 avec 20000 d'apport", looked_up=MEDIAN)
    assert call.arguments["purchase_price"] == 150_000
    assert call.arguments["down_payment"] == 20_000


def test_another_price_is_no_fee_that_was_asked_for() -> None:
    call, values, _ = last("travaux mini en denormandie pour 90 000 ?", "et 120 000 ?")
    assert call.arguments["purchase_price"] == 120_000
    assert values["Travaux minimaux"] == 40_000


@pytest.mark.parametrize("asked", ["récapitule", "c'était combien au départ ?"])
def test_a_recall_tells_each_calculation_with_its_inputs(asked: str) -> None:
    turns = ("pret 140000 sur 20 ans a 3,5", "et a 3", asked)
    route, _, state = computed(*turns)[-1]
    said = talk(Question(text=asked, asked_by="U1", asked_at=SUNDAY), route, state).replace("\u202f", " ")
    assert "taux 3,5" in said
    assert ("taux 3 %" in said) is ("départ" not in asked)


def test_another_calculation_is_not_taken_for_what_was_asked_back() -> None:
    call, _, _ = last("rendement 140000 loyer 650", "pv achat 2014 100k vente 140k")
    assert call.arguments["kind"] == "gain"


def test_what_was_asked_is_recalled_as_plain_text() -> None:
    """Nobody's message becomes a heading, a link, a citation or a table of ours when it is told again."""
    turns = ("pret 140000 sur 20 ans a 3,5 **vite** [1] [ici](https://mal.example)\n# Titre", "récapitule")
    route, _, state = computed(*turns)[-1]
    said = talk(Question(text="récapitule", asked_by="U1", asked_at=SUNDAY), route, state)
    line = next(line for line in said.splitlines() if line.startswith("1."))
    assert not [sign for sign in ("**", "[", "#", "://") if sign in line]
    assert "vite (1) ici" in line


@pytest.mark.parametrize(
    ("messages", "label", "worth"),
    [
        (("180 000 à 3,35 % sur 20 ans", "sur 25 ans", "le coût total des intérêts dans ce 2e cas"), COST, 86_013),
        (("230 000 sur 22 ans à 3,4 % : total des intérêts ?", "si on négocie 3,1 ?"), COST, 87_562.96),
        (
            ("prêt de 250 000 sur 25 ans à 1,8 %, 6 ans déjà remboursés. Capital restant dû ?", "et dans 4 ans ?"),
            "Capital restant dû",
            163_234.57,
        ),
        (
            ("patrimoine immobilier net de 1 900 000, IFI ?", "on avait oublié un prêt, 250 000 € restant dus"),
            "Montant de l'IFI",
            4_950,
        ),
        (("IFI : RP 1 000 000, locatif 900 000", "et si la RP vaut 1 200 000 ?"), "Montant de l'IFI", 5_580),
        (
            ("loyer 640 €, indice du bail 143,90, nouveau 146,20, révision ?", "l'indice de départ c'était 144,80"),
            "Loyer révisé",
            646.19,
        ),
        (("veuve de 68 ans, donne la NP de 400 000 à ses 2 enfants, droits ?", "avec 3 enfants ?"), "Droits", 0),
        (
            ("veuve de 68 ans, donne la NP de 400 000 à ses 2 enfants, droits ?", "et en pleine propriété ?"),
            "Droits",
            36_388.70,
        ),
        (
            ("frais de notaire pour 250 000 dans l'ancien ?", "et les droits de mutation pour 300 000 ?"),
            "Droits et taxes de mutation",
            18_955.50,
        ),
    ],
)
def test_a_later_turn_changes_one_input_or_asks_another_result(
    messages: tuple[str, ...], label: str, worth: float
) -> None:
    _, values, _ = last(*messages)
    assert values[label] == pytest.approx(worth, rel=1e-5, abs=0.01)


def test_what_is_left_of_a_sale_is_told_first_once_it_is_asked() -> None:
    _, _, said = last("pv : acheté 200 000 en 2014, vendu 320 000 en 2026", "combien il lui reste net ?")
    assert said.startswith("Prix de vente net de frais de vente et d'impôt")


def test_a_share_of_income_is_asked_of_the_threads_loan() -> None:
    """Nothing is paid in the message: the loan before it is."""
    loan = "mensualité pour 260 000 sur 25 ans à 3,4 %"
    call, values, _ = last(loan, "ils gagnent 4 800 net, assurance 60. taux d'effort ?")
    assert call.arguments["loan_amount"] == 260_000
    assert values["Taux d'effort"] == 28.08
    call, values, _ = last(loan, "ils gagnent 4 800 net et paient 900 par mois. quel taux d'effort ?")
    assert "loan_amount" not in call.arguments
    assert values["Taux d'effort"] == 18.75


def test_a_sum_after_the_rule_of_a_regime_is_of_that_regime() -> None:
    """Though it does not say « donc », and unless it names another."""
    call, *_ = last("plafond micro foncier svp", "11 000 de loyers, tmi 30, total ir + ps ?")
    assert (call.arguments["kind"], call.arguments["furnished"], call.arguments["wanted"]) == ("regime", False, "micro")
    call, *_ = last("plafond micro foncier svp", "11 000 de loyers en meublé, tmi 30, total ir + ps ?")
    assert call.arguments["furnished"] is True


@pytest.mark.parametrize(
    "text",
    [
        "denormandie, opération à 180 000 tout compris, combien de travaux minimum ?",
        "denormandie, sur une opération de 180 000 au total, combien de travaux minimum ?",
    ],
)
def test_the_works_of_a_denormandie_are_a_quarter_of_the_whole_cost(text: str) -> None:
    """Of a price they are a third."""
    assert last(text)[1]["Travaux minimaux"] == 45_000
    assert last(text.replace(" tout compris", "").replace(" au total", ""))[1]["Travaux minimaux"] == 60_000


def test_who_says_that_nothing_is_paid_is_not_asked_again() -> None:
    _, values, _ = last("revenus 5 200 net par mois, 0 € de mensualités en cours, quel taux d'effort ?")
    assert values["Taux d'effort"] == 0
