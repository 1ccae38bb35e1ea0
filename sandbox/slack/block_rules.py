"""Slack's Block Kit rules as tables. Paths are walked from the object of the given `type`; `*` is every item.

Sources: the block and element pages of docs.slack.dev, and the sizes that slack_sdk.models checks.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many characters (of a text) or items (of a list)."""

    type: str
    path: str
    at_most: int


LIMITS = (
    # blocks
    Limit("section", "text/text", 3_000),
    Limit("section", "fields", 10),
    Limit("section", "fields/*/text", 2_000),
    Limit("header", "text/text", 150),
    Limit("markdown", "text", 12_000),
    Limit("context", "elements", 10),
    Limit("context", "elements/*/text", 3_000),
    Limit("actions", "elements", 25),
    Limit("context_actions", "elements", 5),
    Limit("image", "image_url", 3_000),
    Limit("image", "alt_text", 2_000),
    Limit("image", "title/text", 2_000),
    Limit("input", "label/text", 2_000),
    Limit("input", "hint/text", 2_000),
    Limit("table", "rows", 100),
    Limit("table", "rows/*", 20),
    Limit("table", "column_settings", 20),
    # elements
    Limit("button", "text/text", 75),
    Limit("button", "value", 2_000),
    Limit("button", "url", 3_000),
    Limit("button", "accessibility_label", 75),
    Limit("overflow", "options", 5),
    Limit("checkboxes", "options", 10),
    Limit("radio_buttons", "options", 10),
    Limit("static_select", "options", 100),
    Limit("multi_static_select", "options", 100),
)

# These hold for every block or element that has the path.
EVERYWHERE = (
    ("block_id", 255),
    ("action_id", 255),
    ("placeholder/text", 150),
    ("options/*/text/text", 75),
    ("options/*/value", 150),
    ("options/*/description/text", 75),
    ("confirm/title/text", 100),
    ("confirm/text/text", 300),
    ("confirm/confirm/text", 30),
    ("confirm/deny/text", 30),
)

# A text object that is there must not be empty.
NEVER_EMPTY = ("text/text", "fields/*/text", "label/text", "title/text", "options/*/text/text")

# One of each group must be there.
REQUIRED: dict[str, tuple[tuple[str, ...], ...]] = {
    "section": (("text", "fields"),),
    "header": (("text",),),
    "markdown": (("text",),),
    "context": (("elements",),),
    "actions": (("elements",),),
    "context_actions": (("elements",),),
    "rich_text": (("elements",),),
    "image": (("image_url", "slack_file"), ("alt_text",)),
    "input": (("label",), ("element",)),
    "table": (("rows",),),
    "button": (("text",),),
    "static_select": (("options", "option_groups"),),
    "multi_static_select": (("options", "option_groups"),),
    "checkboxes": (("options",),),
    "radio_buttons": (("options",),),
    "overflow": (("options",),),
    "feedback_buttons": (("positive_button",), ("negative_button",)),
}

# Where mrkdwn is refused.
PLAIN_TEXT_ONLY = (
    ("header", "text"),
    ("button", "text"),
    ("input", "label"),
    ("input", "hint"),
    ("image", "title"),
)

_EVERY_SURFACE = {"section", "header", "divider", "image", "context", "actions", "rich_text", "input", "video", "alert"}
_MESSAGE_ONLY = {
    "markdown", "table", "data_table", "context_actions", "file", "task_card", "plan", "card", "carousel",
}  # fmt: skip
BLOCKS_OF: dict[str, frozenset[str]] = {
    "message": frozenset(_EVERY_SURFACE | _MESSAGE_ONLY),
    "modal": frozenset(_EVERY_SURFACE),
    "home": frozenset(_EVERY_SURFACE),
}
MAX_BLOCKS = {"message": 50, "modal": 100, "home": 100}

_SELECTS = {
    f"{many}{source}_select"
    for many in ("", "multi_")
    for source in ("static", "external", "users", "conversations", "channels")
}
_PICKERS = _SELECTS | {"checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker"}
_TYPED = {"plain_text_input", "number_input", "email_text_input", "url_text_input", "rich_text_input", "file_input"}
ELEMENTS_OF: dict[tuple[str, str], frozenset[str]] = {
    ("section", "accessory"): frozenset(_PICKERS | {"button", "image", "overflow", "workflow_button"}),
    ("actions", "elements/*"): frozenset(_PICKERS | {"button", "overflow", "workflow_button"}),
    ("context", "elements/*"): frozenset({"image", "mrkdwn", "plain_text"}),
    ("context_actions", "elements/*"): frozenset({"feedback_buttons", "icon_button"}),
    ("input", "element"): frozenset(_PICKERS | _TYPED),
    ("section", "text"): frozenset({"mrkdwn", "plain_text"}),
    ("section", "fields/*"): frozenset({"mrkdwn", "plain_text"}),
    ("table", "rows/*/*"): frozenset({"raw_text", "rich_text"}),
}

# Elements that are clicked or filled in: each has an action_id, Slack gives one where it is missing.
INTERACTIVE = frozenset(_PICKERS | _TYPED | {"button", "overflow", "feedback_buttons", "icon_button"})
