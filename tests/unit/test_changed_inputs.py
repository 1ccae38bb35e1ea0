"""Later messages that change an input of the thread's calculation in plain words, whatever they are read as."""

from dataclasses import replace

import pytest

from pipeline.reading import Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Figure
from pipeline.understanding.named_calculations import taken_by
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.thread.inputs import another_input
from pipeline.understanding.thread.meant import far, role_of
from tests.asking import SUNDAY
from tests.calculating import computed, last

DONE = (Figure("Droits", 1.0, "€"),)


def euros(value: float, text: str = "", start: int = 0, **more: object) -> Quantity:
    return Quantity(value, "€", text, start, **more)  # type: ignore[arg-type]


def held(kind: str, options: tuple[str, ...] = (), **slots: Quantity) -> Frame:
    values = {role: (replace(value, role=role),) for role, value in slots.items()}
    return Frame(kind=kind, query="", slots=values, options=frozenset(options), results=DONE)


GAIN = held(
    "calc_gain",
    purchase_price=euros(150_000),
    sale_price=euros(230_000),
    purchase_year=Quantity(2013, "year", "", 0),
    sale_year=Quantity(2026, "year", "", 0),
)
ESTATE = held("calc_gain", ("duties", "estate", "relation_child", "heirs_2"), amount=euros(500_000))
RULE = Frame(kind="rules", query="délai de déclaration d'une succession")


