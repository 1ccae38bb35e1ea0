"""Several writes in one message: each with its own deal, text, day and hour."""

import pytest

from pipeline.action_types import ActionRequest
from tests.asking import ask

Told = tuple[str | None, str, str]


def told(action: ActionRequest) -> Told:
    """(deal, text or value, day with its hour)."""
    hour = f" {action.value}" if action.kind == "create_task" and action.value else ""
    text = action.body or action.value
    return action.deal_id or action.deal_name, text, f"{action.due or ''}{hour}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "note sur le 9021 : bail signé, et sur le 9025 : attend le dpe",
            [("9021", "Bail signé", ""), ("9025", "Attend le dpe", "")],
        ),
        (
            "ajoute une note au 9017 : visite faite et une au 9013 : injoignable",
            [("9017", "Visite faite", ""), ("9013", "Injoignable", "")],
        ),
        (
            "note vendeur ravi sur le 9001 et acheteur absent sur le 9004",
            [("9001", "Vendeur ravi", ""), ("9004", "Acheteur absent", "")],
        ),
        (
            "note client ravi sur le 9001 et client absent sur le 9004",
            [("9001", "Client ravi", ""), ("9004", "Client absent", "")],
        ),
        (
            "rappels : 9007 envoyer le mandat mardi, 9013 appeler l'expert comptable jeudi 14h",
            [("9007", "Envoyer le mandat", "2026-11-24"), ("9013", "Appeler l'expert comptable", "2026-11-26 14:00")],
        ),
        (
            "signature du 9006 le 10 janvier et celle du 9018 le 17 janvier",
            [("9006", "2027-01-10", ""), ("9018", "2027-01-17", "")],
        ),
        (
            "passe le 9025, le 9032 et le 9001 en étude patrimoniale",
            [(deal, "étude patrimoniale", "") for deal in ("9025", "9032", "9001")],
        ),
        (
            "rappelle moi mardi 11h pour le 9017 et jeudi 15h pour le 9037",
            [("9017", "Rappeler le client", "2026-11-24 11:00"), ("9037", "Rappeler le client", "2026-11-26 15:00")],
        ),
        (
            "tache appeler le client sur 9001 demain et sur 9004 vendredi",
            [("9001", "Appeler le client", "2026-11-23"), ("9004", "Appeler le client", "2026-11-27")],
        ),
    ],
)
def test_what_is_said_of_one_deal_stays_with_it(text: str, expected: list[Told]) -> None:
    """A deal of which nothing is said but a day shares the text of the other."""
    assert [told(action) for action in ask(text).actions] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "tâche sur Martin : appeler la banque lundi 10h, relancer le notaire mercredi",
            [("Martin", "Appeler la banque", "2026-11-23 10:00"), ("Martin", "Relancer le notaire", "2026-11-25")],
        ),
        (
            "note client ok pour le ravalement et relancer l'artisan vendredi",
            [(None, "Client ok pour le ravalement", ""), (None, "Relancer l'artisan", "2026-11-27")],
        ),
        ("relance Dupont lundi", [("Dupont", "Relancer Dupont", "2026-11-23")]),
        ("décale la signature du 9018 au 10 janvier", [("9018", "2027-01-10", "")]),
        (
            "tâche pour Haddad : réclamer la liasse pour le 3/12",
            [("Haddad", "Réclamer la liasse", "2026-12-03")],
        ),
    ],
)
def test_each_text_is_what_was_dictated(text: str, expected: list[Told]) -> None:
    """Without the day, the other request, or the words that lead to them."""
    assert [told(action) for action in ask(text).actions] == expected
