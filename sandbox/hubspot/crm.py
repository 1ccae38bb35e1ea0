"""The state of the pretend HubSpot: records, associations, owners, faults; strict where HubSpot is strict."""

import time
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.hubspot import seeds
from sandbox.hubspot.faults import Fault, parse
from sandbox.hubspot.records import Record, checked
from sandbox.hubspot.refusals import conflict, invalid, invalid_property, not_found
from sandbox.hubspot.schema import (
    ASSOCIATION_TYPES,
    ENGAGEMENTS,
    OBJECT_TYPES,
    PORTAL_ID,
    PROPERTIES,
    REQUIRED_AT_CREATION,
    SINGULAR,
    TOKEN,
    Property,
)

PARIS = ZoneInfo("Europe/Paris")
NO_PROPERTY = Property("", "")
Link = tuple[tuple[str, str], tuple[str, str]]


class Crm:
    """Everything one portal holds. Methods raise `Refusal` with HubSpot's own status and category.

    `token` is the only access token taken; `search_lag` is how many seconds a new record stays invisible to
    search, as HubSpot's index does; `fault` is set through `set_faults`; the seed's closing days, notes and tasks
    lie around `today`, in Paris unless given.
    """

    def __init__(self, *, token: str = TOKEN, search_lag: float = 2.0, today: date | None = None) -> None:
        self.token = token
        self.portal_id = PORTAL_ID
        self.search_lag = search_lag
        self.today = today
        # Ids start at the clock so that a receipt kept from an earlier run never names a newer record.
        self._next_id = int(time.time())
        self._last = datetime.fromtimestamp(0, UTC)
        self.reset()

    def reset(self) -> None:
        """Back to the seed; faults off. Ids go on counting."""
        self.fault = Fault()
        self.retired: set[tuple[str, str]] = set()
        self.owners: list[dict[str, Any]] = seeds.owners()
        self.links: list[Link] = []
        self.records: dict[str, dict[str, Record]] = {kind: {} for kind in OBJECT_TYPES}
        for kind, id_, created, properties, linked in seeds.records(self.today or datetime.now(PARIS).date()):
            record = Record(kind, id_, created, created)
            record.write(checked(kind, properties), created, "CRM_UI")
            self.records[kind][id_] = record
            self._link_all(record, linked)

    def _link_all(self, record: Record, targets: Iterable[tuple[str, str]]) -> None:
        """A note or task is activity of its deal: HubSpot then counts the deal as changed."""
        for kind, key in targets:
            self.link((record.kind, record.id), (kind, key))
            other = self.records[kind][key]
            if record.kind in ENGAGEMENTS and kind == "deals":
                other.updated = max(other.updated, record.created)

    def set_faults(self, value: Mapping[str, Any] | None) -> None:
        """`{"mode": one of `faults.MODES`, "count": n, "on": "write"?}`; None clears."""
        self.fault = parse(value)

    def retire(self, kind: str, name: str, value: str) -> None:
        """An administrator takes an option away: records keep it, nobody can choose it any more."""
        if value not in {option for option, _ in PROPERTIES.get(kind, {}).get(name, NO_PROPERTY).options}:
            raise ValueError(f"« {value} » n'est pas une option de {kind}.{name}")
        self.retired.add((f"{kind}.{name}", value))

    def property_json(self, kind: str, name: str) -> dict[str, Any] | None:
        """A property as HubSpot shows it, with the options that are left; None for one that there is not."""
        found = PROPERTIES[kind].get(name)
        if found is None:
            return None
        shown = found.as_json()
        return shown | {"options": [o for o in shown["options"] if (f"{kind}.{name}", o["value"]) not in self.retired]}

    def checked(self, kind: str, properties: object) -> dict[str, str]:
        """As `records.checked`, without the options that are gone."""
        values = checked(kind, properties)
        for name, value in values.items():
            if (f"{kind}.{name}", value) in self.retired:
                raise invalid_property(name, "INVALID_OPTION", f"{value} was not one of the allowed options")
        return values

    def moment(self) -> datetime:
        """Now, always later than the last moment given: history must have an order."""
        self._last = max(datetime.now(UTC), self._last + timedelta(milliseconds=1))
        return self._last

    def get(self, kind: str, key: str, *, id_property: str | None = None) -> Record:
        if kind not in self.records:
            raise invalid(f"Unable to infer object type from: {kind}")
        if id_property and id_property != "hs_object_id":
            return self._by_unique(kind, key, id_property)
        record = self.records[kind].get(key)
        if record is None or record.archived:
            raise not_found(f"Object not found.  objectId are usually numeric. ({SINGULAR[kind]} {key})")
        return record

    def _by_unique(self, kind: str, key: str, id_property: str) -> Record:
        if (kind, id_property) != ("contacts", "email"):
            raise invalid(f"{id_property} is not a unique property of {kind}")
        for record in self.records[kind].values():
            if not record.archived and record.properties.get("email", "").lower() == key.lower():
                return record
        raise not_found("resource not found")

    def create(self, kind: str, properties: object, associations: object) -> Record:
        if kind not in self.records:
            raise invalid(f"Unable to infer object type from: {kind}")
        values = self.checked(kind, properties)
        if kind == "contacts":
            self._new_email(values.get("email"))
        for name in REQUIRED_AT_CREATION.get(kind, ()):
            if not values.get(name):
                raise invalid(f"Error creating {SINGULAR[kind].upper()}. Some required properties were not set: {name}")
        targets = self._targets(kind, associations)
        now = self.moment()
        self._next_id += 1
        record = Record(kind, str(self._next_id), now, now)
        record.write(values, now, "INTEGRATION")
        self.records[kind][record.id] = record
        self._link_all(record, targets)
        return record

    def _new_email(self, email: str | None, *, of: str = "") -> None:
        """A contact's address is unique in the portal, in any case of letters."""
        for record in self.live("contacts"):
            if email and record.id != of and record.properties.get("email", "").lower() == email.lower():
                raise conflict(f"Contact already exists. Existing ID: {record.id}")

    def _targets(self, kind: str, associations: object) -> list[tuple[str, str]]:
        """Checks the whole list before anything is written: a bad association must leave no record behind."""
        if associations is None and kind in REQUIRED_AT_CREATION:
            raise invalid("associations is required (it may be an empty list)")
        if not isinstance(associations, list | None):
            raise invalid("associations must be a list")
        targets: list[tuple[str, str]] = []
        for entry in associations or []:
            try:
                to, types = (
                    str(entry["to"]["id"]),
                    [(t["associationCategory"], t["associationTypeId"]) for t in entry["types"]],
                )
            except (KeyError, TypeError):
                raise invalid(
                    "each association needs to.id and types[].associationCategory/associationTypeId"
                ) from None
            targets.extend(self._target(kind, to, category, number) for category, number in types)
        return targets

    def _target(self, kind: str, to: str, category: object, number: object) -> tuple[str, str]:
        for (source, target), type_id in ASSOCIATION_TYPES.items():
            if source == kind and type_id == number and category == "HUBSPOT_DEFINED":
                return target, self.get(target, to).id
        raise invalid(f"{category} association type {number} does not start from {kind}")

    def update(self, kind: str, key: str, properties: object, *, source: str = "INTEGRATION") -> Record:
        """`source` CRM_UI is a person at work in HubSpot itself."""
        record, values = self.get(kind, key), self.checked(kind, properties)
        if kind == "contacts":
            self._new_email(values.get("email"), of=record.id)
        record.write(values, self.moment(), source)
        return record

    def archive(self, kind: str, key: str) -> None:
        """Archiving what is archived already is no error on HubSpot."""
        if kind not in self.records:
            raise invalid(f"Unable to infer object type from: {kind}")
        record = self.records[kind].get(key)
        if record is not None and not record.archived:
            record.archived = True
            record.updated = self.moment()

    def link(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        if (one[0], other[0]) not in ASSOCIATION_TYPES:
            raise invalid(f"no association between {one[0]} and {other[0]}")
        if (one, other) not in self.links:
            self.links += [(one, other), (other, one)]

    def linked(self, kind: str, key: str, other: str) -> list[Record]:
        """The live records of type `other` that are associated with this one, oldest link first."""
        found = [b for a, b in self.links if a == (kind, key) and b[0] == other]
        records = [self.records[k][i] for k, i in found if i in self.records[k]]
        return [r for r in records if not r.archived]

    def live(self, kind: str) -> Iterable[Record]:
        return (r for r in self.records[kind].values() if not r.archived)

    def snapshot(self) -> dict[str, list[dict[str, Any]]]:
        """What the page shows: every live record with its properties and its deals' and contacts' ids. Without the
        moment of the last change, which would make a deal look edited when a note was only added to it."""
        shown: dict[str, list[dict[str, Any]]] = {"owners": self.owners}
        for kind in OBJECT_TYPES:
            shown[kind] = [self._whole(r) for r in self.live(kind)]
        return shown

    def _whole(self, record: Record) -> dict[str, Any]:
        whole = record.as_json(PROPERTIES[record.kind])
        kept = {name: value for name, value in whole["properties"].items() if not name.endswith("lastmodifieddate")}
        return {**whole, "properties": kept, "associations": self._association_ids(record)}

    def _association_ids(self, record: Record) -> dict[str, list[str]]:
        return {k: [o.id for o in self.linked(record.kind, record.id, k)] for k in ("deals", "contacts")}
