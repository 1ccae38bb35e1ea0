"""Places in a thread: the topics asked for carry over, a named one replaces them, and nothing is answered beside."""

import pytest

from pipeline.reading import Dwelling
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Figure, Route
from tests.asking import ask, in_thread, said_in


def looked_up(route: Route) -> list[tuple[str, str]]:
    return [(call.tool, str(call.arguments["name"])) for call in route.tool_calls]


@pytest.mark.parametrize(
    ("before", "message", "expected"),
    [
        (["prix studio Dijon"], "et les loyers", [("rents", "Dijon")]),
        (["loyer maison Limoges"], "prix maison Limoges", [("sales", "Limoges")]),
        (["risques à Arles"], "le DPE ?", [("dpe", "Arles")]),
        (["loyer T2 à Metz", "et Nancy"], "revenons à Metz, les risques", [("risks", "Metz")]),
        (["prix T3 Caen"], "et l'encadrement ?", [("status", "Caen")]),
        (["encadrement des loyers à Pau ?"], "les prix", [("sales", "Pau")]),
    ],
)
def test_a_topic_that_is_named_is_the_one_looked_up(
    before: list[str], message: str, expected: list[tuple[str, str]]
) -> None:
    """Of the same place, in place of what was asked before."""
    assert looked_up(ask(message, before=before)) == expected


@pytest.mark.parametrize(
    ("first", "message", "town"),
    [("prix et loyers T2 à Tours", "et Angers", "Angers"), ("loyer, prix et DPE à Brest", "pareil à Rennes", "Rennes")],
)
def test_all_that_was_asked_is_asked_of_the_next_place(first: str, message: str, town: str) -> None:
    """Not its first topic alone."""
    (_, one), (_, other) = in_thread(first, message)
    assert {tool for tool, _ in looked_up(other)} == {tool for tool, _ in looked_up(one)}
    assert {name for _, name in looked_up(other)} == {town}


def test_a_price_alone_brings_no_rent() -> None:
    """A second intent that the words do not bear out is left out; one that is asked for in other words is not."""
    assert {tool for tool, _ in looked_up(ask("prix t2 toulon"))} == {"sales"}
    assert {tool for tool, _ in looked_up(ask("combien se loue un t2 a nimes et le prix d'achat"))} == {
        "sales",
        "rents",
    }


def test_topics_beside_each_other_are_all_asked_for() -> None:
    """Without a comma, and one of them alone afterwards."""
    (_, first), (_, other), (_, alone) = in_thread("loyers risques dpe a sens", "et lens", "juste les risques")
    assert {tool for tool, _ in looked_up(first)} == {tool for tool, _ in looked_up(other)} == {"rents", "risks", "dpe"}
    assert looked_up(alone) == [("risks", "Lens")]


def test_whether_rents_are_capped_brings_no_rent() -> None:
    """The list of communes answers it."""
    assert looked_up(ask("y a-t-il un encadrement des loyers à Annecy")) == [("status", "Annecy")]
    (status, rents) = ask("quel loyer pour un 30 m2 à Lille et c'est encadré ?").tool_calls
    assert (status.arguments["parts"], rents.tool) == (("control",), "rents")


def test_the_years_that_are_asked_follow_the_prices() -> None:
    """« et en 2022 ? » after prices."""
    (call,) = ask("et en 2022 ?", before=["prix des maisons à Orléans"]).tool_calls
    assert (call.arguments["year"], call.arguments["type"]) == (2022, "house")


def test_the_part_of_a_city_brings_nothing_beside() -> None:
    """« 8e » asks for the prices alone."""
    route = ask("8e", before=["prix t3 marseille"])
    assert (route.mode, looked_up(route)) == ("tools", [("sales", "Marseille 8e Arrondissement")])


def test_another_namesake_is_meant_after_one_was_chosen() -> None:
    """By its department, without its name."""
    route = ask("et celui de la Réunion ?", before=["prix appart saint denis", "93", "les loyers"])
    assert [(call.tool, call.arguments["insee"]) for call in route.tool_calls] == [("rents", "97411")]


def test_what_was_found_of_each_place_can_be_compared() -> None:
    """Results of one answer about two towns are kept apart; of homes of another kind, nothing is compared."""
    towns = ("83137", "44109")
    houses = Frame("prices", communes=towns, dwelling=Dwelling(kind="house"))
    state = ThreadState(frames=(houses,), intents=("prices",), said=("prix des maisons",)).with_places(
        {
            code: (Figure("Prix médian des maisons", price, "€/m²"),)
            for code, price in zip(towns, (4_428, 4_568), strict=True)
        }
    )
    _, route = said_in(state, "quel écart entre les deux ?")
    (call,) = route.tool_calls
    assert [(item["name"], item["figures"][0][1]) for item in call.arguments["items"]] == [
        ("Toulon", 4_428), ("Nantes", 4_568)
    ]  # fmt: skip
    assert {call.tool for call in said_in(state, "et l'écart pour les appartements ?")[1].tool_calls} == {"sales"}
