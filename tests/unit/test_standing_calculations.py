"""Messages after a calculation of their thread: told again, changed, asked for one line, or leant on by a rule."""

import pytest

from pipeline.planning.subjects import subject_of
from pipeline.talk.remembering import came_out
from pipeline.thread_state import Frame
from pipeline.tools.calculation.asked_line import opened_on
from pipeline.tools.calculator import calculate
from tests.calculating import computed, last

WEALTH = "IFI : patrimoine 1,9 M dont RP 700 000"
GAIN = "Plus-value : acheté 150 000 en 2012, vendu 260 000 en 2026"
LOAN = "Il emprunte 220 000 sur 20 ans à 3,4 %, mensualité ?"
BARE = "Démembrement : usufruitier de 67 ans, bien à 400 000, valeur de la nue-propriété ?"
ESTATE = "Droits de succession : un fils unique reçoit 380 000 de sa mère"
RENT = "IRL : loyer 720, indice 143,46 vers 145,17, nouveau loyer ?"


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (WEALTH, "et si un de leurs prêts est in fine ?"),
        (WEALTH, "ils déclarent ça quand ?"),
        (WEALTH, "les parts de SCPI comptent ?"),
        (WEALTH, "dont combien de décote ?"),
        (RENT, "il peut rattraper les années passées ?"),
        (RENT, "et si le logement est classé F ?"),
        (BARE, "qui paie la taxe foncière ?"),
    ],
)
def test_what_the_calculation_has_not_told_is_asked_of_rules(before: str, asked: str) -> None:
    (first, told, _), (route, results, _) = computed(before, asked)
    assert first.mode == "tools"
    assert told[0].computed
    assert route.mode == "rag"
    assert not results


@pytest.mark.parametrize("asked", ["ça leur coûte combien ?", "c'est quoi la formule ?", "ça fait combien en tout ?"])
def test_what_it_has_told_is_told_again(asked: str) -> None:
    (_, first, _), (route, again, _) = computed(WEALTH, asked)
    assert route.mode == "tools"
    assert again[0].computed == first[0].computed


def test_what_no_question_asks_is_left_to_the_calculation() -> None:
    route, _, _ = computed(WEALTH, "un de leurs prêts est in fine")[-1]
    assert route.tool_calls[0].arguments["kind"] == "wealth_tax"


def test_a_result_asked_for_beside_a_question_word_is_no_rule() -> None:
    route, _, _ = computed("Capacité d'emprunt : 5 200 net par mois, 25 ans, 3,5 %", "il lui reste quoi pour vivre ?")[
        -1
    ]
    assert route.tool_calls[0].arguments["kind"] == "capacity"


def test_an_unsure_calculation_that_lacks_its_inputs_is_a_question_of_rules() -> None:
    route, _, _ = computed(ESTATE, "s'ils ont pas le cash ils peuvent étaler ?")[-1]
    assert route.mode == "rag"


def test_a_sure_question_about_the_assistant_stays_one() -> None:
    route, _, _ = computed(WEALTH, "tu sais faire quoi d'autre ?")[-1]
    assert route.intent == "capabilities"


@pytest.mark.parametrize(
    ("before", "asked", "line"),
    [
        (GAIN, "dont combien de prélèvements sociaux ?", "Prélèvements sociaux :"),
        (GAIN, "dont PS ?", "Prélèvements sociaux :"),
        (GAIN, "et l'impôt seul ?", "Impôt sur la plus-value :"),
        (f"{ESTATE} et sa fille", "dont combien par enfant ?", "Droits par bénéficiaire :"),
    ],
)
def test_a_result_that_is_named_opens_the_answer(before: str, asked: str, line: str) -> None:
    _, _, said = last(before.replace("un fils unique reçoit", "2 enfants reçoivent"), asked)
    assert said.startswith(line)


def test_a_line_is_no_question_on_it() -> None:
    for asked in ("qui paie les prélèvements sociaux ?", "les prélèvements sociaux sont dus quand ?"):
        route, _, _ = computed(GAIN, asked)[-1]
        assert route.mode == "rag"


def test_what_went_into_a_calculation_is_no_result_of_it() -> None:
    _, results, state = computed(GAIN)[0]
    inputs = {f.label for f in results[0].figures} - {f.label for f in came_out(results[0])}
    assert "Prix de vente" in inputs
    assert state.focus is not None
    assert not inputs & {f.label for f in state.focus.results}


