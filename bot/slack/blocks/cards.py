"""A proposal's row -> its card: what would be written, on what, and the buttons; or how it ended."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    MarkdownTextObject,
    SectionBlock,
)
from slack_sdk.models.views import View

from bot.slack.blocks.text import SECTION_LIMIT, chunks, escape, french_time, link, verbatim

APPROVE, REJECT, UNDO, READ = "proposal_approve", "proposal_reject", "proposal_undo", "proposal_read"
KINDS = {"create_note": "Note", "create_task": "Tâche", "update_property": "Mise à jour d'un champ"}
LABELS = {
    "hs_note_body": "Contenu",
    "hs_task_subject": "Objet",
    "hs_task_body": "Détail",
    "hs_timestamp": "Échéance",
    "hs_next_step": "Prochaine étape",
    "hs_priority": "Priorité",
    "description": "Description",
    "closedate": "Date de signature prévue",
    "dealstage": "Étape du dossier",
}
HIDDEN = {"hs_task_status", "hs_task_type", "hs_task_priority", "hubspot_owner_id"}
CRM_SCHEMES = ("https://", "http://")
"""The receipt's address comes from our own writer, and a CRM on this machine has no certificate."""
PREVIEW = 420
"""Characters of a field on the card; the whole text is one click away."""


def card_blocks(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The card in any state; buttons only while somebody can still decide (or undo)."""
    action = row["action"]
    target = action["target"]
    heading = f"*{KINDS[action['kind']]} proposée dans HubSpot*\n{escape(action['summary'])}"
    blocks: list[Block] = [SectionBlock(text=heading[:SECTION_LIMIT])]
    for name, value in action["fields"].items():
        if value and name not in HIDDEN and not (name == "hs_timestamp" and action["kind"] == "create_note"):
            blocks.append(SectionBlock(text=_field(name, value, action["base"])))
    target_line = f"Cible : {escape(target['name'] or target['object'])} (n° {escape(target['id'])})"
    status = _status(row)
    blocks.append(ContextBlock(elements=[MarkdownTextObject(text=f"{target_line} · {status}"[:2_900])]))
    if buttons := _buttons(row):
        blocks.append(ActionsBlock(elements=buttons))
    return [block.to_dict() for block in blocks]


def reading_view(row: Mapping[str, Any]) -> dict[str, Any]:
    """A modal with every field in full: exactly what would be, or was, written."""
    blocks: list[Block] = []
    for name, value in row["action"]["fields"].items():
        lines = escape(_readable(name, value)).splitlines() or [""]
        label = LABELS.get(name, escape(name))
        blocks.extend(SectionBlock(text=piece or " ") for piece in chunks([f"*{label}*", *lines]))
    view = View(type="modal", title="Texte proposé", close="Fermer", blocks=verbatim(b.to_dict() for b in blocks[:100]))
    return dict(view.to_dict())


def _buttons(row: Mapping[str, Any]) -> list[ButtonElement]:
    state = row["state"]
    buttons = [_button(row, APPROVE, "Valider"), _button(row, REJECT, "Rejeter")] if state == "offered" else []
    if state == "done":
        buttons.append(_button(row, UNDO, "Annuler l'écriture"))
    if any(len(value) > PREVIEW for value in row["action"]["fields"].values()):
        buttons.append(_button(row, READ, "Lire en entier"))
    return buttons


def card_text(row: Mapping[str, Any]) -> str:
    return escape(f"Proposition HubSpot : {row['action']['summary']}") + f" - {_status(row)}"


def cards_failure_text(reference: str) -> str:
    return (
        "La réponse ci-dessus est complète, mais je n'ai pas pu afficher la proposition HubSpot qui va avec : rien "
        f"n'a été écrit. Redemandez-la-moi ; si cela se reproduit, donnez à votre administrateur la référence "
        f"`{reference}`."
    )


def _field(name: str, value: str, base: Mapping[str, str]) -> str:
    text = value if len(value) <= PREVIEW else f"{_start(value)}… ({len(value)} caractères en tout)"
    shown = escape(_readable(name, text))
    if "value" in base:
        # What is written may be an id: people read the firm's own words for it, before and after.
        shown = escape(_start(base["new_label"])) if len(value) <= PREVIEW and base.get("new_label") else shown
        before = escape(_start(base.get("old_label", base["value"])))
        shown = f"~{before or 'vide'}~ → {shown}"
    quoted = "\n".join(f"> {line}" for line in shown.splitlines() or [""])
    return f"*{LABELS.get(name, escape(name))}*\n{quoted}"[:SECTION_LIMIT]


def _start(text: str) -> str:
    return text if len(text) <= PREVIEW else text[:PREVIEW].rsplit(" ", 1)[0]


def _readable(name: str, value: str) -> str:
    if name == "hs_timestamp" and value[:4].isdigit() and "T" in value:
        return french_time(value.replace("Z", "+00:00"))
    return value


def _status(row: Mapping[str, Any]) -> str:
    who = f"<@{row['decided_by']}>" if row["decided_by"] else ""
    when = f"le {french_time(row['decided_at'])}" if row["decided_at"] else ""
    match row["state"]:
        case "offered":
            return f"rien n'est écrit sans validation · expire le {french_time(row['expires_at'])}"
        case "approved" | "executing":
            return f":hourglass_flowing_sand: validée par {who} {when}, écriture en cours"
        case "done":
            seen = link(row["crm_url"] or "", "voir dans HubSpot", schemes=CRM_SCHEMES)
            remark = f" · {escape(row['reason'])}" if row["reason"] else ""
            number = f"n° {escape(row['crm_id'] or '')}"
            return f":white_check_mark: écrite, validée par {who} {when} · {seen} ({number}){remark}"
        case "rejected":
            return f":no_entry_sign: rejetée par {who} {when} · rien n'a été écrit"
        case "expired":
            return ":hourglass: expirée · rien n'a été écrit"
        case "failed":
            return f":warning: validée par {who} {when}, mais non écrite : {escape(row['reason'] or '')}"
        case "unknown":
            return f":grey_question: validée par {who} {when} · {escape(row['reason'] or '')}"
        case "undoing":
            return ":hourglass_flowing_sand: annulation en cours"
        case "undone":
            return f":leftwards_arrow_with_hook: écrite puis annulée · {escape(row['reason'] or '')}".rstrip(" ·")
        case other:
            return escape(str(other))


def _button(row: Mapping[str, Any], action_id: str, label: str) -> ButtonElement:
    style = {APPROVE: "primary", REJECT: "danger"}.get(action_id)
    return ButtonElement(text=label, action_id=action_id, value=row["proposal_id"], style=style)
