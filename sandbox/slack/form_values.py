"""The state of inputs, in Slack's shape, from what a person or a script filled in."""

from typing import Any

from sandbox.slack.block_check import typed
from sandbox.slack.block_rules import INTERACTIVE
from sandbox.slack.state import Json
from sandbox.wrong import Wrong

# Element type -> key of its value in the state, and the element's own initial value.
_SINGLE = {
    "plain_text_input": "value",
    "number_input": "value",
    "email_text_input": "value",
    "url_text_input": "value",
    "rich_text_input": "rich_text_value",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "users_select": "selected_user",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "multi_users_select": "selected_users",
    "multi_conversations_select": "selected_conversations",
    "multi_channels_select": "selected_channels",
}
_ONE_OPTION = frozenset({"static_select", "radio_buttons", "overflow"})
_MANY_OPTIONS = frozenset({"multi_static_select", "checkboxes"})
_STATELESS = frozenset({"button", "image", "overflow", "feedback_buttons", "icon_button"})


def elements(blocks: list[Json]) -> list[tuple[Json, Json]]:
    """Every interactive element with its block."""
    return [(block, part) for block in blocks for _, part in typed(block, "") if part["type"] in INTERACTIVE]


def state_values(blocks: list[Json], given: Json) -> Json:
    """`{block_id: {action_id: {type, value…}}}`. `given` is in that shape, or `{action_id: value}`.

    Elements that were not given keep their initial value. Raises `Wrong` for an unknown action_id or option.
    """
    known = {part["action_id"] for _, part in elements(blocks)}
    flat, shaped = _split(blocks, given)
    unknown = flat.keys() - known
    if unknown:
        raise Wrong(f"Aucun champ ne porte l'action_id « {sorted(unknown)[0]} » ; il y a : {', '.join(sorted(known))}.")
    values: Json = {}
    for block, part in elements(blocks):
        if part["type"] in _STATELESS:
            continue
        action_id = part["action_id"]
        filled = shaped.get(block["block_id"], {}).get(action_id)
        if filled is None:
            filled = chosen(part, flat[action_id]) if action_id in flat else _initial(part)
        values.setdefault(block["block_id"], {})[action_id] = {"type": part["type"], **filled}
    return values


def chosen(element: Json, value: Any) -> Json:
    """What an element carries once `value` was typed or picked. Raises `Wrong` for an unknown option."""
    kind = element["type"]
    if kind in _ONE_OPTION:
        return {"selected_option": _option(element, value) if value is not None else None}
    if kind in _MANY_OPTIONS:
        several = value if isinstance(value, list) else [value]
        return {"selected_options": [_option(element, one) for one in several if one is not None]}
    key = _SINGLE.get(kind)
    if key is None:
        return {}
    if key == "value" and value is not None:
        return {key: str(value)}
    return {key: value}


def missing(blocks: list[Json], values: Json) -> dict[str, str]:
    """What Slack's client would refuse before asking the app, by block_id."""
    errors: dict[str, str] = {}
    for block, part in elements(blocks):
        if block["type"] != "input":
            continue
        filled = values.get(block["block_id"], {}).get(part["action_id"], {})
        content = next((item for name, item in filled.items() if name != "type"), None)
        if content in (None, "", []):
            if not block.get("optional"):
                errors[block["block_id"]] = "Ce champ est obligatoire."
        elif isinstance(content, str) and len(content) > int(part.get("max_length", 3_000)):
            errors[block["block_id"]] = f"{part.get('max_length', 3_000)} caractères au plus."
        elif isinstance(content, str) and len(content) < int(part.get("min_length", 0)):
            errors[block["block_id"]] = f"{part['min_length']} caractères au moins."
    return errors


def _split(blocks: list[Json], given: Json) -> tuple[Json, Json]:
    """What came as `{action_id: value}`, and what came in Slack's own shape."""
    block_ids = {block["block_id"] for block in blocks}
    shaped = {
        key: value
        for key, value in given.items()
        if key in block_ids and isinstance(value, dict) and all(isinstance(item, dict) for item in value.values())
    }
    return {key: value for key, value in given.items() if key not in shaped}, shaped


def _initial(element: Json) -> Json:
    kind = element["type"]
    if kind in _ONE_OPTION:
        return {"selected_option": element.get("initial_option")}
    if kind in _MANY_OPTIONS:
        return {"selected_options": element.get("initial_options", [])}
    key = _SINGLE.get(kind)
    if key is None:
        return {}
    initial = "initial_" + key.removeprefix("selected_").removeprefix("rich_text_")
    empty: Any = [] if kind.startswith("multi_") else None
    return {key: element.get(initial, empty)}


def _option(element: Json, value: Any) -> Json:
    groups = element.get("option_groups", [])
    options: list[Json] = [*element.get("options", []), *(one for group in groups for one in group.get("options", []))]
    wanted = value.get("value") if isinstance(value, dict) else value
    for option in options:
        if wanted in (option.get("value"), option.get("text", {}).get("text")):
            return option
    raise Wrong(f"« {wanted} » n'est pas une option de « {element['action_id']} ».")
