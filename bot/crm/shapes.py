"""HubSpot's shapes -> our values; pure functions."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bot.crm.plain import plain, visible
from pipeline.crm_types import Contact, Deal, DealChoice, Note, PropertySchema, Task

NOTE_LENGTH = 600


def associated(found: Any, kind: str) -> list[str]:
    linked = (found.associations or {}).get(kind)
    return list(dict.fromkeys(str(r.id) for r in linked.results)) if linked is not None else []


def deal_of(found: Any, *, owner: str = "", stage: str = "", url: str = "") -> Deal:
    values = {k: v for k, v in found.properties.items() if v}
    history = found.properties_with_history or {}
    return Deal(
        id=str(found.id),
        name=visible(values.get("dealname", "")),
        stage=stage,
        amount=values.get("amount", ""),
        owner=owner,
        url=url,
        properties=values,
        updated_at=in_utc(found.updated_at),
        changed_at={n: newest(h) for n, h in history.items() if h},
    )


def contact_of(found: Any, *, deals: tuple[DealChoice, ...] = ()) -> Contact:
    values = {name: visible(value) for name, value in found.properties.items() if value}
    return Contact(
        id=str(found.id),
        name=person_name(found),
        email=values.get("email", ""),
        phone=values.get("phone", ""),
        city=values.get("city", ""),
        job=values.get("jobtitle", ""),
        deals=deals,
    )


def person_name(found: Any) -> str:
    """First and last name; the address of somebody who has neither."""
    values = found.properties
    name = " ".join(filter(None, (values.get("firstname"), values.get("lastname"))))
    return visible(name or values.get("email") or "")


def task_of(found: Any, *, owner: str = "", deals: tuple[DealChoice, ...] = ()) -> Task:
    values = found.properties
    subject = " ".join(visible(values.get("hs_task_subject") or "").split())
    return Task(
        id=str(found.id), subject=subject, due=instant(values.get("hs_timestamp") or ""), owner=owner, deals=deals
    )


def note_of(found: Any) -> Note:
    values = found.properties
    return Note(text=cut(plain(values.get("hs_note_body") or "")), at=instant(values.get("hs_timestamp") or ""))


def choice_of(found: Any) -> DealChoice:
    return DealChoice(deal_id=str(found.id), label=visible(found.properties.get("dealname") or ""))


def newest(history: list[Any]) -> str:
    """The last moment of a property's history, ISO 8601; HubSpot gives newest first but does not promise it."""
    return max((in_utc(h.timestamp).isoformat() for h in history if isinstance(h.timestamp, datetime)), default="")


def in_utc(moment: datetime) -> datetime:
    """The SDK gives moments in the machine's zone."""
    return moment.astimezone(UTC)


def note_line(properties: Mapping[str, str | None]) -> str:
    day = (properties.get("hs_timestamp") or "")[:10]
    shown = cut(plain(properties.get("hs_note_body") or ""))
    return f"{'/'.join(reversed(day.split('-')))} : {shown}" if day else shown


def cut(text: str) -> str:
    """A note's beginning, to a whole word."""
    return text if len(text) <= NOTE_LENGTH else text[:NOTE_LENGTH].rsplit(" ", 1)[0] + "…"


def schema_of(raw: Mapping[str, Any]) -> PropertySchema:
    metadata = raw.get("modificationMetadata") or {}
    # The SDK's model has no dataSensitivity: what HubSpot calls sensitive is never written from a chat.
    sensitive = raw.get("dataSensitivity") not in (None, "", "non_sensitive")
    locked = bool(metadata.get("readOnlyValue") or raw.get("calculated") or raw.get("archived") or sensitive)
    options = [o for o in raw.get("options") or () if not o.get("hidden")]
    return PropertySchema(
        name=str(raw.get("name", "")),
        label=str(raw.get("label", "")),
        type=str(raw.get("type", "")),
        options=tuple(str(o["value"]) for o in options),
        read_only=locked,
        labels={str(o["value"]): str(o.get("label") or o["value"]) for o in options},
    )


def same_value(one: str, other: str) -> bool:
    """Equal as HubSpot means it: it gives dates back in a form of its own."""
    return one == other or (instant(one) is not None and instant(one) == instant(other))


def instant(value: str) -> datetime | None:
    """A moment of HubSpot's in ISO 8601, a bare day as its midnight in UTC; None for anything else."""
    if not re.match(r"\d{4}-\d{2}-\d{2}", value):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
