"""What a thread told is counted with by a calculation that comes later, whatever it was told for."""

from dataclasses import replace

import pytest

from pipeline.reading import Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.thread.frames import completed, moved, started
from tests.calculating import computed, last


def test_an_income_of_an_earlier_question_is_not_asked_again() -> None:
    call, *_ = last(
        "client à 5 200 net par mois, à 35 % ça fait quelle mensualité max ?",
        "donc combien il peut emprunter à 3,4 % sur 25 ans, sans compter d'assurance ?",
    )
    assert (call.arguments["income_monthly"], call.arguments["months"]) == (5_200, 300)


def test_an_amount_of_a_question_of_rules_is_counted_with() -> None:
    """What was asked of it does not matter: an income told for a rent is an income for a loan."""
    income = Quantity(5_200.0, "€", "5 200", 10, period="month", role="income", confidence=0.99)
    asked = Reading("un couple à 5 200 peut-il louer à 1 900 ?", (("rules", 1.0),), quantities=(income,))
    thread = ThreadState().after(asked.text, "rules", started(asked))
    frame, carried = completed(Frame("calc_capacity", query="et emprunter sur 25 ans ?"), thread, linked=False)
    assert (frame.slots["income"], carried) == ((income,), ("income",))


def test_a_number_that_was_read_unsurely_is_not_kept() -> None:
    doubtful = Quantity(5_200.0, "€", "5 200", 10, role="income", confidence=0.5)
    assert started(Reading("5 200 ?", (("rules", 1.0),), quantities=(doubtful,))).slots == {}


def test_what_goes_on_with_a_rule_adds_to_what_was_told() -> None:
    rent = Quantity(1_900.0, "€", "1 900", 4, role="rent", confidence=0.95)
    again = Reading("et à 1 900 ?", (("rules", 1.0),), quantities=(rent,))
    held = Frame("rules", query="qui peut louer ?", slots={"income": (replace(rent, role="income", value=5_200.0),)})
    assert set(moved(held, again).slots) == {"income", "rent"}


def test_what_lacks_an_input_goes_on_with_all_that_was_told_of_it() -> None:
    """The car loan too, which such a calculation can do without."""
    call, *_ = last(
        "client à 5 200 net par mois, crédit auto de 310 par mois, mensualité max à 35 % ?",
        "donc au final combien il peut emprunter à 3,4 % sur 25 ans, sans compter d'assurance ?",
    )
    assert (call.arguments["income_monthly"], call.arguments["debts_monthly"]) == (5_200, 310)


def test_the_whole_cost_told_again_is_no_other_price() -> None:
    call, *_ = last(
        "appart 185 000 + 14 000 de frais, loyer 780 hors charges. rendement brut ?",
        "net : taxe foncière 1 050, charges non récup 900. toujours sur 199 000",
    )
    assert (call.arguments["purchase_price"], call.arguments["fees_amount"]) == (185_000, 14_000)


@pytest.mark.parametrize(
    ("messages", "argument"),
    [
        (("déficit foncier de 18 000, TMI 41 : économie d'impôt ?", "non TMI 30 pas 41, sur les 10 700"), "tmi"),
        (("emprunt 200 000 sur 20 ans à 3,4 %", "les 35 % c'est assurance comprise ?"), "insurance_rate"),
    ],
)
def test_a_number_that_is_too_large_for_an_input_is_not_taken_for_it(messages: tuple[str, ...], argument: str) -> None:
    _, results, _ = computed(*messages)[-1]
    assert all(result.call.arguments.get(argument) != (10_700 if argument == "tmi" else 35) for result in results)


def test_a_rule_that_was_told_is_worked_out_for_the_amount_that_follows() -> None:
    """« et pour 240 000 ? » names nothing; the question before it named the deduction."""
    call, *_ = last(
        "Jeanbrun neuf en loyer intermédiaire, le taux d'amortissement ?", "et pour un T2 à 240 000, par an ?"
    )
    assert (call.arguments["kind"], call.arguments["purchase_price"]) == ("relance", 240_000)


def test_net_of_tax_with_a_price_and_a_rent_is_a_yield() -> None:
    call, *_ = last("138 000 tout compris loué 640, charges 900, nu, tmi 30 : net-net ?")
    assert call.arguments["kind"] == "yield"
