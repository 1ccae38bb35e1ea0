"""A told case is read as the calculation that it asks for, with the numbers of the operation and not of the story."""

import asyncio
from datetime import UTC, datetime

import pytest

from pipeline.planning.said_back import taken_over
from pipeline.planning.slot_values import paid_already
from pipeline.reading import Quantity, Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.named_amounts import with_amounts
from pipeline.understanding.named_calculations import BY_KIND
from pipeline.understanding.offline.cases import each_year, said_once
from pipeline.understanding.thread.dialogue import resolve
from tests.asking import reader
from tests.calculating import last

MALRAUX = (
    "Malraux dans le Vieux Lille, secteur avec PSMV approuvé. Le docteur Hennion, 57 ans, cardio, TMI 45, achète un "
    "plateau 220 k et il y a 180 k de travaux suivis par l'ABF, étalés sur 2027 et 2028. Marié, 3 enfants dont 2 "
    "étudiants. La réduction d'impôt totale elle est de combien et à quel taux ?"
)
LOAN = (
    "Ils visent un T3 de 64 m² à Cesson-Sévigné, DPE C, affiché 239 000 €. Gwenaëlle et Yann ont 38 et 41 ans, deux "
    "enfants de 6 et 9 ans, et gardent 31 000 € sur leurs livrets. La banque leur écrit noir sur blanc : 214 000 € "
    "prêtés, 3,42 % fixe, vingt ans, échéances constantes. Quelle mensualité hors assurance ? La voisine a eu 3,25 %."
)
RULE = (
    "Client marchand de vin, 51 ans, deux enfants, TMI 30, il a acheté en 2019 un T2 à Roubaix 98 000 € loué nu 520 € "
    "par mois. Sa locataire de 74 ans touche 11 000 € par an de pension. Il veut vendre libre et lui donner congé pour "
    "la fin du bail. Est-ce qu'il peut le faire sans lui proposer un autre logement ?"
)
RENTS = (
    "Alors Yvette 73 ans, veuve, Tourcoing, retraite 19 k, elle loue deux maisons nues mitoyennes, une à 560 l'autre à "
    "540, ça fait 13,2 k à l'année, taxes foncières 2,1 k qu'elle me ressort à chaque fois. Elle est au micro foncier. "
    "Elle veut juste savoir quel montant sera vraiment imposé, la base après l'abattement ?"
)
FEES = (
    "Compromis reçu ce matin pour les Dupuis, 31 et 30 ans, pacsés : une longère de 131 m² à 243 500 €, cinq pièces, "
    "DPE D. Ils ont 40 000 € d'apport, un prêt à 3,4 % sur vingt ans, et leur notaire les rappelle à 14 h. À combien "
    "estimez-vous les frais de notaire sur ce prix dans l'ancien ?"
)
PLACE = (
    "Mme Costa, 66 ans, vend sa maison de Tours 310 000 €, achetée 195 000 € en 2011, et part à La Rochelle. Elle a "
    "1 900 € de pension et 120 000 € d'assurance-vie. Elle voudrait louer d'abord avant d'acheter, environ 55 m². Les "
    "loyers à La Rochelle tournent autour de combien pour un T2 ?"
)
MEDIAN = (
    "Mon client 44 ans, TMI 41, achète un T2 de 42 m² à Nantes à 189 000 €, frais 14 000 €, loué 720 € hors charges, "
    "taxe foncière 980 €. Il se demande si c'est cher pour le quartier, son frère a payé 4 100 € le m² en 2022. Quel "
    "est le prix médian d'un appartement à Nantes aujourd'hui ?"
)
COTTAGE = (
    "Gîte à Saint-Lunaire, loué à la semaine à des vacanciers, jamais classé, 12 600 € de recettes en 2026 en 18 "
    "semaines. La cliente, 57 ans, professeure, paie 1 900 € de taxe foncière et 2 300 € de ménage, et reste au micro. "
    "Elle a toujours coché 50 % comme son voisin classé trois étoiles. Quel bénéfice imposable retenir cette année ?"
)
ORDER = f"Ajoute une note au dossier 9018. {LOAN}"


def read(text: str) -> Reading:
    asked_at = datetime(2026, 11, 28, 12, tzinfo=UTC)
    return asyncio.run(reader().read(Question(text, "user", asked_at), ThreadState()))


def values(reading: Reading, role: str) -> list[float]:
    return [q.value for q in reading.quantities if q.role == role]


def test_a_story_gives_a_reduction_its_works_alone() -> None:
    """220 000 of the home and 180 000 of works made 400 000 of works."""
    reading = read(MALRAUX)
    assert "malraux" in reading.options
    assert values(reading, "works") == [180_000]


