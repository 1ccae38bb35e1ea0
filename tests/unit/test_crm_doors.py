"""Which door a message to the CRM takes: what asks for something writes nothing, and what cannot be done is told."""

import pytest

from pipeline.planning.sentences import NO_CRM
from pipeline.understanding.dates import impossible_hour
from tests.asking import ask, in_thread


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("deals d'Inès en étude > 200k", "deals"),
        ("dossiers préconisation présentée", "deals"),
        ("pipe de hugo", "deals"),
        ("tâches d'Inès pour jeudi", "tasks"),
        ("statut dossier rocher", "brief"),
        ("dossier Rocher", "brief"),
        ("fiche 9013", "brief"),
        ("résumé du dossier Nguyen Montpellier", "brief"),
        ("2 lignes sur le dossier Nguyen", "brief"),
        ("e-mail du client Rocher", "contacts"),
        ("le 06 de mme nguyen", "contacts"),
    ],
)
def test_without_a_verb_of_writing_something_is_asked(text: str, view: str) -> None:
    """A list, a view or a bare name."""
    route = ask(text)
    assert [call.arguments["view"] for call in route.tool_calls] == [view]
    assert route.actions == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("marque la tâche appeler le syndic comme faite sur le 9018", "complete_task"),
        ("la tâche 9021 est terminée", "complete_task"),
        ("le rdv est passé, raye la tâche", "complete_task"),
        ("supprime toutes les tâches", "delete"),
        ("crée un contact Luc Pradel 0612345678", "create_contact"),
        ("fusionne 9022 et 9036", "merge"),
        ("passe tous les dossiers en perdu ce soir", "bulk"),
        ("envoie à Mme Rocher le compte rendu", "send_email"),
    ],
)
def test_what_is_never_done_is_told_and_nothing_else_is_offered(text: str, name: str) -> None:
    """Nor is it taken for a new task of that name."""
    assert [(action.kind, action.property) for action in ask(text).actions] == [("unsupported", name)]


def test_a_dictated_text_orders_nothing() -> None:
    """« supprimer » in a note is the note's; a note that tells of a reminder asks for none."""
    (note,) = ask("note sur Martin : il faut supprimer la condition suspensive").actions
    assert note.kind == "create_note"
    (told,) = ask("note sur 9033 : relance envoyée ce jour").actions
    assert (told.kind, told.body) == ("create_note", "Relance envoyée ce jour")


def test_whether_a_task_can_be_made_is_a_question() -> None:
    """Nothing was dictated yet."""
    assert ask("tu peux créer une tâche ?").intent == "capabilities"


def test_note_this_reads_no_deal() -> None:
    """The deal that a note goes to is not what the note is about."""
    route = ask("note ça sur Lefèvre", before=["rendement 200000 loyer 900", "tâche sur 9001 : appeler le client"])
    assert route.tool_calls == ()
    assert [(action.kind, action.refers) for action in route.actions] == [("create_note", True)]


def test_pareil_names_the_other_deal_alone() -> None:
    """« pareil pour le T2 » takes the text and the hour over."""
    told = in_thread("tâche sur 9001 lundi 10h : appeler la banque", "pareil sur 9003")
    (action,) = told[-1][1].actions
    assert (action.deal_id, action.body, action.value) == ("9003", "Appeler la banque", "10:00")


def test_what_a_client_earns_is_no_price() -> None:
    """A town tells which client; the CRM is asked, which has no such field."""
    (call,) = ask("la cliente de Nantes elle touche combien").tool_calls
    assert (call.tool, call.arguments["absent"]) == ("crm", "income")


@pytest.mark.parametrize("text", ["on est quel jour ?", "il est quelle heure", "quel jour on est", "on est le combien"])
def test_the_day_and_the_hour_are_told(text: str) -> None:
    """No list of deals stands in for them."""
    route = ask(text)
    assert route.clarification == "Nous sommes le 22/11/2026, il est 15 h 00 à Paris."
    assert route.tool_calls == ()


def test_an_hour_that_no_clock_shows() -> None:
    """Told, never nine in the morning in its place; a length of time is none."""
    assert impossible_hour("le 1er décembre à 25h") == "25h"
    assert impossible_hour("à 14h75") == "14h75"
    assert impossible_hour("dans 48h") == impossible_hour("à 16h30") == ""


@pytest.mark.parametrize("text", ["pour mémoire dans le dossier Garnier", "sauvegarde ce résultat sur Garnier"])
def test_a_sure_write_needs_no_verb_of_the_list(text: str) -> None:
    """After a result, what keeps it is a note, whatever the word for keeping."""
    (action,) = ask(text, before=["mensualité de 180 000 € sur 15 ans à 3,1 %"]).actions
    assert (action.kind, action.refers) == ("create_note", True)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("quand est-ce que Lefèvre doit signer ?", ("signature",)),
        ("quel stade pour Diallo Lyon ?", None),
        ("à combien s'élève le projet Rocher", ("amount",)),
    ],
)
def test_what_is_asked_of_a_name_in_words_of_a_deal_is_the_crms(text: str, fields: tuple[str, ...] | None) -> None:
    """Though nothing says that it is a client's, and the rules or a town's prices could be meant."""
    (call,) = ask(text).tool_calls
    assert (call.tool, call.arguments.get("fields")) == ("crm", fields)


def test_a_capital_alone_is_nobody() -> None:
    """Nor is a scheme's, whatever is asked of it."""
    assert all(call.tool != "crm" for call in ask("quelle est la date de signature d'un Denormandie").tool_calls)
    assert all(call.tool != "crm" for call in ask("quel est le montant du plafond Visale").tool_calls)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("À quel stade est le dossier 9001 ? Et quels sont les prix des appartements à Villeurbanne ?", ["sales"]),
        ("Où en est le dossier Martin, et quels risques à Toulon ?", ["risks"]),
    ],
)
def test_where_the_crm_is_closed_the_rest_of_the_message_is_answered(text: str, tools: list[str]) -> None:
    """The public half for everybody, with why the other is not; with the CRM, both."""
    route = ask(text, crm=False)
    assert [call.tool for call in route.tool_calls] == tools
    assert route.remarks == (NO_CRM,)
    assert [call.tool for call in ask(text).tool_calls] == ["crm", *tools]


def test_where_the_crm_is_closed_a_deal_alone_is_told_why() -> None:
    assert ask("À quel stade est le dossier 9001 ?", crm=False).clarification == NO_CRM


@pytest.mark.parametrize("deal", ["9001", "9003", "9017", "9026"])
def test_a_third_thing_to_write_is_no_words_of_the_second(deal: str) -> None:
    note, task = f"ajoute une note sur le dossier {deal} : bail relu", "crée une tâche : rappeler le notaire demain"
    told = ask(f"{note}, {task}, et mets l'étape à Financement en cours").actions
    assert [action.kind for action in told] == ["create_note", "create_task", "update_property"]
    assert told[1].body == "Rappeler le notaire"
