"""Short questions about a rule in a thread keep their subject; a class of the DPE is never answered for another."""

import asyncio
from dataclasses import replace

import pytest

from pipeline.reading import CALCULATIONS, Intent
from pipeline.text.energy_class import classes_said, in_full, of_class
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import resolve
from pipeline.understanding.thread.rules import of_the_rule
from tests.asking import SUNDAY, ask, reader


@pytest.mark.parametrize(
    ("before", "message", "scheme"),
    [
        (["le dispositif Jeanbrun en deux mots"], "plafonds de ressources", "relance-logement"),
        (["denormandie à Limoges, éligible ?"], "combien de travaux minimum", "denormandie"),
        (["loc'avantages conditions"], "durée d'engagement", "locavantages"),
        (["relance logement taux", "les plafonds de loyer"], "jusqu'à quand ?", "relance-logement"),
    ],
)
def test_a_question_without_a_subject_is_about_the_threads(before: list[str], message: str, scheme: str) -> None:
    """And the search names it."""
    route = ask(message, before=before)
    assert scheme in route.schemes
    assert scheme.split("-")[0] in route.query
    assert route.intent == "ask"


@pytest.mark.parametrize("message", ["délai de rétractation SRU", "prêt relais, durée", "et merci"])
def test_another_subject_is_not_taken_for_the_threads(message: str) -> None:
    """Its own words say what it is about."""
    assert "denormandie" not in ask(message, before=["denormandie conditions"]).query


def test_only_a_missing_date_brings_the_whole_question_back() -> None:
    """« jusqu'à quand » after the exception of energy works is about that exception."""
    route = ask("jusqu'à quand", before=["déficit foncier plafond", "et avec des travaux énergétiques ?"])
    assert "travaux énergétiques" in route.query


def test_a_rival_scheme_takes_the_place_of_the_first() -> None:
    """« et le Pinel ? » is no question about both."""
    route = ask("et le Pinel ?", before=["relance logement taux d'amortissement"])
    assert route.schemes == ("pinel",)
    assert "relance" not in route.query


def test_another_regime_takes_the_place_of_the_first_and_not_of_the_subject() -> None:
    """« et en meublé ? » is about the deposit still, and no more about a bare letting."""
    route = ask("et en meublé ?", before=["Quel dépôt de garantie pour une location vide ?"])
    assert "depot-garantie" in route.schemes
    assert "reel-foncier" not in route.schemes
    assert "depot de garantie" in route.query
    assert "vide" not in route.query


@pytest.mark.parametrize("message", ["et F ?", "et les F", "pour un F ?"])
def test_another_class_is_asked_the_same_question(message: str) -> None:
    """In the words of the sources, and not about the first class any more."""
    route = ask(message, before=["peut-on relouer un logement G ?"])
    assert classes_said(route.query) == {"F"}
    assert "relouer" in route.query


def test_classes_are_read_after_a_word_that_may_stand_before_one() -> None:
    """A surface, an article of law or an initial is none."""
    assert classes_said("les F et les G") == {"F", "G"}
    assert classes_said("un F3 à Lyon, article 150 U, M. F. Petit, bien à 90000") == frozenset()
    assert in_full("les f, c'est pour quand") == "les logements classés F, c'est pour quand"
    assert in_full("F ou G") == "F ou G"
    assert of_class("logement G à louer", "E") == "logement E à louer"


def test_a_date_is_asked_of_the_scheme_where_nothing_else_was() -> None:
    """« conditions du Denormandie » names no more than the scheme."""
    assert ask("jusqu'à quand ?", before=["conditions du denormandie"]).query == "denormandie : jusqu'à quand ?"


@pytest.mark.parametrize("text", ["IFI", "l'ifi c'est à partir de combien et les dettes sont déductibles ?"])
def test_a_scheme_without_any_number_is_no_calculation(text: str) -> None:
    """Nothing to calculate with, and no input asked for: what is on record answers."""
    route = ask(text)
    assert (route.mode, {call.tool for call in route.tool_calls} - {"facts"}) == ("rag", set())


