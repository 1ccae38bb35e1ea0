"""What follows a request for a write: another day, hour, text, value or deal; what changes nothing is asked back."""

import pytest

from pipeline.planning import sentences
from tests.asking import ask

NOTE = "note sur 9001 : visite faite samedi, offre à 215 000"
TASK = "tâche sur 9004 le 4 décembre : relancer le courtier"


@pytest.mark.parametrize(
    ("first", "then", "body"),
    [
        (NOTE, "corrige : dimanche", "Visite faite dimanche, offre à 215 000"),
        (NOTE, "c'est dimanche pas samedi", "Visite faite dimanche, offre à 215 000"),
        (NOTE, "non 220 000", "Visite faite samedi, offre à 220 000"),
        (TASK, "plutôt : relancer la banque", "Relancer la banque"),
        (TASK, "et change l'objet : rappeler le syndic", "Rappeler le syndic"),
    ],
)
def test_the_text_is_put_right(first: str, then: str, body: str) -> None:
    """One thing of it, or all of it; never the old text shown again."""
    (action,) = ask(then, before=[first]).actions
    assert action.body == body


@pytest.mark.parametrize(
    ("then", "when", "hour"),
    [
        ("non le 10", "2026-12-10", ""),
        ("non pas vendredi, jeudi", "2026-11-26", ""),
        ("en fait mardi matin 9h30", "2026-11-24", "09:30"),
        ("c'est pour 14h", "2026-12-04", "14:00"),
        ("plutôt : relancer la banque", "2026-12-04", ""),
    ],
)
def test_the_day_and_the_hour_are_put_right(then: str, when: str, hour: str) -> None:
    """What is not said again stays; « le 10 » is of the month spoken of."""
    (action,) = ask(then, before=[TASK]).actions
    assert (str(action.due), action.value, action.deal_id) == (when, hour, "9004")


def test_a_day_of_signature_stays_in_its_month() -> None:
    """« le 20 » after the 15th of January is the 20th of January."""
    (action,) = ask("non le 20", before=["repousse la signature du dossier 9018 au 15 janvier"]).actions
    assert (action.property, action.value) == ("closedate", "2027-01-20")


@pytest.mark.parametrize("then", ["non, enlève la partie sur l'offre", "retire le samedi"])
def test_what_changes_nothing_is_asked_back(then: str) -> None:
    """The old proposal is not shown as if it held the change."""
    route = ask(then, before=[NOTE])
    assert route.clarification == sentences.WHICH_CHANGE
    assert route.actions == ()


def test_another_write_is_no_correction() -> None:
    """It has its own text."""
    (action,) = ask("et note que le client est ravi", before=[TASK]).actions
    assert (action.kind, action.body) == ("create_note", "Le client est ravi")


def test_what_is_never_done_corrects_no_note() -> None:
    """The amount of the deal is not the one that the note speaks of."""
    (action,) = ask("mets le montant à 320000", before=[NOTE]).actions
    assert (action.kind, action.property) == ("unsupported", "amount")


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("passe le 9008 en préconisation", "et le 9009 aussi", ("9009", "", "préconisation")),
        ("tâche 9021 demain", "relire le bail", ("9021", "Relire le bail", "")),
    ],
)
def test_what_was_missing_is_completed(first: str, then: str, expected: tuple[str, str, str]) -> None:
    """The text that was asked back for, or the other deal."""
    (action,) = ask(then, before=[first]).actions
    assert (action.deal_id, action.body, action.value) == expected


def test_a_write_of_another_kind_corrects_nothing() -> None:
    """« mets une tâche » after a note: a task, whose text is asked for."""
    (action,) = ask("mets une tâche pour jeudi", before=[NOTE]).actions
    assert (action.kind, action.body) == ("create_task", "")
