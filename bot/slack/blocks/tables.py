"""A Markdown table in an answer -> Slack's own table block, one a message; what stands around it stays Markdown."""

import re
from collections.abc import Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block, ContextBlock, MarkdownBlock, MarkdownTextObject, TableBlock

from bot.slack.blocks.text import INVISIBLE, escape, markdown, unbroken

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 100, 20, 9_000
"""Slack's limits, with room left in the last; a larger table stays Markdown."""
_TABLE: Final = re.compile(r"^\|.*\|[ \t]*\n\|[ :|-]*-[ :|-]*\|[ \t]*\n(?:\|.*\|[ \t]*(?:\n|$))+", re.MULTILINE)
_BLANK: Final = "–"
FIGURES: Final = "Les chiffres de l'image"


def answer_body(text: str) -> list[Block]:
    """The text of an answer as blocks, never none."""
    found = _TABLE.search(text)
    rows = _rows(found.group()) if found else []
    if found is None or not _fits(rows):
        return [MarkdownBlock(text=markdown(text or " "))]
    before, after = text[: found.start()].strip(), text[found.end() :].strip()
    table = TableBlock(
        rows=[[{"type": "raw_text", "text": cell or _BLANK} for cell in row] for row in rows],
        column_settings=[{"is_wrapped": True} for _ in rows[0]],
    )
    return [
        *([MarkdownBlock(text=markdown(before))] if before else []),
        table,
        *([MarkdownBlock(text=markdown(after))] if after else []),
    ]


def holds_table(text: str) -> bool:
    """Whether the text of an answer shows a table of its own."""
    return _TABLE.search(text) is not None


def figures_message(heading: str, rows: Sequence[Sequence[str]]) -> tuple[str, list[dict[str, Any]] | None]:
    """(plain text, blocks) of a picture's figures; the text alone where Slack would not take the table."""
    cells = [[_plain(cell) or _BLANK for cell in row] for row in rows]
    said = f"{FIGURES} : {escape(heading)}"
    text = "\n".join([said, *(" · ".join(map(escape, row)) for row in cells)])
    if not _fits(cells):
        return text, None
    table = TableBlock(
        rows=[[{"type": "raw_text", "text": cell} for cell in row] for row in cells],
        column_settings=[{"align": "left"}, *({"align": "right"} for _ in cells[0][1:])],
    )
    return text, [ContextBlock(elements=[MarkdownTextObject(text=said)]).to_dict(), table.to_dict()]


def _rows(table: str) -> list[list[str]]:
    """Head and rows, without the ruling line; cells as plain text."""
    lines = [line.strip() for line in table.strip().splitlines()]
    return [[_plain(cell) for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def _plain(cell: str) -> str:
    """Without Markdown's emphasis, which a raw cell would show, and without invisible characters; a raw cell makes no
    link and no mention."""
    return unbroken(re.sub(r"\*\*|`", "", INVISIBLE.sub("", cell)).strip())


def _fits(rows: list[list[str]]) -> bool:
    wide = max((len(row) for row in rows), default=0)
    long = sum(len(cell) for row in rows for cell in row)
    even = len({len(row) for row in rows}) == 1
    return 2 <= len(rows) <= MOST_ROWS and wide <= MOST_COLUMNS and long <= MOST_CHARACTERS and even
