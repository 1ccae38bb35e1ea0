"""A card with two buttons and a modal, as an app would send them."""

from tests.integration.sandbox_rig import Json


def button(action_id: str, label: str) -> Json:
    """A button that carries a proposal's id."""
    return {"type": "button", "action_id": action_id, "value": "p1", "text": {"type": "plain_text", "text": label}}


CARD: list[Json] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "Noter sur le dossier Martin ?"}},
    {"type": "actions", "block_id": "choix", "elements": [button("valider", "Valider"), button("rejeter", "Rejeter")]},
]
MODAL: Json = {
    "type": "modal",
    "callback_id": "note",
    "title": {"type": "plain_text", "text": "Modifier la note"},
    "submit": {"type": "plain_text", "text": "Enregistrer"},
    "notify_on_close": True,
    "blocks": [
        {
            "type": "input",
            "block_id": "corps",
            "label": {"type": "plain_text", "text": "Texte"},
            "element": {"type": "plain_text_input", "action_id": "texte", "initial_value": "avant"},
        }
    ],
}
