"""A proposal's row -> its card: what would be written, on what, and the buttons; or how it ended."""

from collections.abc import Iterator, Mapping
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    MarkdownTextObject,
    SectionBlock,
)
from slack_sdk.models.views import View

from bot.slack.blocks.proposal_status import status
from bot.slack.blocks.text import SECTION_LIMIT, chunks, escape, french_time, link, unbroken, verbatim
from pipeline.text.masking import mask_identifiers

APPROVE, REJECT, UNDO, READ = "proposal_approve", "proposal_reject", "proposal_undo", "proposal_read"
EDIT, REASON, SEEN, ABSENT = "proposal_edit", "proposal_reason", "proposal_seen", "proposal_absent"
BUTTONS: dict[str, tuple[tuple[str, str], ...]] = {
    "offered": ((APPROVE, "Valider"), (EDIT, "Modifier"), (REJECT, "Rejeter")),
    "rejected": ((REASON, "Préciser le motif"),),
    "conflict": ((EDIT, "Revoir et proposer à nouveau"),),
    "failed": ((EDIT, "Modifier et proposer à nouveau"),),
    "unknown": ((SEEN, "Vu dans HubSpot"), (ABSENT, "Absent, refaire")),
    "done": ((UNDO, "Annuler l'écriture"),),
}
"""What somebody can still do, by state."""
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
PREVIEW, WORDS, MOST_SOURCES = 420, 200, 3
"""Characters of a field and of a question on the card; the whole text is one click away."""


def card_blocks(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The card in any state; buttons only while somebody can still decide (or undo)."""
    action = row["action"]
    target = action["target"]
    heading = f"*{KINDS[action['kind']]} proposée dans HubSpot*\n{escape(action['summary'])}"
    blocks: list[Block] = [SectionBlock(text=unbroken(heading)[:SECTION_LIMIT])]
    blocks.extend(written_fields(action))
    target_line = f"Cible : {escape(target['name'] or target['object'])} (n° {escape(target['id'])})"
    lines = [f"{target_line} · {status(row)}", *_origin(row)]
    blocks.extend(ContextBlock(elements=[MarkdownTextObject(text=unbroken(line)[:2_900])]) for line in lines)
    if buttons := _buttons(row):
        blocks.append(ActionsBlock(elements=buttons))
    return [block.to_dict() for block in blocks]


def written_fields(action: Mapping[str, Any]) -> Iterator[SectionBlock]:
    """What would be written, field by field, as it is decided on."""
    for name, value in action["fields"].items():
        if value and name not in HIDDEN and not (name == "hs_timestamp" and action["kind"] == "create_note"):
            yield SectionBlock(text=_field(name, value, action["base"]))


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
    known = row["state"] != "done" or row["crm_id"]  # what nobody found cannot be taken back from here
    buttons = [_button(row, name, label) for name, label in BUTTONS.get(row["state"], ()) if known]
    if any(len(value) > PREVIEW for value in row["action"]["fields"].values()):
        buttons.append(_button(row, READ, "Lire en entier"))
    return buttons


def _origin(row: Mapping[str, Any]) -> Iterator[str]:
    """Why it is proposed, in the words that led to it; what its text rests on; who changed it."""
    origin = row["origin"] or {}
    if words := " ".join(mask_identifiers(origin.get("words") or "").split()):
        short = words if len(words) <= WORDS else words[:WORDS].rsplit(" ", 1)[0] + "…"
        yield f"Pourquoi : « {escape(short)} »"
    sources = [link(url, title or url) for title, url in origin.get("sources") or ()]
    if sources:
        more = f" et {len(sources) - MOST_SOURCES} de plus" if len(sources) > MOST_SOURCES else ""
        yield f"Sources : {' · '.join(sources[:MOST_SOURCES])}{more}"
    if row["edited_by"]:
        yield f"Version {row['version']}, modifiée par <@{row['edited_by']}> le {french_time(row['offered_at'])}"


def card_text(row: Mapping[str, Any]) -> str:
    return escape(f"Proposition HubSpot : {row['action']['summary']}") + f" - {status(row)}"


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


def _button(row: Mapping[str, Any], action_id: str, label: str) -> ButtonElement:
    style = {APPROVE: "primary", REJECT: "danger"}.get(action_id)
    sure = _sure() if action_id == ABSENT else None
    return ButtonElement(text=label, action_id=action_id, value=row["proposal_id"], style=style, confirm=sure)


def _sure() -> ConfirmObject:
    return ConfirmObject(
        title="Absent de HubSpot ?",
        text="Vous avez regardé la fiche et l'écriture n'y est pas : je regarde une dernière fois, puis je l'écris.",
        confirm="Refaire",
        deny="Revenir",
    )
