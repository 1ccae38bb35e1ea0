"""What a message tells a calculation without the word for it, and which result is the one that was asked for."""

from dataclasses import replace

import pytest

from pipeline.planning.said_back import taken_over
from pipeline.reading import Quantity, Reading, Unit
from pipeline.thread_state import ThreadState
from pipeline.understanding.offline.leftover import with_leftovers
from pipeline.understanding.thread.dialogue import resolve
from tests.calculating import computed, last


def number(value: float, role: str, *, start: int, unit: Unit = "", sure: float = 0.9) -> Quantity:
    return Quantity(value, unit, f"{value:g}", start, role=role, confidence=sure)


RENT = number(980, "rent", start=0)


def roles(*found: Quantity, kind: str = "calc_yield") -> list[str]:
    return [q.role for q in with_leftovers(found, kind)]


def test_the_only_number_that_fits_the_only_missing_input_is_that_input() -> None:
    assert roles(RENT, number(176_000, "other", start=9)) == ["rent", "purchase_price"]
    assert roles(RENT, number(176_000, "rent", start=9, sure=0.4)) == ["rent", "purchase_price"]
    assert last("in fine de 180 000 à 4 % pendant 8 ans, intérêts au total ?")[0].arguments["months"] == 96


@pytest.mark.parametrize(
    "found",
    [
        (RENT, number(176_000, "other", start=9), number(190_000, "other", start=20)),  # which of them?
        (RENT, number(12, "other", start=9)),  # too small for a price
        (RENT, number(176_000, "rent", start=9, sure=0.8)),  # surely a rent
        (RENT, number(35, "other", start=9, unit="%")),
        (RENT, number(150_000, "purchase_price", start=9), number(176_000, "other", start=20)),  # nothing is missing
    ],
)
def test_nothing_is_guessed_otherwise(found: tuple[Quantity, ...]) -> None:
    assert roles(*found) == [q.role for q in found]


def test_a_rule_or_a_price_of_a_town_takes_no_leftover() -> None:
    assert roles(number(176_000, "other", start=0), kind="rules") == ["other"]


