"""Which properties of a deal a proposal may change, and a value of the user's words as HubSpot stores it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from pipeline.action_types import ProposedAction, Target
from pipeline.crm_types import Deal, PropertySchema, Stage
from pipeline.ports import CrmReader
from pipeline.text.names import folded
from pipeline.text.stages import stages_meant

UPDATABLE = {
    "hs_next_step": "Prochaine étape",
    "hs_priority": "Priorité",
    "description": "Description",
    "closedate": "Date de signature prévue",
    "dealstage": "Étape du dossier",
}
"""The only properties that a proposal may change, with the labels for when HubSpot has none."""

UNSUPPORTED = {
    "amount": "changer le montant",
    "hubspot_owner_id": "changer le propriétaire du dossier",
    "dealname": "renommer le dossier",
    "pipeline": "changer le dossier de pipeline",
    "delete": "supprimer quoi que ce soit",
    "send_email": "envoyer un e-mail",
    "call": "appeler quelqu'un",
    "create_deal": "créer un dossier",
    "create_contact": "créer un contact",
    "update_contact": "modifier un contact",
    "complete_task": "clore une tâche",
    "merge": "fusionner des dossiers",
    "bulk": "modifier tous les dossiers d'un seul ordre",
}
"""What people ask for and no proposal may do, in the words that follow « je ne peux pas »."""

_SPOKEN_OPTIONS = {
    "high": ("haute", "haut", "elevee", "forte", "urgente", "urgent", "prioritaire", "maximale"),
    "medium": ("moyenne", "moyen", "normale", "normal"),
    "low": ("basse", "bas", "faible", "minimale"),
}
VALUE_LIMIT = 20_000


def cannot(names: Sequence[str]) -> str:
    """One friendly sentence for all that was asked in vain, and what may be done instead."""
    wishes = [UNSUPPORTED.get(n) or (f"modifier le champ « {n[:60]} »" if n else "faire cela") for n in names]
    listed = " ni ".join(dict.fromkeys(wishes))
    return (
        f"Je ne peux pas {listed} depuis Slack : cela se fait dans HubSpot. Je peux en garder trace dans une note ou "
        "créer une tâche pour y penser."
    )


def updated(deal: Deal, schema: PropertySchema, value: str) -> ProposedAction | str:
    """A property update with the old value as its base, or a French sentence saying why not."""
    label = schema.label or UPDATABLE.get(schema.name, schema.name)
    wanted = _accepted(schema, value)
    if wanted is None and not value.strip():
        return f"Précisez la nouvelle valeur de « {label} »{', par exemple « 15/01/2027 »' if dated(schema) else ''}."
    if wanted is None:
        known = ", ".join(schema.labels.get(option, option) for option in schema.options)
        hint = f" (valeurs possibles : {known})" if known else ""
        return f"« {' '.join(value.split())[:80]} » ne convient pas pour « {label} »{hint}."
    old = deal.properties.get(schema.name, "")
    before, after = (readable(schema, v) for v in (old, wanted))
    return _change(deal, schema.name, wanted, label=label, before=before, after=after)


@dataclass(frozen=True, slots=True)
class Change:
    """The write of a new value, or a French sentence saying why not; `remarks` on what is odd about it."""

    action: ProposedAction | str
    remarks: tuple[str, ...] = ()


async def change(deal: Deal, name: str, value: str, *, crm: CrmReader, today: date) -> Change:
    """A new value of one of the deal's properties, as HubSpot's own schema and stages take it. Raises
    `CrmUnavailable`."""
    schema = await crm.deal_property(name)
    if schema is None or name not in UPDATABLE:
        return Change(f"HubSpot ne connaît pas le champ « {UPDATABLE.get(name, name)} ».")
    if schema.read_only:
        return Change(f"HubSpot ne laisse pas modifier « {schema.label or UPDATABLE[name]} ».")
    if name == "dealstage":
        return Change(moved(deal, schema, value, stages=await crm.stages()))
    made = updated(deal, schema, value)
    if name == "closedate" and isinstance(made, ProposedAction):
        late = past_signature(deal, value, stages=await crm.stages(), today=today)
        if late:
            return Change(replace(made, summary=f"{made.summary} (attention : date passée)"), (late,))
    return Change(made)


def stages_of(deal: Deal, stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Those of the deal's own pipeline, in its order; all where it names none that is known."""
    return tuple(s for s in stages if s.pipeline == deal.properties.get("pipeline", "")) or tuple(stages)


def moved(deal: Deal, schema: PropertySchema, value: str, *, stages: Sequence[Stage]) -> ProposedAction | str:
    """A change of stage inside the deal's own pipeline, when the words mean one stage alone; else the stages."""
    label = schema.label or UPDATABLE["dealstage"]
    own = stages_of(deal, stages)
    meant = stages_meant(value, own)
    said = " ".join(value.split())[:80]
    if len(meant) != 1:
        known = ", ".join(f"« {stage.label} »" for stage in meant or own)
        which = "Plusieurs étapes correspondent" if meant else "Aucune étape ne correspond"
        return f"{which} à « {said} ». Étapes possibles : {known}. Laquelle ?"
    old = deal.properties.get("dealstage", "")
    before = next((stage.label for stage in stages if stage.id == old), old)
    return _change(deal, "dealstage", meant[0].id, label=label, before=before, after=meant[0].label)


def _change(deal: Deal, name: str, wanted: str, *, label: str, before: str, after: str) -> ProposedAction | str:
    if before == after:
        return f"« {label} » du dossier « {deal.name} » vaut déjà « {before} » : rien à changer."
    old = deal.properties.get(name, "")
    return ProposedAction(
        kind="update_property",
        target=Target(object="deal", id=deal.id, name=deal.name),
        fields={name: wanted},
        summary=f"{label} du dossier « {deal.name} » : {_quoted(before)} → {_quoted(after)}",
        base={
            "value": old,
            "label": label,
            "changed_at": deal.changed_at.get(name, ""),
            "old_label": before,
            "new_label": after,
        },
    )


def _accepted(schema: PropertySchema, value: str) -> str | None:
    """The value as HubSpot stores it, or None when it would not take it."""
    text = value.strip()
    if not text or len(text) > VALUE_LIMIT:
        return None
    if schema.options:
        spoken = {word: option for option, words in _SPOKEN_OPTIONS.items() for word in words}
        named = {folded(label): option for option, label in schema.labels.items()}
        chosen = named.get(folded(text)) or spoken.get(folded(text), text)
        return next((option for option in schema.options if option.casefold() == chosen.casefold()), None)
    if dated(schema):
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


def dated(schema: PropertySchema) -> bool:
    return schema.type in ("date", "datetime")


def past_signature(deal: Deal, value: str, *, stages: Sequence[Stage], today: date) -> str:
    """A warning beside a day of signature that lies behind an open deal; "" when there is nothing to say."""
    day = _day(value)
    closed = any(stage.closed for stage in stages if stage.id == deal.properties.get("dealstage", ""))
    if day is None or day >= today or closed:
        return ""
    return f"Attention : le {day:%d/%m/%Y} est passé, et le dossier « {deal.name} » n'est pas clos. Vérifiez la date."


def readable(schema: PropertySchema, value: str) -> str:
    """A stored value in the words of the firm."""
    day = _day(value) if dated(schema) else None
    return f"{day:%d/%m/%Y}" if day else schema.labels.get(value, value)


def _quoted(value: str) -> str:
    short = value if len(value) <= 80 else value[:80].rsplit(" ", 1)[0] + "…"
    return f"« {short} »" if short else "vide"