@pytest.mark.parametrize("more", ["approfondis ce point", "creuse cette partie", "développe le point travaux"])
def test_more_of_a_point_is_no_note(more: str) -> None:
    """« creuse » is no « crée », and a faint guess at a write is none without its word."""
    route = ask(more, before=["explique le dispositif Denormandie"])
    assert route.intent == "deepen"
    assert not route.actions


def test_a_letter_behind_to_let_is_a_class_of_the_dpe() -> None:
    """« louer un G » is searched as the articles write it; « louer un F2 » is a flat of two rooms."""
    assert ask("louer un G").query == "louer un logement classé G"
    assert "dpe" not in ask("louer un F2").schemes


def test_what_is_gone_back_to_by_name_is_asked_alone() -> None:
    """Its own words say of what; those of the last subject would lead elsewhere."""
    route = ask("Et pour revenir au congé du bailleur : sous quelle forme ?", before=["préavis du locataire en meublé"])
    assert "meublé" not in route.query


def test_a_follow_up_is_searched_by_its_own_words_too() -> None:
    """Beside the line that carries the thread's subject."""
    route = ask("et s'il tarde ?", before=["restitution du dépôt de garantie, quel délai ?"])
    assert "dépôt" in route.query
    assert "et s'il tarde ?" in route.sub_queries


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ("Même si c'était sa résidence principale ?", "calc_gain", "rules"),
        ("et s'il perd son procès ?", "crm_read", "rules"),
        ("il pourrait lui imposer ça ?", "crm_write_note", "rules"),
        ("et l'étage du dessus ?", "prices", "rules"),
        ("on l'oblige à quoi au juste ?", "recall", "rules"),
        ("et la plus-value ?", "calc_gain", "calc_gain"),
        ("il en est où, le dossier ?", "crm_read", "crm_read"),
        ("note-le", "crm_write_note", "crm_write_note"),
        ("et le prix au m2 ?", "prices", "prices"),
        ("parfait", "smalltalk", "smalltalk"),
    ],
)
def test_a_thread_about_a_rule_goes_on_unless_another_thing_is_named(text: str, kind: Intent, read: str) -> None:
    state = ThreadState(frames=(Frame("rules", query="L'AG peut-elle interdire un meublé de tourisme ?"),))
    said = asyncio.run(reader().read(Question(text, "U1", SUNDAY), state))
    reading = replace(said, intents=((kind, 0.9 if kind in CALCULATIONS else 0.7),), places=())
    assert of_the_rule(reading, state).main == read
    assert of_the_rule(reading, ThreadState(frames=(Frame("calc_loan"),))).main == kind


def test_one_more_question_about_a_rule_asks_nothing_of_the_threads_place_that_it_does_not_name() -> None:
    """What the place has was told with the first answer."""
    before = ["préavis d'un locataire à Saint-Nazaire, zone tendue ?"]
    assert "status" in {call.tool for call in ask(before[0]).tool_calls}
    assert not {call.tool for call in ask("et son frère, il peut rester ?", before=before).tool_calls} - {"facts"}
    assert "status" in {call.tool for call in ask("et c'est bien une zone tendue ?", before=before).tool_calls}


def test_a_rule_asked_after_a_calculation_is_not_answered_by_the_same_one() -> None:
    """Read unsurely, and changing nothing; what changes an input is of the calculation."""
    state = ThreadState(frames=(Frame("calc_regime", query="12 000 de loyers nus, micro ou réel ?"),))
    said = asyncio.run(reader().read(Question("et le surplus, il se perd ?", "U1", SUNDAY), state))
    unsure = replace(said, intents=(("rules", 0.3),), act="refer", quantities=(), options=frozenset())
    for reading, kind in ((unsure, "rules"), (replace(unsure, options=frozenset({"micro"})), "calc_regime")):
        task = resolve(reading, state)
        assert task.frame is not None
        assert task.frame.kind == kind