def test_a_story_gives_a_loan_what_is_lent_alone() -> None:
    """The neighbour's rate, the savings and the ages of the children are nothing of it."""
    reading = read(LOAN)
    assert reading.main == "calc_loan"
    assert values(reading, "loan_amount") == [214_000]
    assert values(reading, "rate") == [3.42]
    assert values(reading, "duration") == [20]


def test_what_a_case_leaves_aside_is_told() -> None:
    """The savings beside a loan, and the price that it pays: whoever knows the case sees at once if they were meant."""
    reading = read(LOAN)
    assert [q.value for q in reading.aside] == [239_000, 31_000]
    (said,) = taken_over(resolve(reading, ThreadState()))
    assert (
        said.replace("\u202f", " ").replace("\xa0", " ").startswith("Pas compté dans ce calcul : 239 000 €, 31 000 €.")
    )


def test_a_case_full_of_numbers_that_asks_for_a_rule_computes_nothing() -> None:
    """Its prices, rents and ages are the story's."""
    assert read(RULE).names == ("rules",)


def test_the_rate_of_a_loan_is_none_of_the_transfer_taxes() -> None:
    """3.4 % was taken for the department's."""
    reading = read(FEES)
    assert "fees" in reading.options
    assert values(reading, "purchase_price") == [243_500]
    assert values(reading, "rate") == []


def test_a_case_that_asks_of_a_place_makes_no_sum_of_its_sale() -> None:
    """Nor a question of rules."""
    assert read(PLACE).names == ("rents",)


def test_a_place_that_is_surely_asked_of_stays_what_it_is() -> None:
    """Its numbers would make a yield."""
    assert read(MEDIAN).main == "prices"


def test_the_part_repaid_early_is_the_smallest_of_a_loans_amounts() -> None:
    """Of 190,000 lent six years ago and 143,600 still owed the second: nothing is worked out from the loan's age."""
    lent = Quantity(190_000, "€", "190 000", 10, role="loan_amount", confidence=0.9)
    owed = Quantity(143_600, "€", "143 600", 30, role="loan_amount", confidence=0.9)
    age = Quantity(72, "months", "2020", 50, role="elapsed", confidence=1.0)
    kept = with_amounts([lent, owed, age], BY_KIND["early_repayment"], " " * 60, case=True)
    assert [(q.value, q.role) for q in kept] == [(143_600, "loan_amount")]


def test_an_instalment_paid_is_the_loans_of_a_letting_and_a_capital_is_none() -> None:
    """962 a month comes off the rents, 117,000 still owed does not."""
    debts = [Quantity(value, "€", str(value), 0, role="existing_debt") for value in (962, 117_000)]
    assert paid_already({"existing_debt": tuple(debts)}) == 962


def test_what_is_told_by_the_month_and_by_the_year_counts_once() -> None:
    """« une à 560, l'autre à 540, 13,2 k à l'année » is one rent of 13,200."""
    reading = read(RENTS)
    assert reading.main == "calc_regime"
    assert values(reading, "rent") == [13_200]


def test_a_case_that_orders_a_note_stays_an_order() -> None:
    """The sum that it tells is what is to be written."""
    assert read(ORDER).main == "crm_write_note"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([950, 11_400], [11_400]),
        ([560, 540, 13_200], [13_200]),
        ([300, 200, 500], [500]),
        ([560, 540], [560, 540]),
        ([560, 560], [560, 560]),
        ([800], [800]),
    ],
)
def test_a_sum_told_beside_its_parts_is_counted_once(told: list[float], kept: list[float]) -> None:
    """By the month, or twelve times that."""
    found = [Quantity(value, "€", str(value), 10 * at, role="rent") for at, value in enumerate(told)]
    assert [q.value for q in said_once(found)] == kept


def test_charges_beside_a_years_are_a_years() -> None:
    """« copro 620, PNO 145 »: 145 was counted twelve times; two small ones alone stay a month's."""

    def charges(*values: float) -> list[Quantity]:
        return [Quantity(value, "€", str(value), at, role="charges") for at, value in enumerate(values)]

    assert {q.period for q in each_year(charges(620, 145))} == {"year"}
    assert {q.period for q in each_year(charges(62, 45))} == {""}


def test_a_share_that_is_no_tax_bracket_is_none() -> None:
    """« elle a toujours coché 50 % » is no bracket of hers, and « jamais classé » outweighs the neighbour's home."""
    reading = read(COTTAGE)
    assert reading.main == "calc_regime"
    assert values(reading, "tmi") == []
    call, *_ = last(COTTAGE)
    assert call.arguments["classified"] is False
