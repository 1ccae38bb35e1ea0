"""Which intents of a model's reply win: those that the words make likely, never at the cost of what is sure."""

import pytest

from pipeline.action_types import ActionRequest
from pipeline.reading import Intent, Quantity
from tests.readings import believed, draft, read, reply

LOAN = "mensualité pour 200k sur 20 ans à 3,4"
MIXED = "rappelle-moi jeudi d'appeler le notaire, et combien par mois pour 190 000 sur 18 ans à 3,2 ?"
CALL = ActionRequest("create_task", body="Appeler le notaire")


@pytest.mark.parametrize("intent", ["smalltalk", "rents", "calc_gain", "crm_read", "out_of_field", "datasets"])
@pytest.mark.parametrize("sure", [0.4, 0.7, 0.95])
def test_an_intent_that_the_words_make_unlikely_is_dropped(intent: Intent, sure: float) -> None:
    """However sure the model, and though it copies the message: it has read something else into it."""
    assert read(draft(LOAN, "calc_loan", sure), reply(intent, query=LOAN))[0] is None
    beside = believed(draft(LOAN, "calc_loan", sure), reply("calc_loan", intent, query=LOAN))
    assert beside.names == ("calc_loan",)


def test_an_intent_that_the_words_make_likely_wins_over_an_unsure_reading() -> None:
    """What the offline reader took for something else."""
    first = draft("ça me reviendrait à combien d'emprunter 140 000 sur 15 ans", "calc_yield", 0.45)
    said = reply("calc_loan", query="emprunter 140 000", quantities=[{"text": "140 000", "role": "loan_amount"}])
    assert believed(first, said).names == ("calc_loan",)


def test_an_intent_of_its_own_needs_an_argument() -> None:
    """A bare word, or one with nothing of this message beside it, is a guess."""
    first = draft("le prix ou le loyer d'un studio à Dijon ?", "rents", 0.6)
    assert read(first, reply("prices"))[0] is None
    assert read(first, reply("prices", query="les recettes du soir"))[0] is None
    assert believed(first, reply("prices", communes=["Dijon"])).main == "prices"


@pytest.mark.parametrize(("sure", "kept"), [(0.95, True), (0.6, False)])
def test_a_sure_calculation_that_is_left_out_is_not_lost(sure: float, kept: bool) -> None:
    """An omission is no claim, unless the offline reader hesitates itself."""
    first = draft("c'est quoi les règles d'un prêt relais, 200k sur 2 ans par exemple", "calc_loan", sure)
    reading = believed(first, reply("rules", query="règles d'un prêt relais"))
    assert ("calc_loan" in reading.names) is kept
    assert reading.main == "rules"


def test_a_calculation_may_take_the_place_of_another() -> None:
    """Two that nobody asked for would be one too many."""
    text = "avec 4 200 de revenus et 300 de crédit, quel prêt sur 20 ans à 3,4 ?"
    said = reply("calc_capacity", query=text, quantities=[{"text": "4 200", "role": "income"}])
    assert believed(draft(text, "calc_loan", 0.95, quantities=()), said).names == ("calc_capacity",)


@pytest.mark.parametrize(("sure", "kept"), [(0.9, True), (0.5, False)])
def test_a_sure_write_that_is_left_out_is_not_lost(sure: float, kept: bool) -> None:
    """Its request stands as the offline reader cut it; a proposal too many is one click."""
    from dataclasses import replace

    first = draft(MIXED, "calc_loan", 0.95, writes=(CALL,))
    first = replace(first, intents=(*first.intents, ("crm_write_task", sure)))
    reading = believed(first, reply("calc_loan", query=MIXED))
    assert reading.writes == ((CALL,) if kept else ())
    assert ("crm_write_task" in reading.names) is kept


def test_of_two_sure_writes_none_is_lost() -> None:
    """A reply that finds fewer of a kind than the offline reader cut."""
    other = ActionRequest("create_task", body="Relancer la banque")
    text = "rappelle-moi d'appeler le notaire puis de relancer la banque"
    first = draft(text, "crm_write_task", 0.97, writes=(CALL, other))
    one = {"kind": "task", "body": "relancer la banque"}
    assert believed(first, reply("crm_write_task", query=text, writes=[one])).writes == (CALL, other)


def test_a_write_of_another_kind_than_its_intents_is_none() -> None:
    """The body stands in the message, and nobody asked to note it."""
    said = reply("calc_loan", query=LOAN, writes=[{"kind": "note", "body": "mensualité pour 200k"}])
    assert believed(draft(LOAN, "calc_loan", 0.6), said).writes == ()


@pytest.mark.parametrize(
    ("confidence", "main", "stands"), [(0.97, "calc_yield", True), (0.7, "calc_yield", False), (0.97, "rules", False)]
)
@pytest.mark.parametrize("role", ["other", "existing_debt"])
def test_a_sure_role_stands(confidence: float, main: Intent, stands: bool, role: str) -> None:
    """Also against « other », which takes the number out of the calculation; not where it was read for another one."""
    text = "rendement d'un studio payé 90 000 loué 450"
    rent = Quantity(450, "", "450", text.index("450"), role="rent", confidence=confidence)
    said = reply("calc_yield", query=text, quantities=[{"text": "450", "role": role}])
    reading = believed(draft(text, main, 0.6, quantities=(rent,)), said)
    assert [q.role for q in reading.quantities if q.text == "450"] == (["rent"] if stands else [role])


def test_what_no_code_can_check_comes_from_a_reply_of_which_nothing_fell() -> None:
    """Options, schemes and a type of home that no word says; an invented number shows that the model invents."""
    inferred = {"options": ["in_fine"], "schemes": ["lmnp"], "home": "house"}
    true = [{"text": "200k", "role": "loan_amount"}, {"text": "20 ans", "role": "duration"}]
    false = {"text": "999", "role": "insurance"}
    first = draft(LOAN, "calc_yield", 0.6, schemes=())
    reading = believed(first, reply("calc_loan", query=LOAN, quantities=true, **inferred))
    assert (reading.options, reading.schemes, reading.dwelling.kind) == ({"in_fine"}, ("lmnp",), "house")
    reading = believed(first, reply("calc_loan", query=LOAN, quantities=[*true, false], **inferred))
    assert (reading.options, reading.schemes, reading.dwelling.kind) == (frozenset(), (), None)
