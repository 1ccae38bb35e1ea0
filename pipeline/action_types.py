"""The values of CRM writes: what was asked for, what is proposed. Holding one performs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

ActionKind = Literal["create_note", "create_task", "update_property"]
RequestKind = ActionKind | Literal["unsupported"]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """A CRM write that the user asked for in so many words. `body` is the user's own text, if any was given;
    `property`/`value` for update_property (`value` of a task: its hour); `due` for create_task, a day. `deal_id`/
    `deal_name`: its own deal; `refers`: « note ça », the body is the last answer or result.
    `unsupported`: `property` says what (`delete`, `send_email`…, see `pipeline.proposing.properties.UNSUPPORTED`)."""

    kind: RequestKind
    body: str = ""
    property: str = ""
    value: str = ""
    due: date | None = None
    deal_id: str | None = None
    deal_name: str | None = None
    refers: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """The CRM record a write is about."""

    object: Literal["deal", "contact"]
    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ProposedAction:
    """A write that somebody may approve. Holding one performs nothing. `fields` are HubSpot property names;
    `base` holds what the record said when it was proposed (old value and last history timestamp); `sources`: title and
    address of what its text rests on, where it takes over an answer."""

    kind: ActionKind
    target: Target
    fields: Mapping[str, str]
    summary: str
    base: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[tuple[str, str], ...] = ()
