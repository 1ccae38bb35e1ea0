"""One answer as an auditor reads it: cells of a table, or lines under headings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.store.tables import Row

COLUMNS: Final = (
    "réponse", "demandée le", "répondue le", "espace", "canal", "fil", "demandée par", "qualité", "question",
    "réponse donnée", "refus", "modèle", "consigne", "chiffres vérifiés", "phrases écartées", "sources",
    "éléments consultés", "propositions", "décisions", "avis", "coût (€)", "durée (s)",
)  # fmt: skip
_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes what begins so for a formula."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`cells`: by column, each a text of one or more lines."""

    cells: Mapping[str, str]

    @property
    def row(self) -> list[str]:
        """For CSV: nothing that a spreadsheet would run."""
        return [f"'{text}" if (text := self.cells[name]).startswith(_RISKY) else text for name in COLUMNS]


def entry_of(row: Row) -> Entry:
    """From `answered_between`."""
    record: Mapping[str, Any] = row["record"] or {}
    cells = {
        "réponse": row["answer_id"],
        "demandée le": row["asked_at"] or "",
        "répondue le": row["answered_at"] or "",
        "espace": row["team_id"],
        "canal": row["channel"],
        "fil": row["thread_ts"],
        "demandée par": row["asked_by"],
        "qualité": row["visitor"] or "member",
        "question": row["question"],
        "réponse donnée": row["text"] or "",
        "refus": record.get("refusal") or "",
        "modèle": row["model"] or "",
        "consigne": record.get("prompt") or "",
        "chiffres vérifiés": str(record.get("figures_checked", "")),
        "phrases écartées": _lines(f"{one['sentence']} ({one['reason']})" for one in record.get("dropped", ())),
        "sources": _lines(map(_cited, record.get("citations", ()))),
        "éléments consultés": _lines(map(_consulted, record.get("evidence", ()))),
        "propositions": _lines(map(_proposed, row["proposals"])),
        "décisions": _lines(f"{one['at']} {one['actor']} : {one['event']}" for one in row["decisions"]),
        "avis": _lines(f"{one['user_id']} : {one['verdict']}" for one in row["verdicts"]),
        "coût (€)": "" if row["euros"] is None else f"{row['euros']:.4f}".replace(".", ","),
        "durée (s)": "" if row["seconds"] is None else f"{row['seconds']:.2f}".replace(".", ","),
    }
    return Entry(cells)


def _cited(one: Mapping[str, Any]) -> str:
    return " · ".join(filter(None, (f"[{one.get('id')}] {one.get('title') or ''}", one.get("url"), one.get("as_of"))))


def _consulted(one: Mapping[str, Any]) -> str:
    return f"{one.get('source')} : {one.get('title') or ''} (sha256 {one.get('sha256')})"


def _proposed(row: Row) -> str:
    """What would be written, its state, who decided, and where it went."""
    action = row["action"] if isinstance(row["action"], Mapping) else {}
    said = action.get("summary") or action.get("kind") or ""
    known = [f"{said} : {row['state']}"]
    known += [f"par {row['decided_by_name'] or row['decided_by']} le {row['decided_at']}"] if row["decided_by"] else []
    known += [f"HubSpot n° {row['crm_id']}"] if row["crm_id"] else []
    return ", ".join((*known, f"empreinte {row['payload_hash']}"))


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)
