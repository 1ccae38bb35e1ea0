"""Which properties of a deal a proposal may change, and a value of the user's words as HubSpot stores it."""

import re
from datetime import date, datetime

from pipeline.types import Deal, PropertySchema, ProposedAction, Target

UPDATABLE = {
    "hs_next_step": "Prochaine étape",
    "hs_priority": "Priorité",
    "description": "Description",
    "closedate": "Date de signature prévue",
}
"""The only properties that a proposal may change, with the labels for when HubSpot has none."""

_SPOKEN_OPTIONS = {
    "high": ("haute", "élevée", "elevee", "forte", "urgente", "prioritaire"),
    "medium": ("moyenne", "normale"),
    "low": ("basse", "faible"),
}
VALUE_LIMIT = 20_000


def updated(deal: Deal, schema: PropertySchema, value: str) -> ProposedAction | str:
    """A property update with the old value as its base, or a French sentence saying why not."""
    label = schema.label or UPDATABLE.get(schema.name, schema.name)
    wanted = _accepted(schema, value)
    if wanted is None:
        known = ", ".join(schema.labels.get(option, option) for option in schema.options)
        hint = f" (valeurs possibles : {known})" if known else ""
        return f"« {' '.join(value.split())[:80]} » ne convient pas pour « {label} »{hint}."
    old = deal.properties.get(schema.name, "")
    if _readable(schema, old) == _readable(schema, wanted):
        return f"« {label} » vaut déjà « {_readable(schema, old)} » : rien à changer."
    before, after = (_readable(schema, v) for v in (old, wanted))
    return ProposedAction(
        kind="update_property",
        target=Target(object="deal", id=deal.id, name=deal.name),
        fields={schema.name: wanted},
        summary=f"{label} du dossier « {deal.name} » : {_quoted(before)} → {_quoted(after)}",
        base={"value": old, "label": label, "changed_at": deal.changed_at.get(schema.name, "")},
    )


def _accepted(schema: PropertySchema, value: str) -> str | None:
    """The value as HubSpot stores it, or None when it would not take it."""
    text = value.strip()
    if not text or len(text) > VALUE_LIMIT:
        return None
    if schema.options:
        spoken = {word: option for option, words in _SPOKEN_OPTIONS.items() for word in words}
        named = {label.casefold(): option for option, label in schema.labels.items()}
        chosen = named.get(text.casefold()) or spoken.get(text.casefold(), text)
        return next((option for option in schema.options if option.casefold() == chosen.casefold()), None)
    if schema.type in ("date", "datetime"):
        day = _day(text)
        return None if day is None else f"{day.isoformat()}T00:00:00Z"
    if schema.type == "number":
        return text if re.fullmatch(r"-?\d+(\.\d+)?", text) else None
    return text if schema.name == "description" else " ".join(text.split())


def _day(text: str) -> date | None:
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"):
        try:
            return datetime.strptime(text[:10], form).date()
        except ValueError:
            continue
    return None


def _readable(schema: PropertySchema, value: str) -> str:
    day = _day(value) if schema.type in ("date", "datetime") else None
    return f"{day:%d/%m/%Y}" if day else schema.labels.get(value, value)


def _quoted(value: str) -> str:
    short = value if len(value) <= 80 else value[:80].rsplit(" ", 1)[0] + "…"
    return f"« {short} »" if short else "vide"
