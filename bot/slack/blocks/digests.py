"""A frozen digest -> its message: title, lines under their headings, sources, what it lacks."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.models.blocks import HeaderBlock

from bot.slack.blocks.answers import answer_blocks, answer_text
from bot.slack.blocks.text import escape


def digest_blocks(content: Mapping[str, Any], record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`record`: the digest's record, as an answer's."""
    shown = answer_blocks({"text": content["text"], "record": record})
    return [dict(HeaderBlock(text=content["title"]).to_dict()), *shown]


def digest_text(content: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """For notifications and as the last rung of the ladder."""
    return f"{escape(content['title'])}\n{answer_text({'text': content['text'], 'record': record})}"
