"""What Slack refuses in a message or a view, with the error that it answers."""

from typing import Any

from sandbox.slack.block_check import along, problems, typed, with_ids
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Json

TEXT_ON_POST = 40_000  # chat.postMessage: msg_too_long above
TEXT_ON_UPDATE = 4_000  # chat.update is stricter
MARKDOWN_TEXT = 12_000  # `markdown_text`, and all markdown blocks of one message together
BLOCKS_TEXT = 13_200  # all text in the blocks of one message: msg_blocks_too_long above
TABLE_TEXT = 10_000  # all cells of a table
ATTACHMENTS = 100
METADATA_TYPE = 255

VIEW_TEXTS = (("title/text", 24), ("submit/text", 24), ("close/text", 24), ("private_metadata", 3_000))
VIEW_IDS = (("callback_id", 255), ("external_id", 255))


def checked_text(text: str, *, on_update: bool = False) -> str:
    """Raises `SlackError` msg_too_long."""
    if len(text) > (TEXT_ON_UPDATE if on_update else TEXT_ON_POST):
        raise SlackError("msg_too_long")
    return text


def checked_markdown(text: str) -> list[Json]:
    """The markdown block that Slack makes of `markdown_text`. Raises `SlackError` msg_too_long."""
    if len(text) > MARKDOWN_TEXT:
        raise SlackError("msg_too_long")
    return with_ids([{"type": "markdown", "text": text}])


def checked_blocks(blocks: Any) -> list[Json]:
    """The blocks of a message with their ids. Raises `SlackError` with pointers to what is wrong."""
    if not isinstance(blocks, list):
        raise SlackError("invalid_blocks_format")
    wrong = problems(blocks, surface="message", pointer="/blocks")
    if wrong:
        raise SlackError("invalid_blocks", messages=wrong)
    _check_tables(blocks)
    texts = [len(part["text"]) for block in blocks for _, part in typed(block, "") if isinstance(part.get("text"), str)]
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    if sum(texts) > BLOCKS_TEXT or markdown > MARKDOWN_TEXT:
        raise SlackError("msg_blocks_too_long")
    return with_ids(blocks)


def checked_attachments(attachments: Any) -> list[Any]:
    """Raises `SlackError` too_many_attachments, invalid_attachments; blocks inside follow the rules of blocks."""
    if not isinstance(attachments, list):
        raise SlackError("invalid_attachments_format")
    if len(attachments) > ATTACHMENTS:
        raise SlackError("too_many_attachments")
    wrong: list[str] = []
    for index, attachment in enumerate(attachments):
        blocks = attachment.get("blocks") if isinstance(attachment, dict) else None
        if blocks:
            wrong += problems(blocks, surface="message", pointer=f"/attachments/{index}/blocks")
    if wrong:
        raise SlackError("invalid_attachments", messages=wrong)
    return attachments


def checked_metadata(metadata: Any) -> Json:
    """`{event_type, event_payload}`, or an empty object. Raises `SlackError` invalid_metadata_format."""
    if metadata == {}:
        return {}
    right = (
        isinstance(metadata, dict)
        and isinstance(metadata.get("event_type"), str)
        and 0 < len(metadata["event_type"]) <= METADATA_TYPE
        and isinstance(metadata.get("event_payload"), dict)
    )
    if not right:
        raise SlackError("invalid_metadata_format")
    return {"event_type": metadata["event_type"], "event_payload": metadata["event_payload"]}


def checked_view(view: Any, *, surface: str) -> Json:
    """A modal or home view with the ids of its blocks. Raises `SlackError` invalid_arguments."""
    if not isinstance(view, dict) or view.get("type") != surface:
        raise SlackError("invalid_arguments", messages=[f"must be a valid `{surface}` view [json-pointer:/view/type]"])
    blocks = view.get("blocks")
    if not isinstance(blocks, list):
        raise SlackError("invalid_arguments", messages=["missing required field: blocks [json-pointer:/view]"])
    wrong = problems(blocks, surface=surface, pointer="/view/blocks")
    for path, most in (*VIEW_TEXTS, *VIEW_IDS):
        for where, value in along(view, path, "/view"):
            if isinstance(value, str) and len(value) > most:
                wrong.append(f"must be less than {most + 1} characters [json-pointer:{where}]")
    if surface == "modal":
        wrong += _modal_problems(view)
    if wrong:
        raise SlackError("invalid_arguments", messages=wrong)
    return {**view, "blocks": with_ids(blocks)}


def _modal_problems(view: Json) -> list[str]:
    wrong = []
    for name in ("title", "submit", "close"):
        if name in view and (not isinstance(view[name], dict) or view[name].get("type") != "plain_text"):
            wrong.append(f"must be a plain_text object [json-pointer:/view/{name}]")
    if "title" not in view:
        wrong.append("missing required field: title [json-pointer:/view]")
    inputs = any(isinstance(block, dict) and block.get("type") == "input" for block in view["blocks"])
    if inputs and not view.get("submit"):
        wrong.append("missing required field: submit, needed with input blocks [json-pointer:/view]")
    return wrong


def _check_tables(blocks: list[Json]) -> None:
    tables = [(index, block) for index, block in enumerate(blocks) if block["type"] == "table"]
    if len(tables) > 1:
        raise SlackError("invalid_attachments", messages=["only_one_table_allowed"])
    for index, table in tables:
        cells = (len(part["text"]) for _, part in typed(table, "") if isinstance(part.get("text"), str))
        if sum(cells) > TABLE_TEXT:
            wrong = f"must be less than {TABLE_TEXT + 1} characters [json-pointer:/blocks/{index}/rows]"
            raise SlackError("invalid_blocks", messages=[wrong])
