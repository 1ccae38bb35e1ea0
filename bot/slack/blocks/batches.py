"""The message that decides on all proposals of one answer: a line for each with what became of it, and two buttons."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import ActionsBlock, Block, ButtonElement, SectionBlock

from bot.slack.blocks.proposal_status import short_status
from bot.slack.blocks.text import chunks, escape, unbroken

APPROVE_ALL, REJECT_ALL = "proposal_approve_all", "proposal_reject_all"
SUMMARY: Final = 300


def batch_blocks(rows: Sequence[Mapping[str, Any]], *, key: str) -> list[dict[str, Any]]:
    """Buttons while more than one of them waits; what is left alone is decided on its own card."""
    lines = [unbroken(f"{place}. {_short(row)}\n      {short_status(row)}") for place, row in enumerate(rows, start=1)]
    blocks: list[Block] = [SectionBlock(text=piece) for piece in chunks([f"*{_heading(rows)}*", *lines])]
    if _waiting(rows) > 1:
        buttons = [
            ButtonElement(text="Tout valider", action_id=APPROVE_ALL, value=key, style="primary"),
            ButtonElement(text="Tout rejeter", action_id=REJECT_ALL, value=key, style="danger"),
        ]
        blocks.append(ActionsBlock(elements=buttons))
    return [block.to_dict() for block in blocks]


def batch_text(rows: Sequence[Mapping[str, Any]]) -> str:
    return _heading(rows)


def _heading(rows: Sequence[Mapping[str, Any]]) -> str:
    waiting, written = _waiting(rows), sum(row["state"] == "done" for row in rows)
    parts = [f"{len(rows)} écritures proposées ensemble"]
    parts += [f"{written} écrite{'s' if written > 1 else ''}"] if written else []
    parts += [f"{waiting} à décider"] if waiting else []
    return " · ".join(parts)


def _waiting(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(row["state"] == "offered" for row in rows)


def _short(row: Mapping[str, Any]) -> str:
    summary = " ".join(row["action"]["summary"].split())
    return escape(summary if len(summary) <= SUMMARY else summary[:SUMMARY].rsplit(" ", 1)[0] + "…")
