"""Where a proposal stands, in one line of its card and in one of the list of all."""

from collections.abc import Mapping
from typing import Any, Final

from bot.slack.blocks.text import escape, french_time, link

CRM_SCHEMES: Final = ("https://", "http://")
"""The receipt's address comes from our own writer, and a CRM on this machine has no certificate."""
SHORT: Final[Mapping[str, tuple[str, str]]] = {
    "offered": (":white_circle:", "à décider"),
    "approved": (":hourglass_flowing_sand:", "en cours d'écriture"),
    "executing": (":hourglass_flowing_sand:", "en cours d'écriture"),
    "done": (":white_check_mark:", "écrite"),
    "rejected": (":no_entry_sign:", "rejetée"),
    "expired": (":hourglass:", "expirée"),
    "conflict": (":left_right_arrow:", "non écrite, la fiche a changé"),
    "failed": (":warning:", "non écrite"),
    "unknown": (":grey_question:", "sans confirmation de HubSpot"),
    "undoing": (":hourglass_flowing_sand:", "annulation en cours"),
    "undone": (":leftwards_arrow_with_hook:", "écrite puis annulée"),
}
"""A mark and a word for each state."""


def short_status(row: Mapping[str, Any]) -> str:
    """With the reason where it was not written."""
    mark, word = SHORT.get(row["state"], ("", str(row["state"])))
    why = f" : {escape(row['reason'])}" if row["reason"] and row["state"] in {"failed", "conflict"} else ""
    seen = link(row["crm_url"], "voir", schemes=CRM_SCHEMES) if row["state"] == "done" and row["crm_url"] else ""
    return f"{mark} {word}{why}{f' · {seen}' if seen else ''}"


def status(row: Mapping[str, Any]) -> str:
    state, mark = row["state"], SHORT.get(row["state"], ("", ""))[0]
    who = f"<@{row['decided_by']}>" if row["decided_by"] else ""
    when = f"le {french_time(row['decided_at'])}" if row["decided_at"] else ""
    why = escape(row["reason"] or "")
    match state:
        case "offered":
            return f"rien n'est écrit sans validation · expire le {french_time(row['expires_at'])}"
        case "approved" | "executing":
            return f"{mark} validée par {who} {when}, écriture en cours"
        case "done":
            return f"{mark} {_done(row, who=who, when=when)}"
        case "rejected":
            return f"{mark} rejetée par {who} {when}{f' · {why}' if why else ''} · rien n'a été écrit"
        case "expired":
            return f"{mark} expirée · rien n'a été écrit"
        case "failed":
            return f"{mark} validée par {who} {when}, mais non écrite : {why}"
        case "conflict":
            return f"{mark} validée par {who} {when}, mais non écrite, la fiche a changé : {why}"
        case "unknown":
            return f"{mark} validée par {who} {when} · {why}"
        case "undoing":
            return f"{mark} annulation en cours{_undoer(row)}"
        case "undone":
            return f"{mark} écrite puis annulée{_undoer(row)}"
        case other:
            return escape(str(other))


def _done(row: Mapping[str, Any], *, who: str, when: str) -> str:
    parts = [f"écrite, validée par {who} {when}" if who else "écrite"]
    if row["crm_id"]:
        seen = link(row["crm_url"] or "", "voir dans HubSpot", schemes=CRM_SCHEMES)
        parts.append(f"{seen} (n° {escape(row['crm_id'])})")
    if row["resolved_by"] and not row["reason"]:
        parts.append(f"vue dans HubSpot par <@{row['resolved_by']}>")
    if row["reason"]:
        parts.append(escape(row["reason"]))
    return " · ".join(parts)


def _undoer(row: Mapping[str, Any]) -> str:
    if not row["undone_by"]:
        return ""
    return f" par <@{row['undone_by']}> le {french_time(row['undone_at'])}"
