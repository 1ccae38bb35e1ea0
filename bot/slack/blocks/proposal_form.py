"""The modals of a proposal: its fields as typed inputs, why it was rejected, and what was filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from slack_sdk.models.blocks import (
    Block,
    ContextBlock,
    DatePickerElement,
    InputBlock,
    MarkdownTextObject,
    NumberInputElement,
    Option,
    PlainTextInputElement,
    SectionBlock,
    StaticSelectElement,
    TimePickerElement,
)
from slack_sdk.models.blocks.block_elements import InputInteractiveElement
from slack_sdk.models.views import View

from bot.slack.blocks.text import escape, verbatim

EDIT_FORM, REASON_FORM = "proposal_edit_form", "proposal_reason_form"
EDIT_TITLE, REASON_TITLE = "Modifier la proposition", "Motif du rejet"
READING = "Je lis la fiche dans HubSpot…"
AGAIN = "Enregistrer fait une nouvelle version sur la même carte : rien n'est écrit dans HubSpot avant sa validation."
CHOSEN, SAID = "chosen", "said"
REASONS: Final = (
    "Pas le bon dossier ou contact",
    "Texte ou valeur à revoir",
    "Déjà fait",
    "Plus d'actualité",
    "À ne pas garder dans HubSpot",
)
REASON_LIMIT, LABEL_LIMIT = 300, 75
PIECE: Final = 3_000
"""Characters that one input takes."""


@dataclass(frozen=True, slots=True)
class Field:
    """One input. `value`: what stands in it: text, ISO day, `HH:MM`, or the value of one of `options`, each with its
    label."""

    name: str
    label: str
    kind: Literal["line", "text", "date", "time", "number", "choice"]
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    limit: int = PIECE
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """`said`: what to know before changing anything, also why there is nothing to fill in."""

    fields: tuple[Field, ...] = ()
    said: str = ""


def edit_view(proposal_id: str, form: Form) -> dict[str, Any]:
    """The form, or the sentence that stands in its place."""
    said = [ContextBlock(elements=[MarkdownTextObject(text=escape(form.said)[:2_900])])] if form.said else []
    again = [ContextBlock(elements=[MarkdownTextObject(text=AGAIN)])] if form.fields else []
    blocks: list[Block] = [*said, *(_input(field) for field in form.fields), *again]
    return _view(EDIT_FORM, EDIT_TITLE, proposal_id, blocks, submit="Enregistrer" if form.fields else None)


def reading_hubspot(proposal_id: str) -> dict[str, Any]:
    """What stands there while HubSpot is read: Slack opens a modal within three seconds or not at all."""
    return _view(EDIT_FORM, EDIT_TITLE, proposal_id, [SectionBlock(text=READING)], submit=None)


def reason_view(proposal_id: str) -> dict[str, Any]:
    chosen = StaticSelectElement(
        action_id=CHOSEN, placeholder="Choisir", options=[Option(value=str(n), text=r) for n, r in enumerate(REASONS)]
    )
    said = PlainTextInputElement(action_id=SAID, max_length=REASON_LIMIT, multiline=True)
    blocks: list[Block] = [
        InputBlock(block_id=CHOSEN, label="Motif", element=chosen, optional=True),
        InputBlock(block_id=SAID, label="Précision", element=said, optional=True),
    ]
    return _view(REASON_FORM, REASON_TITLE, proposal_id, blocks, submit="Enregistrer")


def reason_in(values: Mapping[str, str]) -> str:
    """One line out of both fields; empty where nothing was filled in."""
    chosen, said = values.get(CHOSEN, ""), " ".join(values.get(SAID, "").split())
    known = REASONS[int(chosen)] if chosen.isdecimal() and int(chosen) < len(REASONS) else ""
    return " : ".join(filter(None, (known, said)))


def values_of(view: Mapping[str, Any]) -> dict[str, str]:
    """What stands in each input, by its name; an input that was left empty stands as an empty text."""
    found: dict[str, str] = {}
    for block, actions in ((view.get("state") or {}).get("values") or {}).items():
        held = actions.get(block) or {}
        option = held.get("selected_option") or {}
        one = held.get("value") or held.get("selected_date") or held.get("selected_time") or option.get("value")
        found[block] = str(one or "")
    return found


def _input(field: Field) -> InputBlock:
    return InputBlock(
        block_id=field.name,
        label=field.label[:2_000],
        element=_element(field),
        optional=field.optional,
        hint=field.hint,
    )


def _element(field: Field) -> InputInteractiveElement:
    start = field.value or None
    match field.kind:
        case "date":
            return DatePickerElement(action_id=field.name, initial_date=start)
        case "time":
            return TimePickerElement(action_id=field.name, initial_time=start)
        case "number":
            return NumberInputElement(action_id=field.name, initial_value=start, is_decimal_allowed=True)
        case "choice":
            options = [Option(value=value, text=label[:LABEL_LIMIT]) for value, label in field.options]
            chosen = next((option for option in options if option.value == field.value), None)
            return StaticSelectElement(action_id=field.name, options=options, initial_option=chosen)
        case _:
            return PlainTextInputElement(
                action_id=field.name, initial_value=start, multiline=field.kind == "text", max_length=field.limit
            )


def _view(callback: str, title: str, proposal_id: str, blocks: list[Block], *, submit: str | None) -> dict[str, Any]:
    view = View(
        type="modal",
        callback_id=callback,
        title=title,
        submit=submit,
        close="Fermer",
        private_metadata=proposal_id,
        blocks=verbatim(block.to_dict() for block in blocks),
    )
    return dict(view.to_dict())
