"""Fields of modals: made from (value, label) pairs, and what was filled in, read back from a view's state."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import (
    CheckboxesElement,
    InputBlock,
    Option,
    StaticMultiSelectElement,
    StaticSelectElement,
)

LABEL_LIMIT: Final = 75


def filled_in(view: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the fields, by field; a field that is not there is left out. Each field's block and action bear
    the name of what it fills in."""
    found: dict[str, Any] = {}
    for block, actions in ((view.get("state") or {}).get("values") or {}).items():
        value = actions.get(block) or {}
        if "selected_options" in value:
            found[block] = [option["value"] for option in value["selected_options"] or ()]
        elif "selected_option" in value:
            found[block] = (value["selected_option"] or {}).get("value", "")
        elif "selected_users" in value:
            found[block] = list(value["selected_users"] or ())
        elif "selected_time" in value:
            found[block] = value["selected_time"] or ""
        else:
            found[block] = value.get("value") or ""
    return found


def options_of(pairs: Sequence[tuple[str, str]]) -> list[Option]:
    return [Option(value=value, text=label[:LABEL_LIMIT]) for value, label in pairs]


def many_of(
    name: str, label: str, pairs: Sequence[tuple[str, str]], chosen: Sequence[str], placeholder: str
) -> InputBlock:
    """Any number of the pairs, or none."""
    options = options_of(pairs)
    initial = [option for option in options if option.value in chosen]
    element = StaticMultiSelectElement(
        action_id=name, options=options, initial_options=initial or None, placeholder=placeholder
    )
    return InputBlock(block_id=name, label=label, optional=True, element=element)


def one_of(name: str, label: str, pairs: Sequence[tuple[str, str]], chosen: str, *, hint: str = "") -> InputBlock:
    """One of the pairs; the first where `chosen` is none of them."""
    options = options_of(pairs)
    initial = next((option for option in options if option.value == chosen), options[0])
    element = StaticSelectElement(action_id=name, options=options, initial_option=initial)
    return InputBlock(block_id=name, label=label, element=element, hint=hint or None)


def box(name: str, label: str, sentence: str, ticked: bool) -> InputBlock:
    """A sentence to tick."""
    option = Option(value="yes", text=sentence)
    element = CheckboxesElement(action_id=name, options=[option], initial_options=[option] if ticked else None)
    return InputBlock(block_id=name, label=label, optional=True, element=element)