def test_what_was_concluded_is_said_back_and_nothing_else_is() -> None:
    rent, price = with_leftovers((RENT, number(176_000, "other", start=9)), "calc_yield")
    reading = Reading("980 et 176000", (("calc_yield", 1.0),), "new", quantities=(rent, price))
    (said,) = taken_over(resolve(reading, ThreadState()))
    assert said.replace("\u202f", " ").replace("\xa0", " ").startswith("Je comprends : prix 176 000 €.")
    named = replace(reading, quantities=(rent, replace(price, assumed=False)))
    assert taken_over(resolve(named, ThreadState())) == ()


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("combien on gagne par mois en passant de 15 à 20 ans, 140 000 à 3,1 % ?", "Écart de mensualité : 190,10 €"),
        ("différence de coût total entre 15 et 20 ans pour 140 000 à 3,1 % ?", "Écart de coût total : "),
        (
            "in fine de 220 000 à 3,8 % sur 12 ans : quels intérêts par an ?",
            "Intérêts par an du prêt in fine : 8 360 €",
        ),
        (
            "quel budget d'achat avec 1 000 de mensualité, 20 ans, 3 %, apport 30 000, frais 8 % ?",
            "Budget d'achat hors frais, avec 30 000 € d'apport et 8 % de frais : 194 731,48 €",
        ),
        (
            "LMNP réel, recettes 11 000, charges 2 500, amortissements 4 000, TMI 30 : impôt ?",
            "En meublé au réel : 2 187 €",
        ),
        (
            "impôt sur 8 000 € de revenus fonciers au micro, tranche 30 ?",
            "En location nue au micro-foncier : 2 643,20 €",
        ),
        (
            "rachat de soulte entre ex-conjoints, valeur 200 000, crédit 50 000. Droit de partage ?",
            "Droit de partage : 1 650 €",
        ),
        (
            "deux époux séparés, maison 280 000 sans prêt, 50/50 : quelle soulte ?",
            "Soulte : 140 000 €, soit 50 % de 280 000 €",
        ),
        ("bien de 300 000 sans dette, il détient 70 % et garde tout : soulte ?", "Soulte : 90 000 €, soit 30 %"),
        ("une tante lègue 60 000 à sa nièce, quels droits ?", "Droits de succession : "),
        ("succession entre concubins de 30 000 : droits ?", "Droits de succession : 17 043,60 €"),
        ("célibataire, 41 000 imposables : impôt ?", "Impôt sur le revenu : "),
        ("quel taux pour 980 € par mois sur 20 ans et 170 000 empruntés ?", "Taux nominal du prêt : environ 3,43 %"),
        ("coût de l'assurance sur toute la durée : 150 000 €, 0,3 %, 15 ans", "Coût total de l'assurance : 6 750 €"),
        (
            "prêt de 150 000 à 3,2 % sur 15 ans, assurance 0,3 % : combien d'assurance au total ?",
            "Coût de l'assurance : 6 750 €",
        ),
        (
            "vente d'une cave 9 000 €, achetée 4 000 il y a 7 ans : impôt de plus-value ?",
            "Impôt et prélèvements sur la plus-value : 0 €, la vente d'un bien à 15 000 € au plus étant exonérée.",
        ),
        ("meublé au réel acheté 120, amorti 25, vendu 160 : plus-value brute ?", "Plus-value brute : 65 000 €"),
        ("Denormandie, 200 000 dont 60 000 de travaux, 9 ans : réduction ?", "Réduction d'impôt sur 9 ans : 36 000 €"),
        ("loyer 800, IRL 145,17 contre 142,06 : loyer révisé ?", "Loyer révisé : 817,51 €"),
        (
            "LMNP 9 000 de recettes, 2 000 de charges, 4 000 d'amortissement, TMI 30 : réel ou micro ?",
            "Régime le moins",
        ),
        ("LMNP 9 000 de recettes, 2 000 de charges, 4 000 d'amortissement, TMI 30, micro ?", "En meublé au micro-BIC"),
        ("frais de notaire d'un appartement ancien à 200 000, département à 4,5 % ?", "Frais d'acquisition : "),
        ("économie d'impôt d'un déficit imputé de 7 000 à TMI 41 ?", "Économie d'impôt sur le revenu : 2 870 €"),
        ("legs de 20 000 à un ami, quels droits ?", "Droits de succession : "),
        ("location nue au micro, 6 500 € de loyers, 30 % : à payer ?", "En location nue au micro-foncier : 2 147,60 €"),
    ],
)
def test_the_answer_opens_with_what_was_asked(text: str, opens: str) -> None:
    _, _, said = last(text)
    assert said.startswith(opens), said[:160]


def test_both_parents_who_give_have_an_allowance_each() -> None:
    call, *_ = last("parents donnent 260 000 à leur fils, chacun la moitié : droits ?")
    assert call.arguments["givers"] == 2


def test_a_spouse_who_died_before_inherits_nothing() -> None:
    call, *_ = last("succession de 320 000, deux enfants, conjoint prédécédé : droits ?")
    assert call.arguments["relation"] == "child"


def test_a_rent_that_is_received_is_no_debt() -> None:
    call, *_ = last("taux d'endettement avec 4 100 de revenus, 600 de loyer perçu et une mensualité de 1 150 ?")
    assert call.arguments["rent_monthly"] == 600
    assert "debts_monthly" not in call.arguments


def test_what_is_repaid_is_told_beside_what_is_owed() -> None:
    _, values, said = last("combien de capital remboursé au bout de 6 ans sur 150 000 à 2,2 % sur 15 ans ?")
    assert values["Capital remboursé"] + values["Capital restant dû"] == pytest.approx(150_000)
    assert said.startswith("Capital restant dû après 6 ans")


def test_a_duration_is_told_in_years_too() -> None:
    _, values, said = last("il met 800 par mois, il a besoin de 110 000 à 3 %, sur combien d'années ?")
    assert values["Durée nécessaire en années à 3\xa0%"] == pytest.approx(
        values["Durée nécessaire à 3\xa0%"] / 12, abs=0.01
    )
    assert "soit environ" in said


def test_a_share_in_percent_is_no_amount_of_the_noun_before_it() -> None:
    call, *_ = last("avec 950 € de mensualité à 2,9 %, combien de temps pour rembourser 130 000 ?")
    assert (call.arguments["rate"], call.arguments["monthly_cap"]) == (2.9, 950)