@pytest.mark.parametrize(
    ("turns", "argument", "value"),
    [
        ((WEALTH, "ils déclarent ça quand ?", "et avec 300 000 de dettes ?"), "debts", [300_000]),
        ((BARE, "qui paie la taxe foncière ?", "et s'il a 71 ans ?"), "age", 71),
        ((ESTATE, "il peut payer en plusieurs fois ?", "et s'ils étaient deux ?"), "heirs", 2),
        ((LOAN, "il peut changer d'assurance quand il veut ?", "et à 240 000 ?"), "loan_amount", 240_000),
    ],
)
def test_a_value_behind_rules_changes_the_calculation(turns: tuple[str, ...], argument: str, value: object) -> None:
    rule, (route, _, _) = computed(*turns)[1:]
    assert rule[0].mode == "rag"
    assert route.tool_calls[0].arguments[argument] == value


@pytest.mark.parametrize(
    "asked",
    [
        "Un don de 10 000 €, ça réduit de combien ?",
        "et une donation de 20 000 à une association reconnue ?",
        "et à 75 ans, il doit encore le déclarer ?",
        "et pour un don à une association de 20 000, quelle réduction au plus ?",
    ],
)
def test_a_number_of_a_question_changes_nothing(asked: str) -> None:
    route, _, _ = computed(WEALTH, "ils déclarent ça quand ?", asked)[-1]
    assert route.mode == "rag"


def test_a_value_beside_what_is_no_amount_changes_nothing() -> None:
    route, _, _ = computed(BARE, "qui paie la taxe foncière ?", "et à 71 ans, comment ?")[-1]
    assert route.mode == "rag"


def test_a_number_of_the_rule_asked_before_is_the_rule_s() -> None:
    route, _, _ = computed(ESTATE, "il faut déclarer un don de 20 000 ?", "et 30 000 ?")[-1]
    assert route.mode == "rag"


def test_an_unsure_question_about_the_conversation_is_one_of_rules() -> None:
    route, _, _ = computed(ESTATE, "ça se recharge au bout de combien déjà ?")[-1]
    assert route.intent == "ask"


def test_a_rent_is_asked_of_no_town_in_a_thread_of_rules() -> None:
    route, _, _ = computed("Loc'Avantages Loc2, quelle réduction ?", "Loyer baissé de combien ?")[-1]
    assert route.mode == "rag"


def test_a_line_that_no_sentence_tells_is_told_with_its_formula() -> None:
    worked = calculate({"kind": "gain", "sale_price": 260_000, "purchase_price": 150_000, "holding_years": 14})
    assert opened_on(worked, "Prélèvements sociaux").sentences[0].startswith("Prélèvements sociaux : ")
    assert opened_on(worked, "Prix de vente") == worked


@pytest.mark.parametrize(
    ("kind", "options", "subject"),
    [
        ("calc_gain", {"duties", "estate", "relation_child"}, "droits de succession"),
        ("calc_gain", set(), "plus-value immobilière"),
        ("calc_regime", {"wealth_tax", "furnished"}, "IFI"),
        ("calc_regime", {"furnished", "real"}, "location meublée au réel"),
        ("calc_regime", {"micro"}, "revenus locatifs au micro"),
    ],
)
def test_a_calculation_is_searched_under_its_subject(kind: str, options: set[str], subject: str) -> None:
    assert subject_of(Frame(kind, options=frozenset(options))) == subject  # type: ignore[arg-type]


def test_the_subject_stands_in_front_of_what_leans_on_it() -> None:
    route, _, _ = computed(ESTATE, "il peut payer en plusieurs fois ?")[-1]
    assert route.query == "droits de succession : il peut payer en plusieurs fois ?"


def test_neither_the_place_nor_a_side_subject_stays_with_what_leans_on_it() -> None:
    of_a_town = computed("Rendement à Rennes : 180 000 acheté, 850 de loyer", "il faut un DPE pour louer ?")[-1][0]
    assert not of_a_town.communes
    asked_aside = computed(WEALTH, "et si un de leurs prêts est in fine ?", "ils déclarent ça quand ?")[-1][0]
    assert asked_aside.query == "IFI : ils déclarent ça quand ?"
