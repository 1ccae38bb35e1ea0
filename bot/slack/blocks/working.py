"""What stands in the place of an answer while it is made: its step, what may be read already, and how to stop it."""

from typing import Any, Final

from slack_sdk.models.blocks import (
    ActionsBlock,
    ButtonElement,
    ContextBlock,
    MarkdownBlock,
    MarkdownTextObject,
    SectionBlock,
)

from bot.slack.blocks.text import markdown

STOP: Final = "answer_stop"
Dicts = list[dict[str, Any]]


def working_text() -> str:
    return "_Je lis votre question…_"


def working_blocks(step: str, answer_id: str) -> Dicts:
    return [block.to_dict() for block in (SectionBlock(text=f"_{step}…_"), _stop(answer_id))]


def preview_blocks(text: str, answer_id: str) -> Dicts:
    """What has passed the gate of an answer that is still being written; its sources come with the whole."""
    more = ContextBlock(elements=[MarkdownTextObject(text="_Je rédige la suite…_")])
    return [block.to_dict() for block in (MarkdownBlock(text=markdown(text)), more, _stop(answer_id))]


def stop_blocks(answer_id: str) -> Dicts:
    """Above a message that grows."""
    return [_stop(answer_id).to_dict()]


def _stop(answer_id: str) -> ActionsBlock:
    return ActionsBlock(elements=[ButtonElement(text="Arrêter", action_id=STOP, value=answer_id)])
