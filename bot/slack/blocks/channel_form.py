"""The modal of a channel's settings: whether deals are shown there, who may approve; and what was filled in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.models.blocks import Block, InputBlock, SectionBlock, UserMultiSelectElement
from slack_sdk.models.views import View

from bot.slack.blocks.fields import filled_in, one_of
from bot.slack.blocks.text import french_time

FORM: Final = "channel_form"
TITLE: Final = "Réglages du canal"
DEALS, APPROVERS = "deals", "approvers"
"""Each field's block and action bear the name of what it fills in."""
HINT: Final = "Qui lit ce canal, invités compris, lit ce que j'y réponds. Votre nom et l'heure sont gardés."
MOST_APPROVERS: Final = 20
SAID: Final = {
    "open": ":large_green_circle: Dossiers de HubSpot montrés ici",
    "closed": ":no_entry: Dossiers de HubSpot jamais montrés ici",
}


@dataclass(frozen=True, slots=True)
class Filled:
    """What was chosen: `deals` is auto, open or closed; `approvers`: Slack ids."""

    channel: str
    deals: str
    approvers: tuple[str, ...]


def channel_form(row: Mapping[str, Any] | None, *, channel: str, shown_by_default: bool) -> dict[str, Any]:
    """`row`: what was chosen before; `shown_by_default`: what the installation's settings mean for this channel."""
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
        one_of(DEALS, "Dossiers de HubSpot", choices, row["deals"] if row else "auto", hint=HINT),
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
    return Filled(channel, str(found.get(DEALS) or ""), tuple(found.get(APPROVERS) or ())[:MOST_APPROVERS])


def state_text(row: Mapping[str, Any] | None) -> str:
    """What was chosen, by whom and when."""
    if row is None:
        return "Rien n'est réglé dans ce canal : les réglages de tout l'espace y valent."
    lines = []
    if row["deals"] in SAID:
        lines.append(f"{SAID[row['deals']]} depuis le {french_time(row['deals_at'])}, par <@{row['deals_by']}>.")
    lines.append(f"Dernier réglage par <@{row['changed_by']}> le {french_time(row['changed_at'])}.")
    return "\n".join(lines)
