"""Buttons that ask in the thread, and what was asked by them; the form that asks which deal a note is for."""

from collections.abc import Mapping
from typing import Any, Final

from slack_sdk.models.blocks import (
    ActionsBlock,
    ButtonElement,
    ContextBlock,
    InputBlock,
    MarkdownTextObject,
    PlainTextInputElement,
)
from slack_sdk.models.views import View

from bot.ports import clicked_under
from bot.slack.blocks.text import escape

ASK: Final = "choice_"
FOLLOW: Final = "follow_commune"
NOTE: Final = "note_answer"
NOTE_FORM: Final = "note_form"
MESSAGE_FORM: Final = "note_message_form"
DEAL: Final = "deal"
NOTE_TEXT: Final = "note"
HINT: Final = (
    "Son nom, une partie de son nom ou son numéro. La note est proposée dans le fil : rien n'est écrit tant que vous "
    "ne validez pas."
)
LABEL_LIMIT, QUESTION_LIMIT, DEAL_LIMIT, NOTE_LIMIT = 75, 300, 120, 3_000


def asking_button(key: str, label: str) -> ButtonElement:
    """Carries a key only: what it asks stands in the record of the answer that it is under."""
    return ButtonElement(text=label[:LABEL_LIMIT], action_id=f"{ASK}{key}", value=key)


def follow_up_row(row: Mapping[str, Any]) -> list[ActionsBlock]:
    """What may be done next with this answer."""
    offered = (row["record"] or {}).get("follow_ups") or ()
    buttons = [_button(each, str(row.get("answer_id") or "")) for each in offered]
    return [ActionsBlock(elements=buttons)] if buttons else []


def _button(offered: Mapping[str, Any], answer_id: str) -> ButtonElement:
    if offered["key"] == "follow":
        return ButtonElement(text=offered["label"][:LABEL_LIMIT], action_id=FOLLOW, value=offered["insee"])
    if offered["key"] == "note" and not offered["question"]:
        return ButtonElement(text=offered["label"], action_id=NOTE, value=answer_id)
    return asking_button(offered["key"], offered["label"])


def asked_line(row: Mapping[str, Any]) -> list[ContextBlock]:
    """Over an answer that a button asked for, since no message in the thread says so."""
    if clicked_under(str(row.get("answer_id") or "")) is None:
        return []
    said = f"<@{row['asked_by']}> : {escape(str(row['question'])[:QUESTION_LIMIT])}"
    return [ContextBlock(elements=[MarkdownTextObject(text=said)])]


def note_form(metadata: str, *, text: str | None = None) -> dict[str, Any]:
    """Which deal an answer, or `text`, is to be noted on; the write itself is then proposed in the thread."""
    blocks = [_line(DEAL, "Dossier", HINT, max_length=DEAL_LIMIT, placeholder="Lefèvre")]
    if text is not None:
        fitted = text[:NOTE_LIMIT]
        blocks.append(_line(NOTE_TEXT, "Note", "", max_length=NOTE_LIMIT, multiline=True, initial_value=fitted))
    view = View(
        type="modal",
        callback_id=NOTE_FORM if text is None else MESSAGE_FORM,
        title="Noter sur un dossier",
        submit="Proposer la note",
        close="Fermer",
        private_metadata=metadata,
        blocks=blocks,
    )
    return dict(view.to_dict())


def _line(name: str, label: str, hint: str, **more: Any) -> InputBlock:
    element = PlainTextInputElement(action_id=name, **more)
    return InputBlock(block_id=name, label=label, hint=hint or None, element=element)