def test_a_bare_let_is_taxed_as_it_was_said() -> None:
    turns = ("120 000 tout compris, loyer 600, charges 1 000 par an, rendement net ?", "nu au réel, tmi 30, net-net ?")
    _, values, said = last(*turns, "et en micro-foncier ?")
    assert values["Impôt et prélèvements"] == pytest.approx(7_200 * 0.7 * 0.472, abs=0.01)
    assert "location nue au micro-foncier, abattement de 30 %" in said


def test_a_gross_target_asks_for_no_charges() -> None:
    assert "charges" not in last("quel loyer pour 7 % brut sur 90 000 tout compris ?")[2]
    assert last("quel loyer pour 7 % sur 90 000 tout compris ?")[0].arguments.get("gross_target") is None


def test_a_rate_that_no_bank_has_is_refused() -> None:
    assert last("quel taux pour 300 € par mois sur 10 ans et 90 000 empruntés ?")[2].startswith("Aucun taux courant")


def test_a_department_s_rate_is_no_second_amount() -> None:
    call, *_ = last("frais de notaire ancien 150 000 dept 4,5 ?")
    assert (call.arguments["kind"], call.arguments["transfer_rate"]) == ("fees", 4.5)


def test_a_gift_s_notary_is_not_paid_as_that_of_a_sale() -> None:
    assert not any(
        call.arguments.get("kind") == "fees"
        for call in computed("émoluments du notaire pour une donation de 300 000 € ?")[-1][0].tool_calls
    )


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        (
            "125 000 € à 3 % sur 10 ans : mensualité et coût total ?",
            "Mensualité : 1 207,01 € hors assurance, et coût total du crédit : 19 841,20 € hors assurance",
        ),
        ("reste 120 000 sur 14 ans à 3,8 %, ailleurs 3,1 % : gain par mois ?", "Écart de mensualité : 40,79 €"),
        ("plus-value brute de 190 000, 8 ans de détention, surtaxe ?", "Surtaxe sur les plus-values élevées : "),
        ("surtaxe sur une plus-value nette imposable de 90 000 ?", "Surtaxe sur les plus-values élevées : 1 800 €"),
        ("surtaxe sur une plus-value nette imposable de 45 000 ?", "Aucune surtaxe : "),
        (
            "acheté 200 000, vendu 290 000 après 12 ans, plus-value imposable avant abattement ?",
            "Plus-value brute : 45 000 €",
        ),
        ("appart de 50 m² à 200 000, médiane 3 600 €/m² : cher ?", "Prix au m² : 4 000 €/m²"),
        ("prix moyen 2 900 €/m² pour 64 m², ça vaut combien ?", "Prix estimé : 185 600 €"),
        ("loyer mensuel à 13 €/m² pour 40 m² ?", "Loyer mensuel : 520 €"),
        (
            "location nue, travaux énergétiques de 30 000, loyers 6 000 : déficit imputable sur le revenu global ?",
            "Déficit foncier imputé sur le revenu global : 21 400 €",
        ),
        (
            "location nue, 30 000 de travaux, pas de saut de DPE, loyers 6 000 : déficit sur le revenu global ?",
            "Déficit foncier imputé sur le revenu global : 10 700 €",
        ),
        ("90 000 frais inclus, loué 450 dont 50 de charges : brut ?", "Rendement brut : 5,33 %"),
        ("intérêts de la première année d'un prêt de 100 000 à 3 % sur 10 ans ?", "La première année : 2 880,94 €"),
    ],
)
def test_sums_of_a_second_order_open_with_what_was_asked(text: str, opens: str) -> None:
    _, _, said = last(text)
    assert said.startswith(opens), said[:160]


def test_the_gap_to_a_median_that_was_told_is_computed() -> None:
    _, values, _ = last("appart de 50 m² à 200 000, médiane 3 600 €/m² : cher ?")
    assert values["Écart avec la médiane"] == pytest.approx(11.11)


def test_works_that_save_little_raise_the_limit_by_little() -> None:
    text = "location nue, travaux énergétiques de 4 000, charges 20 000, loyers 6 000 : déficit sur le revenu global ?"
    _, values, _ = last(text)
    assert values["Déficit foncier imputé sur le revenu global"] == 14_700
