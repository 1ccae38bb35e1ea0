"""Clients, colleagues and deals that a message names, and what is then asked of the CRM."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.clients import of_the_client, pointed_at
from pipeline.crm_types import Directory, KnownDeal, Mentioned
from pipeline.planning.standing import as_rule
from pipeline.reading import Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.offline.clients import asks_of_clients, clients_named, other_words
from pipeline.understanding.offline.reader import read
from pipeline.understanding.parts import pieces
from pipeline.understanding.thread.dialogue import Task
from pipeline.understanding.thread.rules import of_the_rule
from tests.asking import places

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
CLIENTS = {
    "cohen": frozenset(("cohen", "nue", "propriete", "nice")),
    "robert": frozenset(("robert", "viager", "toulon")),
    "chevalier": frozenset(("chevalier", "denormandie", "limoges")),
    "garnier": frozenset(("garnier", "deficit", "foncier")),
    "goff": frozenset(("goff", "location", "saisonniere", "quimper")),
}
ORDINARY = frozenset(("maison", "terrain", "murs", "banque", "notaire", "garage"))
DIRECTORY = Directory(
    CLIENTS,
    frozenset(("hugo", "marchetti")),
    (
        KnownDeal("1", frozenset(("murs", "toulouse", "restaurateur")), frozenset(("sci",)), frozenset(("a",))),
        KnownDeal("2", frozenset(("garage", "strasbourg", "haddad")), frozenset(), frozenset(("b",))),
        KnownDeal("3", frozenset(("maison", "toulon", "officier")), frozenset(), frozenset(("c",))),
        KnownDeal("4", frozenset(("passoire", "grenoble", "petit")), frozenset(), frozenset(("d",))),
        KnownDeal("5", frozenset(("terrain", "grenoble", "petit")), frozenset(), frozenset(("d",))),
        KnownDeal("6", frozenset(("succession", "lille")), frozenset(), frozenset(("e",))),
        KnownDeal("7", frozenset(("viager", "toulon")), frozenset(("bouquet",)), frozenset(("f",))),
        KnownDeal("8", frozenset(("studio", "montpellier")), frozenset(), frozenset(("g",))),
    ),
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Cohen, la nue-propriété de Nice : combien ?", ("Cohen",)),
        ("et Robert Chevalier lui, qui le suit", ("Robert Chevalier",)),
        ("Samuel Cohen ou Garnier ?", ("Samuel Cohen", "Garnier")),
        ("quel taux pour un prêt ?", ()),
    ],
)
def test_a_surname_is_named_with_what_belongs_to_it(text: str, names: tuple[str, ...]) -> None:
    assert clients_named(text, CLIENTS) == names


def test_the_words_of_the_clients_own_deal_are_no_other_subject() -> None:
    assert asks_of_clients("Cohen, la nue-propriété de Nice : combien ?", CLIENTS)
    assert not asks_of_clients("Cohen donne la nue-propriété : quels droits ?", CLIENTS)
    assert other_words("Garnier, le déficit s'impute sur dix ans ?", CLIENTS) >= {"impute"}


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("Moreau Garnier : montant, note.", Mentioned({"garnier": CLIENTS["garnier"]})),
        ("Chevalier, son Denormandie : combien ?", Mentioned({"chevalier": CLIENTS["chevalier"]})),
        ("qu'est-ce que Hugo suit en ce moment comme dossiers ?", Mentioned(colleagues=frozenset(("hugo",)))),
    ],
)
def test_what_asks_of_whom_the_crm_knows_is_the_crms(text: str, mentioned: Mentioned) -> None:
    known = read(text, None, ThreadState(), places=places(), asked_at=NOW, mentioned=mentioned)
    assert known.main == "crm_read"


def test_a_client_who_is_named_in_a_rule_leaves_it_one() -> None:
    text = "Cohen vend sa résidence principale : est-il exonéré de plus-value ?"
    mentioned = Mentioned({"cohen": CLIENTS["cohen"]})
    assert read(text, None, ThreadState(), places=places(), asked_at=NOW, mentioned=mentioned).main == "rules"


def test_a_sure_rule_about_what_a_client_does_stays_one() -> None:
    text = "Le Goff location saisonnière, quel est l'abattement du micro-BIC d'un meublé de tourisme classé ?"
    mentioned = Mentioned({"goff": CLIENTS["goff"]})
    assert read(text, None, ThreadState(), places=places(), asked_at=NOW, mentioned=mentioned).main == "rules"


def test_a_rule_across_a_deal_is_the_subject_of_what_no_sum_can_be() -> None:
    """The deal in focus is none, and the rule before it no calculation."""
    state = ThreadState(frames=(Frame("rules", query="Quel préavis en meublé ?"), Frame("crm_read")))
    rule = as_rule(Task(Reading("et 1 200 de loyer ?", (("calc_yield", 0.6),)), Frame("calc_yield")), state)
    assert rule is not None
    assert rule.frame is not None
    assert rule.frame.kind == "rules"
    assert "préavis" in rule.frame.query


def test_a_colleague_is_asked_about_in_a_thread_about_a_rule_too() -> None:
    state = ThreadState(frames=(Frame("rules", query="Quel préavis en meublé ?"),), intents=("rules",))
    reading = Reading("qu'est-ce qu'Hugo a en retard ?", (("crm_read", 0.9),))
    assert of_the_rule(reading, state).main == "rules"
    assert of_the_rule(replace(reading, colleagues=frozenset(("hugo",))), state).main == "crm_read"


def test_a_note_that_is_there_is_asked_for_and_not_written() -> None:
    told = ThreadState(frames=(Frame("crm_read"),), intents=("crm_read",), deal_id="1")
    for text in ("sa dernière note à lui", "la dernière note dessus"):
        assert read(text, None, told, places=places(), asked_at=NOW).main == "crm_read"


def test_only_right_behind_a_deal_is_what_is_left_to_do_its_own() -> None:
    told = ThreadState(frames=(Frame("crm_read"),), intents=("crm_read",), deal_id="1")
    assert read("reste à faire ?", None, told, places=places(), asked_at=NOW).main == "crm_read"
    assert read("tu peux créer une tâche ?", None, ThreadState(), places=places(), asked_at=NOW).main != "crm_read"


@pytest.mark.parametrize(
    ("text", "deal", "surely"),
    [
        ("le restaurateur toulousain, la banque lui réclame quoi ?", "1", True),
        ("qui s'occupe de la succession lilloise ?", "6", True),
        ("le garage, il est loué à qui ?", "2", False),
        ("quel notaire pour la banque ?", None, False),
        ("le petit de Grenoble, il en est où ?", "4", True),
    ],
)
def test_a_deal_is_pointed_at_by_what_it_is(text: str, deal: str | None, surely: bool) -> None:
    """Of two deals of the same people the first: either names them."""
    found = pointed_at(text, DIRECTORY, ORDINARY)
    assert (found.deal_id, found.surely) == (deal, surely)


def test_two_deals_of_different_people_leave_it_open() -> None:
    assert pointed_at("à Toulon, combien ?", DIRECTORY, ORDINARY) == Mentioned()


def test_another_deal_of_the_same_people_is_found_by_its_own_word_or_as_the_other() -> None:
    state = ThreadState(frames=(Frame("crm_read"),), deal_id="4")
    for text in ("il avait un terrain aussi, on l'a classé pourquoi ?", "et il a un autre dossier chez nous ?"):
        found = of_the_client(text, DIRECTORY, state)
        assert found is not None
        assert found.deal_id == "5"
    assert of_the_client("et la passoire, il la garde ?", DIRECTORY, state) is None
    assert of_the_client("un terrain, on le classe comment ?", DIRECTORY, state) is None


def test_a_short_piece_stays_with_what_it_asks() -> None:
    said = "Fontaine donation-partage, combien ? Et la taxe foncière, usufruitier ou nu-propriétaire ?"
    assert pieces(said) == (
        "Fontaine donation-partage, combien ?",
        "Et la taxe foncière, usufruitier ou nu-propriétaire ?",
    )
