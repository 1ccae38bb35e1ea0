"""What somebody types for a commune on the command line: a place, or the sentence that says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.places import load_gazetteer
from pipeline.tools.communes import Commune, outside_dvf, resolve

PLACES = load_gazetteer()


@pytest.mark.parametrize(
    ("said", "insee", "remark"),
    [
        ("Toulon", "83137", ""),
        ("toulon", "83137", ""),
        ("83137", "83137", ""),
        ("sens", "89387", ""),
        ("nice", "06088", ""),
        ("2a004", "2A004", ""),
        ("1004", "01004", "01004"),
        ("83000", "83137", "83137"),
        ("69007", "69007", "non comme un code postal"),
        ("paris 11", "75111", "75111"),
        ("Annecy-le-Vieux", "74010", "Annecy"),
        ("villeurbane", "69266", "Villeurbanne"),
        ("Saint-Denis (93)", "93066", ""),
        ("St Denis 93", "93066", "93066"),
    ],
)
def test_a_place_is_understood_and_said_when_it_is_not_obvious(said: str, insee: str, remark: str) -> None:
    """A lost zero, a postcode, a merged commune, a wrong letter: the remark says how it was read."""
    found = resolve(said, PLACES)
    assert isinstance(found, Commune), found
    assert found.place.insee == insee
    assert (remark in found.remark) if remark else not found.remark


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Genève", "pas de commune française"),
        ("Toulon-sur-Quelquechose", "pas de commune française"),
        ("prix Toulon", "pas de commune française"),
        ("99999", "Aucune commune"),
        ("9999", "Aucune commune"),
        ("Saint-Denis", "97411"),
        ("", "Précisez"),
        ("x" * 5_000, "trop long"),
    ],
)
def test_what_is_no_single_commune_is_a_sentence(said: str, reason: str) -> None:
    """Unknown, abroad, ambiguous: nothing is guessed."""
    found = resolve(said, PLACES)
    assert isinstance(found, str)
    assert reason in found


@pytest.mark.parametrize(
    ("insee", "reason"),
    [("57463", "Moselle"), ("67482", "hors champ"), ("68224", "hors champ"), ("97608", "Mayotte"), ("98818", "hors"),
     ("75056", "arrondissement"), ("69123", "arrondissement"), ("13055", "arrondissement")],
)  # fmt: skip
def test_places_without_dvf_say_why(insee: str, reason: str) -> None:
    """An empty answer there would read as « no sale »."""
    place = PLACES.get(insee)
    assert place is not None
    assert reason in (outside_dvf(place) or "")
    toulon = PLACES.get("83137")
    assert toulon is not None
    assert outside_dvf(toulon) is None


@given(said=st.one_of(st.text(max_size=150), st.from_regex(r"[0-9AB]{3,6}", fullmatch=True)))
def test_no_text_escapes(said: str) -> None:
    """A commune or a sentence, whatever was typed."""
    found = resolve(said, PLACES)
    assert isinstance(found, Commune) or found.endswith((".", "?"))


@pytest.mark.parametrize("text", ["loyer hors charges du T3", "prix d'un garage", "mon bailleur", "budget de chambre"])
def test_a_plain_word_is_no_misspelt_town(text: str) -> None:
    """« charges » looks like Chartres, and advisers write it every day."""
    assert PLACES.alike(text) == ("", ())
