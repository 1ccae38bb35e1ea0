"""The modal of a channel's digest: what it is about and when, its preview, pause and end; and what was filled in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    InputBlock,
    MarkdownTextObject,
    PlainTextInputElement,
    SectionBlock,
    TimePickerElement,
)
from slack_sdk.models.views import View

from bot.slack.blocks.fields import box, many_of, one_of
from bot.slack.blocks.text import escape, french_time

FORM: Final = "digest_form"
TITLE: Final = "Point de la semaine"
PREVIEW, PAUSE, RESUME, STOP = "digest_preview", "digest_pause", "digest_resume", "digest_stop"
COMMUNES, OTHERS, SCHEMES, TOPICS, WEEKDAY, AT, LENGTH, ALERTS, ALERT_DAYS, SHARED = (
    "communes", "others", "schemes", "topics", "weekday", "at", "length", "alerts", "alert_days", "shared_allowed",
)  # fmt: skip
"""Each field's block and action bear the name of what it fills in."""
MOST_OPTIONS, OTHERS_LIMIT = 100, 600
LENGTH_LABELS: Final = {"short": "Courte : 5 lignes", "normal": "Normale : 10 lignes", "long": "Longue : 16 lignes"}
NOTICES: Final = (7, 14, 30, 60, 90)
STATES: Final = {
    "active": ":large_green_circle: Actif",
    "paused": ":double_vertical_bar: En pause",
    "stopped": ":black_square_for_stop: Arrêté",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What the form offers: (value, label) each. `towns`: communes, those of the open deals first."""

    towns: Sequence[tuple[str, str]]
    schemes: Sequence[tuple[str, str]]
    topics: Sequence[tuple[str, str]]
    weekdays: Sequence[tuple[str, str]]


def digest_form(
    row: Mapping[str, Any], choices: Choices, *, channel: str, shared: bool, stored: bool, said: str = "", gap: str = ""
) -> dict[str, Any]:
    """`row`: the subscription, or what one starts with; `said`: what became of the last click; `gap`: why no commune
    is proposed."""
    towns = choices.towns[:MOST_OPTIONS]
    days = [(str(n), f"{n} jours avant") for n in NOTICES]
    blocks: list[Block | None] = [
        SectionBlock(text=_state(row, stored=stored, said=said)),
        many_of(COMMUNES, "Communes de vos dossiers ouverts", towns, row["communes"], "Choisir") if towns else None,
        ContextBlock(elements=[MarkdownTextObject(text=escape(gap))]) if gap else None,
        InputBlock(
            block_id=OTHERS,
            label="Autres communes",
            optional=True,
            hint="Noms ou codes INSEE, séparés par des virgules",
            element=PlainTextInputElement(action_id=OTHERS, max_length=OTHERS_LIMIT, placeholder="Hyères, 13001"),
        ),
        many_of(SCHEMES, "Dispositifs et règles", choices.schemes, row["schemes"], "Tous, si rien n'est choisi"),
        many_of(TOPICS, "Thèmes", choices.topics, row["topics"], "Tous, si rien n'est choisi"),
        one_of(WEEKDAY, "Jour", choices.weekdays, str(row["weekday"])),
        InputBlock(
            block_id=AT,
            label="Heure, à Paris",
            hint="Ni 2 h ni 2 h 59 : cette heure manque une nuit par an et revient deux fois une autre.",
            element=TimePickerElement(action_id=AT, initial_time=row["at"]),
        ),
        one_of(LENGTH, "Longueur", tuple(LENGTH_LABELS.items()), row["length"]),
        box(ALERTS, "Entre deux points", "M'alerter en une ligne d'un changement ou d'une échéance", row["alerts"]),
        one_of(ALERT_DAYS, "Prévenir d'une échéance", days, str(row["alert_days"])),
        box(SHARED, "Canal partagé", "Publier ici, où une autre entreprise lit", row["shared_allowed"])
        if shared
        else None,
        ActionsBlock(block_id="acts", elements=_buttons(row["state"] if stored else "")),
    ]
    view = View(
        type="modal",
        callback_id=FORM,
        title=TITLE,
        submit="Enregistrer",
        close="Fermer",
        private_metadata=json.dumps({"channel": channel, "shared": shared}),
        blocks=[block for block in blocks if block is not None],
    )
    return dict(view.to_dict())


def plain_view(sentence: str) -> dict[str, Any]:
    """The form while it is being filled, or why there is none."""
    view = View(type="modal", title=TITLE, close="Fermer", blocks=[SectionBlock(text=sentence)])
    return dict(view.to_dict())


def place_of(view: Mapping[str, Any]) -> tuple[str, bool]:
    """(channel, whether another company reads it) that the form was opened for."""
    try:
        stored = json.loads(view.get("private_metadata") or "{}")
    except ValueError:
        return "", False
    return str(stored.get("channel") or ""), bool(stored.get("shared"))


def _state(row: Mapping[str, Any], *, stored: bool, said: str) -> str:
    if not stored:
        state = "Ce canal n'a pas encore de point. Il dit chaque semaine ce qui a changé, et rien d'autre."
    else:
        who = "en ligne de commande" if row["changed_by"] == "cli" else f"par <@{row['changed_by']}>"
        who = "par moi : le canal m'était fermé" if row["changed_by"] == "clock" else who
        state = f"{STATES.get(row['state'], row['state'])}, réglé {who} le {french_time(row['changed_at'])}."
    return "\n".join(filter(None, (said, state)))


def _buttons(state: str) -> list[ButtonElement]:
    buttons = [ButtonElement(text="Aperçu", action_id=PREVIEW, value="preview")]
    if state == "active":
        buttons.append(ButtonElement(text="Mettre en pause", action_id=PAUSE, value="paused"))
    if state in {"paused", "stopped"}:
        buttons.append(ButtonElement(text="Reprendre", action_id=RESUME, value="active"))
    if state in {"active", "paused"}:
        sure = ConfirmObject(
            title="Arrêter le point ?", text="Le canal n'en recevra plus.", confirm="Arrêter", deny="Garder"
        )
        buttons.append(ButtonElement(text="Arrêter", action_id=STOP, value="stopped", style="danger", confirm=sure))
    return buttons
