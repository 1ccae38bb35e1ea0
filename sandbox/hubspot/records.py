"""One record of the pretend HubSpot: its properties, their history, and how it is shown in the API."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sandbox.hubspot.refusals import invalid_property
from sandbox.hubspot.schema import BODY_LIMIT, DEFAULT_PROPERTIES, PROPERTIES, Property


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC to the millisecond, as HubSpot writes it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class Record:
    """A contact, deal, note or task. `history` holds, for each property, its values, newest first."""

    kind: str
    id: str
    created: datetime
    updated: datetime
    properties: dict[str, str] = field(default_factory=dict)
    history: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    archived: bool = False

    def write(self, values: dict[str, str], moment: datetime, source: str) -> None:
        """Sets values and remembers the old ones; an unchanged value leaves no trace, as on HubSpot."""
        for name, value in values.items():
            if self.properties.get(name, "") == value:
                continue
            self.properties[name] = value
            entry = {"value": value, "timestamp": stamp(moment), "sourceType": source, "sourceId": "sandbox"}
            self.history.setdefault(name, []).insert(0, entry)
        self.updated = moment

    def value(self, name: str) -> str | None:
        """A property as text, with the ones that HubSpot fills in itself; None when empty."""
        if name == "hs_object_id":
            return self.id
        if name in ("createdate", "hs_createdate"):
            return stamp(self.created)
        if name in ("hs_lastmodifieddate", "lastmodifieddate"):
            return stamp(self.updated)
        return self.properties.get(name) or None

    def as_json(self, wanted: Iterable[str] = (), with_history: Iterable[str] = ()) -> dict[str, Any]:
        """The v3 shape. Unknown property names are left out in silence, as HubSpot does on reads."""
        known = PROPERTIES[self.kind]
        history = [n for n in with_history if n in known]
        names = [*DEFAULT_PROPERTIES[self.kind], *(n for n in wanted if n in known), *history]
        shown: dict[str, Any] = {
            "id": self.id,
            "properties": {n: self.value(n) for n in dict.fromkeys(names)},
            "createdAt": stamp(self.created),
            "updatedAt": stamp(self.updated),
            "archived": self.archived,
        }
        if history:
            shown["propertiesWithHistory"] = {n: self.history.get(n, []) for n in history}
        return shown

    def everything(self) -> dict[str, Any]:
        return self.as_json(self.properties)


def checked(kind: str, properties: object) -> dict[str, str]:
    """Properties as HubSpot would store them. Raises Refusal (400) for a non-string, unknown or wrong value."""
    if not isinstance(properties, dict) or not properties:
        raise invalid_property("properties", "INVALID_JSON", "properties must be a non-empty object")
    known = PROPERTIES[kind]
    stored: dict[str, str] = {}
    for name, value in properties.items():
        if name not in known:
            raise invalid_property(name, "PROPERTY_DOESNT_EXIST", f'Property "{name}" does not exist')
        if not isinstance(value, str):
            raise invalid_property(name, "INVALID_STRING", f"{value!r} is not a string")
        if known[name].read_only:
            raise invalid_property(
                name, "READ_ONLY_VALUE", f'"{name}" is a read only property; its value cannot be set'
            )
        stored[name] = _normal(known[name], value)
    return stored


def _normal(rule: Property, value: str) -> str:
    if value == "":
        return value
    if len(value) > BODY_LIMIT:
        raise invalid_property(rule.name, "INVALID_LENGTH", f"{rule.name} exceeds the limit of {BODY_LIMIT} characters")
    if rule.type == "number":
        return _number(rule.name, value)
    if rule.type == "datetime":
        return _moment(rule.name, value)
    if rule.options and value not in {v for v, _ in rule.options}:
        allowed = ", ".join(v for v, _ in rule.options)
        raise invalid_property(rule.name, "INVALID_OPTION", f"{value} was not one of the allowed options: [{allowed}]")
    return value


def _number(name: str, value: str) -> str:
    try:
        float(value)
    except ValueError:
        raise invalid_property(name, "INVALID_DOUBLE", f"{value} was not a valid number.") from None
    return value


def _moment(name: str, value: str) -> str:
    """HubSpot takes epoch milliseconds or ISO 8601 and gives ISO back."""
    try:
        if value.isdigit():
            return stamp(datetime.fromtimestamp(int(value) / 1000, UTC))
        parsed = datetime.fromisoformat(value)
        return stamp(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError):
        raise invalid_property(name, "INVALID_DATE", f"{value} was not a valid long.") from None
