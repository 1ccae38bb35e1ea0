"""A Markdown table of an answer becomes Slack's own block, one a message, and only where Slack would take it."""

from bot.slack.blocks.answers import answer_blocks
from bot.slack.blocks.tables import answer_body
from bot.slack.blocks.text import INVISIBLE
from sandbox.slack.block_check import problems

TABLE = "| Cas | Valeur |\n|---|---|\n| Dans le neuf | **3,5 %** [1] |\n| Ailleurs |  |"


def kinds(text: str) -> list[str]:
    return [str(block.type) for block in answer_body(text)]


def test_a_table_stands_between_the_text_around_it() -> None:
    assert kinds(f"### En bref\nAvant [1].\n\n{TABLE}\n\nAprès [1].") == ["markdown", "table", "markdown"]
    assert kinds(TABLE) == ["table"]
    assert kinds("Sans tableau | avec une barre.") == ["markdown"]


def test_cells_are_plain_and_never_empty() -> None:
    (table,) = answer_body(TABLE)
    assert [[cell["text"] for cell in row] for row in table.to_dict()["rows"]] == [
        ["Cas", "Valeur"],
        ["Dans le neuf", "3,5\u00a0% [1]"],
        ["Ailleurs", "–"],
    ]


def test_only_the_first_table_of_a_message_is_a_block() -> None:
    assert kinds(f"{TABLE}\n\nPuis :\n\n{TABLE}") == ["table", "markdown"]


def test_what_slack_would_refuse_stays_markdown() -> None:
    rows = "\n".join("| a | b |" for _ in range(120))
    assert kinds(f"| Cas | Valeur |\n|---|---|\n{rows}") == ["markdown"]
    assert kinds("| a | b |\n|---|---|\n| c | d | e |") == ["markdown"]


def test_invisible_characters_do_not_reach_a_cell() -> None:
    (table,) = answer_body("| a | b |\n|---|---|\n| c\u200bd | e |")
    assert not INVISIBLE.search(str(table.to_dict()))


def test_an_answer_shows_its_table() -> None:
    blocks = answer_blocks({"text": f"Avant.\n\n{TABLE}", "record": {}})
    assert [block["type"] for block in blocks] == ["markdown", "table"]


def test_slack_takes_the_blocks_of_an_answer_with_a_table() -> None:
    blocks = answer_blocks({"text": f"### En bref\nAvant.\n\n{TABLE}\n\nAprès.", "record": {}})
    assert problems(blocks, surface="message", pointer="/blocks") == []


def test_the_cells_of_an_answer_wrap() -> None:
    """A sentence in a cell would be cut at the edge of a thread otherwise."""
    (table,) = answer_body(TABLE)
    assert table.to_dict()["column_settings"] == [{"is_wrapped": True}] * 2
