"""The address that a question names: read when there is one, never made of words that are no street."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.places import load_gazetteer
from pipeline.planning.place_calls import About, place_calls
from pipeline.understanding.offline.addresses import LONGEST, address_of
from pipeline.understanding.own_words import flat
from tests.asking import ask

PLACES = load_gazetteer()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("La rue Victor Hugo à Toulon est-elle en zone inondable ?", "rue Victor Hugo"),
        ("12 rue de la République 83000 Toulon : quels risques ?", "12 rue de la République 83000 Toulon"),
        ("Risques au 5 bis, avenue Jean Jaurès, Villeurbanne ?", "5 bis avenue Jean Jaurès"),
        ("quels risques pour le 3 place Bellecour à Lyon 2e", "3 place Bellecour"),
        ("8 chemin des vignes à Montpellier, argile ?", "8 chemin des vignes"),
        ("inondation rue de la Paix à Nice", "rue de la Paix"),
        ("la rue est-elle en zone inondable à Nantes ?", ""),
        ("un dossier en cours d'achat à Nantes, quels risques ?", ""),
        ("mettre en place un PPRI à Nantes", ""),
        ("résidence principale à Nantes : risques ?", ""),
        ("une place de parking à Lyon 7e, quels risques ?", ""),
        ("Le cours des prix à Toulon", ""),
        ("", ""),
    ],
)
def test_a_street_is_read_and_ordinary_words_are_not(text: str, address: str) -> None:
    """A house number, or a capital after the kind of street."""
    assert address_of(text) == address


@given(st.text(max_size=300))
def test_no_text_escapes(text: str) -> None:
    """A short text or nothing."""
    assert len(address_of(text)) <= LONGEST


def test_an_address_goes_with_one_place_only() -> None:
    """With two communes, nobody knows in which of them the street is."""
    toulon, nantes = PLACES.get("83137"), PLACES.get("44109")
    assert toulon is not None
    assert nantes is not None
    text = "risques et argiles au 12 rue de la République"
    address = address_of(text)
    about = About(wanted={"risks"}, aspects={"risques"}, low=flat(text), address=address)
    (call,) = place_calls([toulon], about)
    assert call.arguments["address"] == "12 rue de la République"
    assert call.arguments["topics"] == ("clay",)
    for both in place_calls([toulon, nantes], about):
        assert "address" not in both.arguments


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("Quel est le zonage sismique de Toulon ?", {"risks": {"topics": ("zone",)}}),
        ("Toulon est-elle en zone inondable et en zone tendue ?", {"risks": {}, "status": {"parts": ("tense",)}}),
        ("Risque radon à Toulon ?", {"risks": {"topics": ("radon",)}}),
        ("Combien se loue un T2 à Toulon ?", {"rents": {"rooms": 2}}),
        ("Zone A, B ou C de Toulon ?", {"status": {"parts": ("abc",)}}),
        ("Plafond de loyer Jeanbrun à Toulon ?", {"status": {"parts": ("abc",)}}),
    ],
)
def test_the_words_choose_what_is_looked_up_in_a_place(text: str, tools: dict[str, dict[str, object]]) -> None:
    """A seismic zone is no zone A; a rent ceiling needs the zone."""
    found = {call.tool: call.arguments for call in ask(text).tool_calls if call.tool not in ("sales", "facts")}
    assert set(found) == set(tools)
    for tool, expected in tools.items():
        assert {name: found[tool][name] for name in expected} == expected


def test_a_follow_up_is_about_the_address_of_its_thread() -> None:
    """« et pour les argiles ? » after a street; another town has another street."""
    before = "Risques au 12 rue Victor Hugo à Toulon ?"
    (call,) = ask("et pour les argiles ?", before=[before]).tool_calls
    assert call.arguments["address"] == "12 rue Victor Hugo"
    (elsewhere,) = ask("et à Nantes ?", before=[before]).tool_calls
    assert "address" not in elsewhere.arguments
