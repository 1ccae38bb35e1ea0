"""HubSpot's shapes -> our values; pure functions."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bot.crm.plain import plain, visible
from pipeline.types import Deal, PropertySchema

NOTE_LENGTH = 600

# Words of a request that tell no deal from another.
_EMPTY_WORDS = frozenset(
    {"dossier", "dossiers", "deal", "client", "cliente", "famille", "m", "mme", "mr", "madame", "monsieur"}
    | {"le", "la", "les", "l", "d", "de", "du", "des", "et", "un", "une", "pour", "sur", "avec", "au", "aux", "chez"}
)


def tokens(name: str) -> list[str]:
    """The words of a deal's name that tell it apart, at most the six that one HubSpot filter group takes."""
    words = re.findall(r"[^\W_]+", name.lower())
    return [w for w in dict.fromkeys(words) if w not in _EMPTY_WORDS and (len(w) > 1 or w.isdigit())][:6]


def associated(found: Any, kind: str) -> list[str]:
    linked = (found.associations or {}).get(kind)
    return list(dict.fromkeys(str(r.id) for r in linked.results)) if linked is not None else []


def deal_of(
    found: Any,
    *,
    contacts: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    owner: str = "",
    stage: str = "",
    url: str = "",
) -> Deal:
    values = {k: v for k, v in found.properties.items() if v}
    history = found.properties_with_history or {}
    return Deal(
        id=str(found.id),
        name=visible(values.get("dealname", "")),
        stage=stage,
        amount=values.get("amount", ""),
        owner=owner,
        url=url,
        contacts=contacts,
        notes=notes,
        properties=values,
        updated_at=in_utc(found.updated_at),
        changed_at={n: newest(h) for n, h in history.items() if h},
    )


def newest(history: list[Any]) -> str:
    """The last moment of a property's history, ISO 8601; HubSpot gives newest first but does not promise it."""
    return max((in_utc(h.timestamp).isoformat() for h in history if isinstance(h.timestamp, datetime)), default="")


def in_utc(moment: datetime) -> datetime:
    """The SDK gives moments in the machine's zone."""
    return moment.astimezone(UTC)


def note_line(properties: Mapping[str, str | None]) -> str:
    day = (properties.get("hs_timestamp") or "")[:10]
    text = plain(properties.get("hs_note_body") or "")
    shown = text if len(text) <= NOTE_LENGTH else text[:NOTE_LENGTH].rsplit(" ", 1)[0] + "…"
    return f"{'/'.join(reversed(day.split('-')))} : {shown}" if day else shown


def schema_of(raw: Mapping[str, Any]) -> PropertySchema:
    metadata = raw.get("modificationMetadata") or {}
    # The SDK's model has no dataSensitivity: what HubSpot calls sensitive is never written from a chat.
    sensitive = raw.get("dataSensitivity") not in (None, "", "non_sensitive")
    locked = bool(metadata.get("readOnlyValue") or raw.get("calculated") or raw.get("archived") or sensitive)
    options = [o for o in raw.get("options") or () if not o.get("hidden")]
    return PropertySchema(
        name=str(raw.get("name", "")),
        label=str(raw.get("label", "")),
        type=str(raw.get("type", "")),
        options=tuple(str(o["value"]) for o in options),
        read_only=locked,
        labels={str(o["value"]): str(o.get("label") or o["value"]) for o in options},
    )


def folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))


def same_value(one: str, other: str) -> bool:
    """Equal as HubSpot means it: it gives dates back in a form of its own."""
    return one == other or (_instant(one) is not None and _instant(one) == _instant(other))


def _instant(value: str) -> datetime | None:
    if not re.match(r"\d{4}-\d{2}-\d{2}", value):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
