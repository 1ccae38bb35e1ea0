"""The buttons under an answer: what it is worth, and why it says what it says."""

from collections.abc import Mapping
from typing import Any, Final

from slack_sdk.models.blocks import ActionsBlock, ButtonElement

WHY: Final = "answer_why"
PRINT: Final = "answer_print"
FEEDBACK: Final = "feedback_"
VERDICTS: Final = {"useful": "Utile", "wrong": "Faux", "incomplete": "Incomplet"}


def judging_row(row: Mapping[str, Any]) -> list[ActionsBlock]:
    """For an answer that was looked for; small talk and a question back have nothing to judge. A button carries the
    answer's id, which is worth something in its own channel only."""
    record = row["record"] or {}
    looked_for = (record.get("route") or {}).get("mode", "none") != "none"
    if not looked_for or record.get("choices") or not row.get("answer_id"):
        return []
    buttons = [
        ButtonElement(text=label, action_id=f"{FEEDBACK}{verdict}", value=row["answer_id"])
        for verdict, label in VERDICTS.items()
    ]
    printing = ButtonElement(text="PDF", action_id=PRINT, value=row["answer_id"])
    return [ActionsBlock(elements=[*buttons, why_button(row), *([printing] if record.get("citations") else [])])]


def why_button(row: Mapping[str, Any]) -> ButtonElement:
    return ButtonElement(text="Pourquoi ?", action_id=WHY, value=row["answer_id"])
