"""A dropped file's row -> its card: what it is, who may see it once added, the buttons; or how it ended."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    MarkdownTextObject,
    SectionBlock,
)

from bot.slack.blocks.text import SECTION_LIMIT, chunks, escape, french_time, link
from bot.slack.files import LABELS, megabytes
from corpus.types import PUBLIC_AUDIENCE

HERE, TEAM, AGAIN = "file_here", "file_team", "file_again"
DECLINE, REMOVE = "file_decline", "file_remove"
FILE_SCHEMES = ("https://", "http://")
"""A file's permalink comes from Slack itself, and a Slack on this machine has no certificate."""
SHOWN_SKIPPED = 6


def file_blocks(
    row: Mapping[str, Any], *, step: str = "", reference: str = "", twin: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The card in any state. `step`: what is being done; `twin`: the source that holds the same content already."""
    blocks: list[Block] = [SectionBlock(text=f"{_heading(row)}\n{_said(row, step, twin)}"[:SECTION_LIMIT])]
    if row["state"] == "ready" and row["skipped"]:
        left = row["skipped"][:SHOWN_SKIPPED]
        more = len(row["skipped"]) - len(left)
        lines = ["*À savoir*", *(f"• {escape(line)}" for line in left), *([f"• et {more} autres points"] * (more > 0))]
        blocks.extend(SectionBlock(text=piece) for piece in chunks(lines))
    if note := _note(row, reference):
        blocks.append(ContextBlock(elements=[MarkdownTextObject(text=note)]))
    if buttons := _buttons(row):
        blocks.append(ActionsBlock(elements=buttons))
    return [block.to_dict() for block in blocks]


def file_text(row: Mapping[str, Any]) -> str:
    """The same in a line, for notifications."""
    return escape(f"Fichier déposé : {row['name']}") + f" - {STATES.get(row['state'], row['state'])}"


STATES = {
    "offered": "à ajouter à mes sources ?",
    "adding": "en cours d'ajout",
    "ready": "ajouté à mes sources",
    "failed": "non ajouté",
    "unreadable": "non ajouté",
    "refused": "ne peut pas être ajouté",
    "duplicate": "déjà dans mes sources",
    "declined": "non ajouté",
    "removing": "en cours de retrait",
    "removed": "retiré de mes sources",
}


def is_private(row: Mapping[str, Any]) -> bool:
    """A conversation that not everybody in the team can read; one of an unknown type counts as such."""
    return bool(row["channel_type"] != "channel")


def seen_by(row: Mapping[str, Any]) -> str:
    """Where a source's passages may be found, as people say it."""
    if row["audience"] == PUBLIC_AUDIENCE:
        return "toute l'équipe"
    if row["channel_type"] == "im":
        return "ce message direct"
    if row["channel_type"] in {"group", "mpim"}:
        return "ce salon privé"
    return f"<#{row['audience'].partition(':')[2]}>"


def _heading(row: Mapping[str, Any]) -> str:
    facts = [LABELS.get(row["kind"], ""), megabytes(row["size"]) if row["size"] else ""]
    about = " · ".join(fact for fact in facts if fact)
    return f":page_facing_up: *{link(row['url'], row['name'], schemes=FILE_SCHEMES)}*{f' · {about}' if about else ''}"


def _said(row: Mapping[str, Any], step: str, twin: Mapping[str, Any] | None) -> str:
    match row["state"]:
        case "offered" if is_private(row):
            return (
                "Je ne l'ai pas encore lu. Je peux m'en servir pour répondre *ici seulement* : cette conversation est "
                "privée, et ses passages n'en sortent pas. L'ouvrir à toute l'équipe demande un clic exprès."
            )
        case "offered":
            return "Je ne l'ai pas encore lu. Voulez-vous que je m'en serve pour répondre ?"
        case "adding":
            return f":hourglass_flowing_sand: {escape(step) or 'En attente de lecture'}…"
        case "ready":
            kept = f"\n:warning: {escape(row['reason'])}" if row["reason"] else ""
            return f":white_check_mark: Ajouté à mes sources, pour {seen_by(row)} : {_counted(row)}.{kept}"
        case "duplicate" if twin is not None:
            who = f" par <@{twin['decided_by'] or twin['added_by']}>"
            when = french_time(twin["decided_at"] or twin["added_at"])
            named = "" if twin["name"] == row["name"] else f", sous le nom « {escape(twin['name'])} »"
            if twin["state"] == "adding":
                return f":information_source: Le même contenu est déjà en cours d'ajout{who}, pour {seen_by(twin)}."
            since = f"Déjà dans mes sources depuis le {when}, ajouté{who}, pour {seen_by(twin)}{named}"
            return f":information_source: {since}."
        case "duplicate":
            return ":information_source: Le même contenu était déjà dans mes sources ; il en a été retiré depuis."
        case "refused" | "failed" | "unreadable":
            return f":warning: {escape(row['reason'] or '')}"
        case "declined":
            return f":no_entry_sign: Non ajouté, à la demande de <@{row['decided_by']}> : je ne l'ai pas lu."
        case "removing":
            return ":hourglass_flowing_sand: Retrait en cours…"
        case "removed":
            when = french_time(row["removed_at"])
            return (
                f":wastebasket: Retiré de mes sources par <@{row['removed_by']}> le {when} : "
                "aucun de ses passages ne peut plus être cité."
            )
        case other:
            return escape(str(other))


def _counted(row: Mapping[str, Any]) -> str:
    passages = f"{row['passages']} passage{'s' if row['passages'] > 1 else ''}"
    if row["pages"] is None:
        return passages
    unit = "feuille" if row["kind"] in {"xlsx", "xls"} else "page"
    return f"{row['pages']} {unit}{'s' if row['pages'] > 1 else ''}, {passages}"


def _note(row: Mapping[str, Any], reference: str) -> str:
    match row["state"]:
        case "offered":
            return f"Décident ici : <@{row['added_by']}>, qui l'a déposé, ou un approbateur."
        case "ready":
            who = f"Ajouté par <@{row['decided_by']}> le {french_time(row['decided_at'])}"
            return f"{who} · posez votre question dans ce fil · `/quartier sources` les liste toutes"
        case "failed" | "unreadable":
            told = f" · référence `{reference}`" if reference else ""
            return f"Rien n'a été ajouté{told}"
        case _:
            return ""


def _buttons(row: Mapping[str, Any]) -> list[ButtonElement]:
    if row["state"] == "ready":
        return [_button(row, REMOVE, "Retirer", confirm=removal(row))]
    if row["state"] == "failed":
        return [_button(row, AGAIN, "Réessayer")]
    if row["state"] != "offered":
        return []
    private = is_private(row)
    return [
        _button(row, HERE, "Ici seulement" if private else "Pour ce canal", style="primary"),
        _button(row, TEAM, "Pour toute l'équipe", confirm=_opening() if private else None),
        _button(row, DECLINE, "Ne pas ajouter"),
    ]


def removal(row: Mapping[str, Any]) -> ConfirmObject:
    """Asked before a source goes."""
    name = row["name"] if len(row["name"]) < 120 else row["name"][:119] + "…"
    return ConfirmObject(
        title="Retirer cette source ?",
        text=f"« {escape(name)} » ne pourra plus être cité. Le fichier reste dans Slack.",
        confirm="Retirer",
        deny="Garder",
        style="danger",
    )


def _opening() -> ConfirmObject:
    return ConfirmObject(
        title="Ouvrir à toute l'équipe ?",
        text="Ce fichier vient d'une conversation privée. Ses passages pourront être cités à toute l'équipe, dans tous "
        "les canaux.",
        confirm="Ouvrir à l'équipe",
        deny="Annuler",
    )


def _button(
    row: Mapping[str, Any],
    action_id: str,
    label: str,
    *,
    style: str | None = None,
    confirm: ConfirmObject | None = None,
) -> ButtonElement:
    return ButtonElement(text=label, action_id=action_id, value=row["source_id"], style=style, confirm=confirm)
