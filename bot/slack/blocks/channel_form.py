"""The modal of a channel's settings: what is shown there, what is meant where nothing is named, the form of answers,
who may approve; and what was filled in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.models.blocks import Block, InputBlock, PlainTextInputElement, SectionBlock, UserMultiSelectElement
from slack_sdk.models.views import View

from bot.slack.blocks.fields import filled_in, many_of, one_of
from bot.slack.blocks.text import french_time

FORM: Final = "channel_form"
TITLE: Final = "Réglages du canal"
DEALS, APPROVERS, COMMUNES, DEAL, LENGTH, HIDDEN, FILES, MODEL = (
    "deals", "approvers", "communes", "deal", "length", "hidden", "files", "model",
)  # fmt: skip
"""Each field's block and action bear the name of what it fills in."""
HINT: Final = "Qui lit ce canal, invités compris, lit ce que j'y réponds. Votre nom et l'heure sont gardés."
MOST_APPROVERS: Final = 20
COMMUNES_LIMIT, DEAL_LIMIT = 300, 40
LENGTH_CHOICES: Final = (("full", "Complète"), ("short", "Courte : ce qui est demandé, sans le reste"))
FILE_CHOICES: Final = (("shown", "Cités ici"), ("hidden", "Jamais cités ici"))
MODEL_CHOICES: Final = (("on", "Comme réglé pour tout l'espace"), ("off", "Jamais consulté ici"))
MODEL_HINT: Final = "Sans lui, les réponses sont faites de phrases extraites des sources."
SAID: Final = {
    "open": ":large_green_circle: Dossiers de HubSpot montrés ici",
    "closed": ":no_entry: Dossiers de HubSpot jamais montrés ici",
}


@dataclass(frozen=True, slots=True)
class Filled:
    """What was chosen: `deals` is auto, open or closed; `approvers`: Slack ids; `communes`, `deal`: as typed."""

    channel: str
    deals: str
    approvers: tuple[str, ...]
    communes: str = ""
    deal: str = ""
    short: bool = False
    hidden: tuple[str, ...] = ()
    files: bool = True
    model: bool = True


def channel_form(
    row: Mapping[str, Any] | None,
    now: Filled,
    *,
    channel: str,
    shown_by_default: bool,
    sections: Sequence[str],
) -> dict[str, Any]:
    """`row`: what was chosen before, and `now`: the same as it was filled in; `shown_by_default`: what the
    installation's settings mean for this channel; `sections`: those that may be left out."""
    default = "montrés" if shown_by_default else "non montrés"
    choices = (
        ("auto", f"Comme réglé pour tout l'espace : {default} ici"),
        ("open", "Montrés ici"),
        ("closed", "Jamais montrés ici"),
    )
    approvers: Sequence[str] = row["approvers"] if row else ()
    named = UserMultiSelectElement(
        action_id=APPROVERS,
        placeholder="Personne de plus",
        initial_users=list(approvers) or None,
        max_selected_items=MOST_APPROVERS,
    )
    blocks: list[Block] = [
        SectionBlock(text=state_text(row)),
        *_meant(now),
        *_form_of_answers(now, sections),
        one_of(DEALS, "Dossiers de HubSpot", choices, row["deals"] if row else "auto", hint=HINT),
        one_of(FILES, "Fichiers de l'équipe", FILE_CHOICES, "shown" if now.files else "hidden"),
        one_of(MODEL, "Modèle de langue", MODEL_CHOICES, "on" if now.model else "off", hint=MODEL_HINT),
        InputBlock(
            block_id=APPROVERS,
            label="Approbateurs ici",
            hint="En plus de qui a demandé : ils valident, rejettent ou annulent une proposition de ce canal.",
            optional=True,
            element=named,
        ),
    ]
    view = View(
        type="modal",
        callback_id=FORM,
        title=TITLE,
        submit="Enregistrer",
        close="Fermer",
        private_metadata=json.dumps({"channel": channel}),
        blocks=blocks,
    )
    return dict(view.to_dict())


def _meant(now: Filled) -> list[Block]:
    """Where a question names none."""
    communes = PlainTextInputElement(
        action_id=COMMUNES, max_length=COMMUNES_LIMIT, placeholder="Toulon, 83069", initial_value=now.communes or None
    )
    deal = PlainTextInputElement(
        action_id=DEAL, max_length=DEAL_LIMIT, placeholder="9001", initial_value=now.deal or None
    )
    return [
        InputBlock(
            block_id=COMMUNES,
            label="Communes par défaut",
            hint="Noms ou codes INSEE, cinq au plus : pour les questions qui n'en nomment aucune. La réponse le dit.",
            optional=True,
            element=communes,
        ),
        InputBlock(
            block_id=DEAL,
            label="Dossier par défaut",
            hint="Son numéro dans HubSpot : le dossier visé quand un membre n'en nomme aucun.",
            optional=True,
            element=deal,
        ),
    ]


def _form_of_answers(now: Filled, sections: Sequence[str]) -> list[Block]:
    pairs = [(name, name) for name in sections]
    return [
        one_of(LENGTH, "Longueur des réponses", LENGTH_CHOICES, "short" if now.short else "full"),
        many_of(HIDDEN, "Parties à ne pas montrer", pairs, now.hidden, "Aucune"),
    ]


def plain_view(sentence: str) -> dict[str, Any]:
    """The form while it is looked for, or why there is none."""
    return dict(View(type="modal", title=TITLE, close="Fermer", blocks=[SectionBlock(text=sentence)]).to_dict())


def read_form(view: Mapping[str, Any]) -> Filled:
    """The fields and the channel that the form was opened for; empty where somebody tampered with it."""
    try:
        channel = str(json.loads(view.get("private_metadata") or "{}").get("channel") or "")
    except (ValueError, AttributeError):
        channel = ""
    found = filled_in(view)
    return Filled(
        channel,
        str(found.get(DEALS) or ""),
        tuple(found.get(APPROVERS) or ())[:MOST_APPROVERS],
        communes=str(found.get(COMMUNES) or ""),
        deal=str(found.get(DEAL) or "").strip(),
        short=found.get(LENGTH) == "short",
        hidden=tuple(found.get(HIDDEN) or ()),
        files=found.get(FILES) != "hidden",
        model=found.get(MODEL) != "off",
    )


def state_text(row: Mapping[str, Any] | None) -> str:
    """What was chosen, by whom and when."""
    if row is None:
        return "Rien n'est réglé dans ce canal : les réglages de tout l'espace y valent."
    lines = []
    if row["deals"] in SAID:
        lines.append(f"{SAID[row['deals']]} depuis le {french_time(row['deals_at'])}, par <@{row['deals_by']}>.")
    lines.append(f"Dernier réglage par <@{row['changed_by']}> le {french_time(row['changed_at'])}.")
    return "\n".join(lines)
