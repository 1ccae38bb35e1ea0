"""What can be changed in a proposal, field by field, with what HubSpot itself offers for each; and back again."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from bot.proposals.lifecycle import action_from_json
from bot.slack.blocks.proposal_form import PIECE, Field, Form
from pipeline.action_types import ProposedAction
from pipeline.crm_types import PropertySchema
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.proposing.properties import UPDATABLE, dated, readable, stages_of
from pipeline.proposing.proposed_actions import SUBJECT_LIMIT
from pipeline.proposing.revising import AT, BODY, DETAIL, DUE, OWNER, PRIORITY, SUBJECT, VALUE, priority_schema
from pipeline.understanding.dates import PARIS

MOST_OPTIONS: Final = 100


async def form_of(stored: Mapping[str, Any], *, crm: CrmReader | None, seconds: float) -> Form:
    """The form of a stored action; a note or a task can be changed while HubSpot is away, a field of a deal cannot."""
    action = action_from_json(stored)
    if action.kind == "create_note":
        return Form(_pieces(BODY, "Contenu de la note", action.fields.get(BODY, "")))
    if action.kind == "create_task":
        try:
            async with asyncio.timeout(seconds):
                return Form((*_task(action), *(await _from_schema(action, crm) if crm is not None else ())))
        except (CrmUnavailable, TimeoutError):
            return Form(_task(action), "HubSpot ne répond pas : la priorité et le responsable restent comme proposés.")
    if crm is None:
        return Form(said="HubSpot n'est pas connecté.")
    try:
        async with asyncio.timeout(seconds):
            return await _update(action, crm)
    except CrmUnavailable as error:
        return Form(said=f"{error} : réessayez dans un instant.")
    except TimeoutError:
        return Form(said="HubSpot ne répond pas assez vite : réessayez dans un instant.")


def filled(values: Mapping[str, str]) -> dict[str, str]:
    """What stands in the fields, the pieces of a long text put together."""
    whole: dict[str, str] = {}
    for name in sorted(values, key=_place):
        value, first = values[name], name.partition(".")[0]
        whole[first] = f"{whole[first]}\n{value}" if first in whole and value else whole.get(first, "") or value
    return whole


def _place(name: str) -> tuple[str, int]:
    first, _, number = name.partition(".")
    return first, int(number) if number.isdecimal() else 0


def _pieces(name: str, label: str, text: str) -> tuple[Field, ...]:
    """A long text in as many fields as it takes, cut between lines."""
    pieces = cut(text)
    if len(pieces) == 1:
        return (Field(name, label, "text", pieces[0]),)
    return tuple(
        Field(f"{name}.{n}", f"{label} ({n + 1} sur {len(pieces)})", "text", piece, optional=n > 0)
        for n, piece in enumerate(pieces)
    )


def cut(text: str) -> list[str]:
    """Pieces that a field takes, joined by line breaks again."""
    pieces, rest = [], text
    while len(rest) > PIECE:
        at = rest.rfind("\n", 1, PIECE)
        at = at if at > 0 else rest.rfind(" ", 1, PIECE)
        at = at if at > 0 else PIECE - 1
        pieces.append(rest[:at])
        rest = rest[at:].removeprefix("\n").removeprefix(" ")
    return [*pieces, rest]


def _task(action: ProposedAction) -> tuple[Field, ...]:
    due = datetime.fromisoformat(action.fields["hs_timestamp"].replace("Z", "+00:00")).astimezone(PARIS)
    return (
        Field(SUBJECT, "Objet", "line", action.fields.get(SUBJECT, ""), limit=SUBJECT_LIMIT),
        Field(DUE, "Échéance", "date", due.date().isoformat()),
        Field(AT, "Heure, à Paris", "time", f"{due:%H:%M}"),
        *(
            Field(field.name, field.label, "text", field.value, optional=True)
            for field in _pieces(DETAIL, "Détail", action.fields.get(DETAIL, ""))
        ),
    )


async def _from_schema(action: ProposedAction, crm: CrmReader) -> tuple[Field, ...]:
    """Priority and owner, as far as HubSpot has them."""
    priorities, owners = await asyncio.gather(priority_schema(crm), crm.owners())
    held = action.fields.get
    fields = []
    if priorities is not None and priorities.options:
        named = [(option, priorities.labels.get(option, option)) for option in priorities.options]
        fields.append(_choice(PRIORITY, "Priorité", held(PRIORITY, ""), named))
    if people := [(owner.id, owner.name) for owner in owners if owner.name]:
        fields.append(_choice(OWNER, "Responsable", held(OWNER, ""), people))
    return tuple(fields)


def _choice(name: str, label: str, value: str, options: Sequence[tuple[str, str]]) -> Field:
    """What was proposed is among the options, whatever HubSpot has by now: left alone, it stays."""
    named = dict(options)
    kept = [(value, named.get(value, "Comme proposé"))] if value else []
    others = [option for option in options if option[0] != value]
    return Field(name, label, "choice", value, options=tuple([*kept, *others][:MOST_OPTIONS]), optional=True)


async def _update(action: ProposedAction, crm: CrmReader) -> Form:
    name, value = next(iter(action.fields.items()))
    deal, schema = await asyncio.gather(crm.deal(action.target.id), crm.deal_property(name))
    if deal is None:
        return Form(said=f"Le dossier « {action.target.name} » n'existe plus dans HubSpot : rien à modifier.")
    if schema is None or schema.read_only:
        return Form(said=f"HubSpot ne laisse plus modifier « {UPDATABLE.get(name, name)} ».")
    now = deal.properties.get(name, "")
    fields: tuple[Field, ...]
    if name == "dealstage":
        labels = {stage.id: stage.label for stage in stages_of(deal, await crm.stages())}
        if not labels:
            return Form(said="HubSpot ne donne aucune étape pour ce dossier : réessayez dans un instant.")
        fields, shown = (_one_of(schema.label, value, tuple(labels.items())),), labels.get(now, now)
    else:
        fields, shown = _fields(schema, value), readable(schema, now)
    return Form(fields, f"Aujourd'hui dans HubSpot : {_short(shown) if shown else 'vide'}")


def _fields(schema: PropertySchema, value: str) -> tuple[Field, ...]:
    label = schema.label or UPDATABLE.get(schema.name, schema.name)
    if schema.options:
        return (_one_of(label, value, tuple((one, schema.labels.get(one, one)) for one in schema.options)),)
    if dated(schema):
        return (Field(VALUE, label, "date", value[:10]),)
    if schema.type == "number":
        return (Field(VALUE, label, "number", value),)
    if schema.name == "description" or len(value) > PIECE:
        return _pieces(VALUE, label, value)
    return (Field(VALUE, label, "line", value),)


def _one_of(label: str, value: str, options: tuple[tuple[str, str], ...]) -> Field:
    """One that HubSpot takes today: a value that it dropped is not among them."""
    known = [option for option in options if option[0] == value]
    others = [option for option in options if option[0] != value]
    shown = options if len(options) <= MOST_OPTIONS else tuple([*known, *others][:MOST_OPTIONS])
    return Field(VALUE, label, "choice", value, options=shown)


def _short(text: str) -> str:
    return f"« {text if len(text) <= 200 else text[:200].rsplit(' ', 1)[0] + '…'} »"


def first_field(names: Sequence[str], wanted: str) -> str:
    """The field that a refusal stands under."""
    return next((name for name in names if name.partition(".")[0] == wanted), names[0] if names else wanted)