def said(text: str, *, intent: str = "rules", options: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> Reading:
    found = quantities(text, today=SUNDAY.date())
    return Reading(
        text=text,
        intents=tuple((name, 0.9) for name in (intent, *names)),  # type: ignore[misc]
        act="change",
        quantities=found,
        options=frozenset(options),
        asked_on=SUNDAY.date(),
    )


def after(frame: Frame, *frames: Frame) -> ThreadState:
    return ThreadState(frames=(frame, *frames), intents=(frame.kind,))


def test_a_day_that_was_read_as_a_question_of_rules_is_the_sale_s() -> None:
    changed = another_input(said("et s'il signe en mai 2028 plutôt ?"), after(GAIN))
    assert changed is not None
    assert changed.slots["sale_year"][-1].value == 2028
    assert changed.slots["purchase_year"] == GAIN.slots["purchase_year"]


def test_the_words_before_a_year_say_which_day_it_is() -> None:
    changed = another_input(said("pardon il l'a acheté en 2011"), after(GAIN))
    assert changed is not None
    assert changed.slots["purchase_year"][-1].value == 2011


@pytest.mark.parametrize("between", [(), (RULE,)])
def test_how_many_inherit_changes_after_a_rule_too(between: tuple[Frame, ...]) -> None:
    text = "ah non ils sont 3 enfants"
    changed = another_input(said(text, options=("heirs_3", "relation_child")), after(ESTATE, *between))
    assert changed is not None
    assert "heirs_3" in changed.options
    assert "heirs_2" not in changed.options


@pytest.mark.parametrize(
    "text",
    [
        "et s'il vend en 2028, comment il déclare ?",  # asks something else
        "et pour 12 ans ?",  # in a thread that went on with a rule: no number of the sale
        "il en parle dans 45 % des cas ?",  # nothing of a sale
    ],
)
def test_what_asks_something_else_or_fits_nothing_is_no_change(text: str) -> None:
    state = after(held("calc_capacity", income=euros(4_000), rate=Quantity(3.5, "%", "", 0)), RULE)
    assert another_input(said(text), state) is None


def test_a_calculation_of_its_own_is_no_change() -> None:
    own = Reading(
        text="et un prêt de 200 000 à 3,5 sur 20 ans ?",
        intents=(("calc_loan", 0.9),),
        quantities=(
            euros(200_000, role="loan_amount"),
            Quantity(3.5, "", "", 0, role="rate"),
            Quantity(20, "years", "", 0, role="duration"),
        ),
    )
    assert another_input(own, after(GAIN)) is None


def test_an_amount_of_another_size_is_no_change() -> None:
    """« Un don de 10 000 € » is not the fortune of 1.4 million."""
    wealth = held("calc_regime", ("wealth_tax",), amount=euros(1_400_000))
    assert another_input(said("un don de 10 000 €, ça réduit de combien ?"), after(wealth)) is None
    assert far(euros(10_000), wealth.slots["amount"])
    assert not far(euros(900_000), wealth.slots["amount"])


def test_after_so_many_years_is_no_term_of_the_loan() -> None:
    loan = held(
        "calc_loan", loan_amount=euros(200_000), rate=Quantity(3.4, "%", "", 0), duration=Quantity(22, "years", "", 0)
    )
    assert another_input(said("et si elle revend au bout de 6 ans la banque lui prend combien ?"), after(loan)) is None
    changed = another_input(said("et en étirant sur 25 ans ?"), after(loan))
    assert changed is not None
    assert changed.slots["duration"][-1].value == 25


def test_a_named_calculation_takes_none_of_the_inputs_of_its_kind() -> None:
    """A debt beside a fortune is never an income."""
    wealth = held("calc_regime", ("wealth_tax",), amount=euros(1_900_000))
    assert "income" not in taken_by(wealth)
    reading = said("et avec 80 000 de dettes sur le locatif ?", intent="calc_regime")
    debt = replace(reading.quantities[0], role="income", confidence=0.51)
    reading = replace(reading, quantities=(debt,))
    assert role_of(debt, wealth, wealth.slots, reading, set()) == "existing_debt"


def test_an_amount_that_is_said_again_stays_what_it_is() -> None:
    let = held("calc_regime", rent=euros(14_000))
    again = euros(14_000, "14 000", 0)
    assert role_of(again, let, let.slots, said("14 000 aussi"), set()) == "rent"


@pytest.mark.parametrize(
    ("messages", "values"),
    [
        (("usufruit d'une maison de 400 000, la dame a 78 ans", "erreur elle en a 83"), {"Usufruit": 80_000}),
        (
            ("donation de 150 000 a un fils, droits ?", "et s'il a déjà reçu 80 000 il y a 6 ans ?"),
            {"Droits": 24_194.35, "Abattement restant": 20_000},
        ),
        (
            ("droits de succession sur 600 000 pour 3 enfants", "et avec 60 000 de dettes à déduire ?"),
            {"Droits par bénéficiaire": 14_194.35},
        ),
        (("pret in fine 150 000 sur 12 ans a 4 %", "et en amortissable ?"), {"Mensualité hors assurance": 1_313.29}),
        (
            ("revenus 3600 net, pret auto 310, 25 ans a 3,4, il emprunte combien ?", "et s'il solde l'auto ?"),
            {"Capacité d'emprunt": 254_403},
        ),
        (
            ("divorce : maison 380 000, reste 120 000 de pret, soulte ?", "et s'il ne reste que 90 000 de pret ?"),
            {"Soulte": 145_000},
        ),
        (("pret 180 000 sur 18 ans a 3,5", "et s'il apporte 30 000 de plus ?"), {"Mensualité hors assurance": 936.99}),
    ],
)
def test_one_input_changes_and_the_others_stay(messages: tuple[str, ...], values: dict[str, float]) -> None:
    _, found, _ = last(*messages)
    assert {label: found.get(label) for label in values} == {
        label: pytest.approx(value, abs=1) for label, value in values.items()
    }


def test_a_gift_above_the_allowance_begins_on_a_higher_step() -> None:
    """120 000 before, 50 000 now: nothing is left of 100 000, and 20 000 of the scale are used."""
    _, values, _ = last("donation de 50 000 a sa fille, droits ?", "et si elle avait déjà reçu 120 000 ?")
    assert values["Droits"] == pytest.approx(12_194.35 - 2_194.35, abs=1)


def test_of_which_letting_a_sum_is_stays_when_a_bracket_is_told() -> None:
    call, _, _ = last(
        "il loue vide 12 000 par an, 4 800 de charges, micro ou reel ?", "il paie combien au réel, TMI 30 ?"
    )
    assert call.arguments["furnished"] is False


def test_what_is_let_bare_is_no_tourist_s() -> None:
    call, _, _ = last("meublé de tourisme classé, 10 000 de recettes, imposable au micro ?", "et en location nue ?")
    assert call.arguments.get("tourist") is None


def test_fees_that_are_told_beside_a_price_are_not_in_it() -> None:
    _, values, _ = last("studio 95 000 plus 7 800 de frais, loué 520 par mois, rendement brut frais compris ?")
    assert values["Rendement brut"] == pytest.approx(6_240 / 102_800 * 100, abs=0.01)


def test_heirs_share_a_home_out_in_equal_parts() -> None:
    _, values, told = last(
        "3 frères ont hérité d'une maison à 360 000, un la garde, il verse combien aux autres ?",
        "et si la maison vaut 420 000 ?",
    )
    assert values["Soulte"] == 280_000
    assert values["Soulte de chacun"] == 140_000
    assert "2 autres" in told


def test_the_children_of_a_couple_that_parts_share_nothing() -> None:
    _, values, _ = last("divorce, 3 enfants, maison 300 000, soulte ?")
    assert values["Soulte"] == 150_000


def test_what_a_revision_brings_in_a_year_comes_first_where_it_is_asked() -> None:
    _, values, told = last(
        "loyer 640, IRL 142,06 puis 145,47, loyer révisé ?", "et sur un an ça fait combien de plus ?"
    )
    assert values["Hausse annuelle"] == pytest.approx(184.32)
    assert told.startswith("Hausse du loyer")


def test_the_end_of_a_month_is_its_last_day() -> None:
    assert [q.day.day for q in quantities("fin mars 2027", today=SUNDAY.date()) if q.day] == [31]
    assert [q.day.day for q in quantities("mi-juin 2028", today=SUNDAY.date()) if q.day] == [15]


def test_a_share_of_a_company_is_worth_its_part_of_what_is_owned_less_what_is_owed() -> None:
    told = "SCI à l'IR : immeuble 500 000, reste 140 000 de prêt, 20 000 de tréso, 100 parts. La part vaut combien ?"
    assert last(told)[1]["Valeur d'une part"] == 3_800
    assert last(told, "et s'il vend 30 parts à sa fille ?")[1]["Prix des parts cédées"] == 114_000
    assert last(told, "et s'il en cède 10, quels droits ?")[2].startswith("Droits d'enregistrement : 1 900 €")
    assert last(told, "et si l'immeuble vaut 450 000 ?")[1]["Valeur d'une part"] == 3_300


def test_a_company_s_building_is_nobody_s_income() -> None:
    call, _, _ = last("SCI à l'IR avec un immeuble de 400 000, impôt de combien pour 3 parts ?")
    assert call.arguments["kind"] != "income_tax"


def test_what_a_spouse_earns_comes_on_top() -> None:
    call, _, _ = last("elle gagne 2 900, 25 ans à 3,3, elle emprunte combien ?", "avec son conjoint qui gagne 2 100")
    assert call.arguments["income_monthly"] == [2_900, 2_100]
    assert call.arguments["months"] == 300


def test_fees_of_a_purchase_are_no_charges_of_its_letting() -> None:
    call, _, _ = last("rendement T3 à 142 000, loyer 690", "et avec 11 000 de frais et 6 000 de travaux")
    assert call.arguments["fees_amount"] == 11_000
    assert "charges_yearly" not in call.arguments


WEALTH = "IFI : maison principale 1 100 000, immeuble 900 000, prêt 300 000 ?"


def test_of_a_fortune_one_home_or_its_debt_changes() -> None:
    less = last(WEALTH, "et si le prêt n'est plus que de 250 000 ?")[0].arguments
    assert (less["main_home"], less["assets"], less["debts"]) == (1_100_000, [900_000], [250_000])
    more = last(WEALTH, "et si l'immeuble vaut 1 000 000 ?")[0].arguments
    assert (more["main_home"], more["assets"], more["debts"]) == (1_100_000, [1_000_000], [300_000])


def test_who_declares_what_was_computed_is_asked_of_no_deal() -> None:
    route, _, _ = computed("PV : acheté 190 000 en 2012, vendu 310 000 en 2026, impôt ?", "qui la déclare ?")[-1]
    assert "crm" not in route.mode
    assert not any(call.tool.startswith("crm") for call in route.tool_calls)


def test_furniture_is_taken_off_the_price_before_the_fees() -> None:
    call, _, _ = last("frais de notaire pour 300 000 dont 15 000 de meubles ?")
    assert call.arguments["kind"] == "fees"
    assert call.arguments["purchase_price"] == 285_000


def test_who_keeps_the_usufruct_gives_the_rest() -> None:
    call, _, _ = last(
        "madame 66 ans, maison 500 000, elle garde l'usufruit et donne le reste à ses 3 enfants, droits ?"
    )
    assert call.arguments["passes"] == "bare"
