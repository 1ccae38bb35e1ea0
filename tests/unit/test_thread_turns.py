"""Turns of a thread: what is carried over, changed, compared, picked and gone back to."""

import pytest

from pipeline.reading import Role
from pipeline.thread_state import Frame, ThreadState, from_json, to_json
from pipeline.types import Figure
from pipeline.understanding.thread.dialogue import Task, resolve
from tests.asking import SUNDAY, in_thread, places, reader


def inputs(task: Task | None) -> dict[Role, list[float]]:
    assert task is not None
    assert task.frame is not None
    return {role: [q.value for q in values] for role, values in task.frame.slots.items()}


LOAN = "mensualité 200k 20 ans 3,4"


@pytest.mark.parametrize(
    ("message", "role", "values"),
    [
        ("non 3,2", "rate", [3.2]),
        ("et sur 25 ans", "duration", [25]),
        ("180 pas 200", "loan_amount", [180_000]),
        ("20 000 de moins", "loan_amount", [180_000]),
        ("au lieu de 20 mets 15", "duration", [15]),
        ("un demi-point de plus", "rate", [3.9]),
        ("et en 15 et 25 ans", "duration", [15, 25]),
        ("avec une assurance à 0,3 %", "insurance", [0.3]),
    ],
)
def test_a_few_words_change_one_input_and_keep_the_others(message: str, role: Role, values: list[float]) -> None:
    """What is not said again is carried over."""
    before = inputs(in_thread(LOAN)[-1][0])
    after = inputs(in_thread(LOAN, message)[-1][0])
    assert after[role] == values
    assert {r: v for r, v in after.items() if r != role} == {r: v for r, v in before.items() if r != role}


def test_what_is_taken_away_comes_back_on_demand() -> None:
    """« sans assurance », then « remets l'assurance »."""
    turns = in_thread("prêt 160 000 15 ans 3 % assurance 0,3", "sans assurance", "remets l'assurance")
    assert inputs(turns[1][0])["insurance"] == [0.0]
    assert inputs(turns[2][0])["insurance"] == [0.3]


def test_each_property_of_a_thread_is_kept() -> None:
    """« le premier bien » is the first one, as it stood, with what is new."""
    turns = in_thread(
        "rendement bien à 145 000 loué 680", "et un autre à 172 000 loué 790", "le premier bien avec 700 de loyer"
    )
    assert inputs(turns[-1][0]) == {"purchase_price": [145_000], "rent": [700]}


def test_a_debt_that_is_paid_off_counts_no_more() -> None:
    """The rest of the case stays."""
    first = "capacité avec 4 200 de revenus, crédit auto 310, 25 ans à 3,5"
    assert "existing_debt" not in inputs(in_thread(first, "et si le crédit auto est soldé ?")[-1][0])


def test_years_of_waiting_move_the_sale() -> None:
    """From this year on, when no year of sale was said."""
    turns = in_thread("plus-value : vendu 300 000 acheté 180 000 en 2012", "et s'il attend 3 ans de plus ?")
    assert inputs(turns[-1][0])["sale_year"] == [SUNDAY.year + 3]


def test_the_same_is_asked_of_another_place_and_home() -> None:
    """Kind of home and place change alone."""
    *_, (_, house), (_, nantes) = in_thread("prix des appartements à Toulon", "et les maisons ?", "pareil pour Nantes")
    assert house.tool_calls[0].arguments["type"] == "house"
    assert (nantes.tool_calls[0].arguments["name"], nantes.tool_calls[0].arguments["type"]) == ("Nantes", "house")


def test_a_part_of_a_city_answers_the_question_back() -> None:
    """« 7e » after Lyon."""
    *_, (_, route) = in_thread("prix T3 à Lyon", "7e")
    assert [(c.tool, c.arguments["insee"], c.arguments["rooms"]) for c in route.tool_calls] == [("sales", "69387", 3)]


def test_an_amount_is_no_town() -> None:
    """40000 is the postcode of Mont-de-Marsan, 90000 that of Belfort."""
    assert in_thread("et avec 40000 d'apport sur 20 ans à 3 il peut emprunter combien")[-1][1].communes == ()
    assert in_thread("sur un bien a 90000 quelle renta si loué 600")[-1][1].communes == ()


def test_a_task_is_moved_and_asked_again_for_another() -> None:
    """The day changes; another deal gets the same task."""
    first, moved, other = in_thread(
        "tâche sur le dossier 9001 : appeler la banque mardi", "plutôt jeudi", "pareil pour le dossier 9004 vendredi"
    )
    assert [a.due.isoformat() for _, r in (first, moved, other) for a in r.actions if a.due] == [
        "2026-11-24",
        "2026-11-26",
        "2026-11-27",
    ]
    assert [a.deal_id for a in other[1].actions] == ["9004"]
    assert {a.body for _, r in (first, moved, other) for a in r.actions} == {"Appeler la banque"}


def test_two_deals_of_one_message_get_each_their_own() -> None:
    """Value and deal stay together."""
    route = in_thread("passe le dossier 9004 en signé et le 9011 en perdu")[-1][1]
    assert [(a.deal_id, a.value) for a in route.actions] == [("9004", "signé"), ("9011", "perdu")]


@pytest.mark.parametrize("answer", ["9038", "le second", "viager", "celui du viager"])
async def test_which_deal_is_answered_by_number_rank_or_word(answer: str) -> None:
    """And what was waiting goes on with it."""
    waiting = Frame(kind="crm_read", crm={"view": "brief"})
    state = ThreadState(frames=(waiting,), intents=("crm_read",)).with_offer(
        (("9028", "Dossier Robert - T2 Toulon"), ("9038", "Dossier Robert - viager Toulon")), waits=True
    )
    from pipeline.types import Question

    reading = await reader().read(Question(text=answer, asked_by="U1", asked_at=SUNDAY), state)
    task = resolve(reading, state)
    assert task.frame is not None
    assert task.frame.crm == {"deal_id": "9038", "view": "brief"}


def test_the_state_survives_its_storage() -> None:
    """As JSON and back; what an older version wrote is forgotten, not a crash."""
    turns = in_thread(LOAN, "non 3,2")
    task = turns[-1][0]
    assert task is not None
    assert task.frame is not None
    state = ThreadState(frames=(task.frame,), said=("a",), offered=(("1", "x"),)).with_results(
        (Figure("Mensualité", 1.5, "€/mois"),)
    )
    assert from_json(to_json(state)) == state
    assert from_json({"frames": "?"}) == ThreadState()
    assert places().get("83137") is not None
