"""What none of our sources holds of a place is said in a sentence: beside the rest, or instead of another thing."""

import pytest

from pipeline.planning import sentences
from tests.asking import ask


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("combien de taxe foncière à Niort", "property_tax"),
        ("combien d'habitants à Cholet", "people"),
        ("niveau d'insécurité à Roubaix", "safety"),
        ("loyer des bureaux à Courbevoie", "commercial"),
        ("quelle commune choisir pour placer 90 000", "ranking"),
        ("il y a un tramway à Angers ?", "services"),
        ("y a t il une bonne ecole a vanves", "services"),
        ("quel niveau de vacance à Vierzon", "vacancy"),
        ("où est-ce qu'il faut investir", "ranking"),
        ("où investir avec 150 000 € ?", "ranking"),
        ("à quel taux on empruntera en mars 2027", "forecast"),
        ("les prix vont baisser à Bordeaux ?", "forecast"),
        ("quel courtier tu recommandes à Lyon ?", "tradespeople"),
        ("quel notaire choisir à Nantes ?", "tradespeople"),
        ("vous nous conseillez quelle banque ?", "tradespeople"),
    ],
)
def test_what_is_not_held_is_the_whole_answer_where_nothing_else_is_asked(text: str, name: str) -> None:
    """Never the prices or the risks of the place instead."""
    route = ask(text)
    assert (route.tool_calls, route.clarification) == ((), sentences.not_held(name))


@pytest.mark.parametrize(
    ("text", "tools", "name"),
    [
        ("prix des maisons et taxe foncière à Cholet", {"sales"}, "property_tax"),
        ("risques et délinquance à Sète", {"risks"}, "safety"),
        ("plafond de loyer encadré pour 30 m2 à Lille", {"status"}, "rent_ceiling"),
        ("plafond de loyer au m2 pour mon t2 a paris 18", {"status"}, "rent_ceiling"),
    ],
)
def test_what_is_held_is_still_told(text: str, tools: set[str], name: str) -> None:
    """And the part that is not, beside it."""
    route = ask(text)
    assert {call.tool for call in route.tool_calls} == tools
    assert sentences.not_held(name) in route.remarks


@pytest.mark.parametrize("text", ["de combien les loyers vont augmenter avec l'IRL ?", "quelle banque prête au HCSF ?"])
def test_a_rule_about_what_is_to_come_is_no_forecast(text: str) -> None:
    """What the texts provide for is told."""
    assert ask(text).clarification is None


def test_a_decision_is_left_to_those_who_take_it() -> None:
    """With what is known of the place."""
    route = ask("ma cliente, elle doit investir à Pau oui ou non")
    assert {"sales", "rents", "risks"} <= {call.tool for call in route.tool_calls}
    assert sentences.not_held("advice") in route.remarks


def test_a_year_is_refused_where_only_the_latest_is_known() -> None:
    """Prices have years, rents have not."""
    assert ask("loyer T3 Metz en 2021").remarks == (sentences.LATEST_ONLY,)
    assert ask("prix T3 Caen en 2021").remarks == ()
    assert ask("et en 2019 ?", before=["quel loyer à Brest"]).remarks == (sentences.LATEST_ONLY,)


@pytest.mark.parametrize(
    "text",
    [
        "rendement 180 000 loué 800, taxe foncière 900, vacance un mois",
        "la taxe foncière est-elle déductible en LMNP ?",
        "vaut-il mieux louer ou acheter sa résidence principale",
        "note sur le dossier 9001 : il doit vérifier la taxe foncière de Lyon",
    ],
)
def test_the_same_words_ask_for_no_data_elsewhere(text: str) -> None:
    """A rule, an input of a calculation, a note."""
    route = ask(text)
    assert (route.remarks, route.clarification) == ((), None)


def test_pointing_at_nothing_is_asked_back() -> None:
    """« l'autre » at the head of a thread."""
    assert ask("les deux c'est pareil ?").clarification == sentences.WHICH_OTHER
    assert ask("et pour l autre c combien").clarification == sentences.WHICH_OTHER
    assert ask("lequel prendre entre pinel et denormandie").clarification is None
