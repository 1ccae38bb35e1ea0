"""Clients' names, birth dates and addresses leave under other names and come back as they were."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.persons import whose
from pipeline.text.pseudonyms import Cover, known_in

SECRET = b"0" * 32
SHAPE = re.compile(r"(?:Personne|Adresse|Naissance)-[A-Za-z]{6}", re.IGNORECASE)


def hidden(text: str, *known: str) -> tuple[str, Cover]:
    cover = Cover(SECRET)
    return cover.hide(text, known_in([text], known)), cover


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Mme Roux achète à Lyon", ["Roux"]),
        ("M. et Mme Le Gall-Martin ; les Le Gall-Martin", ["Gall", "Martin"]),
        ("appeler mme roux demain, roux a rappelé", ["roux"]),
        ("Monsieur d'Aubigny, né le 12/03/1960 à Nantes", ["Aubigny", "12/03/1960"]),
        ("Madame LEFÈVRE, née le 3 mars 1961 ; Lefèvre est d'accord", ["LEFÈVRE", "Lefèvre", "3 mars 1961"]),
        ("Le dossier Benali avance, Benali signe", ["Benali"]),
        ("La SCI Dupont et la famille Girard", ["Dupont", "Girard"]),
        ("Me Durand, notaire", ["Durand"]),
        ("habite 12 bis rue des Lilas, 69003 Lyon", ["12 bis", "Lilas"]),
        ("habite au 4 avenue du Maréchal Foch 83000 Toulon", ["Maréchal", "Foch"]),
        ("Date de naissance : 1960-03-12", ["1960-03-12"]),
        ('{"message": "bonjour\\nMme Roux\\nRoux"}', ["Roux"]),
    ],
)
def test_names_dates_and_addresses_go_and_come_back(text: str, gone: list[str]) -> None:
    """Whatever the spelling; towns and postcodes stay, for they are what is asked about."""
    told, cover = hidden(text)
    assert not [word for word in gone if word in told]
    assert SHAPE.search(told)
    assert cover.restored(told) == text
    for place in ("Lyon", "Nantes", "69003", "83000 Toulon"):
        assert (place in told) is (place in text)


@pytest.mark.parametrize(
    "text",
    [
        "Le dispositif Pinel est fermé, le dossier Pinel aussi",
        "Mon client LMNP veut vendre",
        "La rue est calme, il y a 3 places",
        "Le client est né en 1960 et gagne 4 200 €",
        "Loi du 29/12/2023, article 199",
        "Monsieur le notaire, Madame la directrice",
    ],
)
def test_what_names_nobody_stays(text: str) -> None:
    """Schemes that bear a name, acronyms, a year of birth, dates of laws."""
    assert hidden(text)[0] == text


def test_who_the_crm_knows_is_hidden_without_any_civility() -> None:
    """First names and surnames, in passages as in questions; a lower-case word only after « dossier » and the like."""
    text = "dossier martin : Sophie Martin et Jean-Paul Moreau ont un petit projet. Moreau hésite."
    told, cover = hidden(text, "Sophie Martin (fictif)", "Jean-Paul Moreau", "Olivier Petit")
    assert not [name for name in ("martin", "Martin", "Sophie", "Moreau", "Jean-Paul") if name in told]
    assert "un petit projet" in told
    assert cover.restored(told) == text


def test_a_pseudonym_is_the_same_for_the_same_person() -> None:
    """In question and sources, in either case of letters, in the next call too; another secret gives another."""
    told, _ = hidden("Mme Roux. ROUX signe.", "roux")
    first, second = SHAPE.findall(told)
    assert first.lower() == second.lower()
    assert SHAPE.findall(hidden("Mme Roux.")[0])[0] == first
    assert first not in Cover(b"1" * 32).hide("Mme Roux.", known_in(["Mme Roux."], ()))


def test_an_invented_pseudonym_names_nobody() -> None:
    """Neither of this exchange nor of an earlier one; the mapping has no words of its own in any log."""
    told, cover = hidden("Mme Roux")
    (token,) = SHAPE.findall(told)
    other, _ = hidden("Mme Benali")
    assert (
        cover.restored("Personne-Zozozo, " + SHAPE.findall(other)[0]) == "Personne-Zozozo, " + SHAPE.findall(other)[0]
    )
    assert cover.restored(f"{token.upper()} {token.lower()}") == "Roux Roux"
    assert "Roux" not in repr(cover)
    assert "Roux" not in str(cover)


@given(st.text(max_size=120), st.lists(st.sampled_from(["Roux", "Le Gall", "Ada O'Brien", "petit", 'x"y', "a\\b"])))
def test_any_text_comes_back_as_it_was(text: str, known: list[str]) -> None:
    """Hiding and restoring loses and adds nothing."""
    told, cover = hidden(f"{text} Mme Roux {text}", *known)
    assert cover.restored(told) == f"{text} Mme Roux {text}"


@given(st.text(max_size=80))
def test_what_comes_back_into_json_is_json_still(text: str) -> None:
    """No hidden word holds a quote, a backslash or a line break."""
    document = json.dumps({"a": f"Mme Roux {text}", "b": "12 rue des Lilas"}, ensure_ascii=False)
    told, cover = hidden(document)
    assert json.loads(cover.restored(told)) == json.loads(document)


@pytest.mark.parametrize(
    ("deal", "person"),
    [
        ("Dossier Martin - T3 Villeurbanne (fictif)", "Dossier Martin"),
        ("Martin", "Martin"),
        ("Moreau, longère", "Moreau"),
    ],
)
def test_a_deal_is_named_after_whose_it_is(deal: str, person: str) -> None:
    """Before what it is about."""
    assert whose(deal) == person


def test_a_date_or_address_goes_wherever_it_stands_again() -> None:
    """Once it is known for what it is, also without the words that told it."""
    told, _ = hidden("Née le 12/03/1960, 12 rue des Lilas. Quantités : 12/03/1960. Bien : 12 rue des Lilas.")
    assert "1960" not in told
    assert "Lilas" not in told
