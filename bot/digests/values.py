"""The values of a digest: entries before the gate, items after it, and the digest itself as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from pipeline.types import Computed, ToolResult

Kind = Literal["rule", "news", "price", "status", "risk", "deal"]
SECTIONS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "Règles et échéances": ("rule",),
    "Prix": ("price",),
    "Statuts et risques": ("status", "risk"),
    "Publications officielles": ("news",),
    "Dossiers concernés": ("deal",),
}
"""Heading -> the kinds under it, in the order told."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to tell. `text`: French sentences, each with `[n]` markers into `evidence` (from 1); `computed`: what
    code worked out of it; `key`: what later digests know it by, so that nothing is told twice; `charts`: price series
    worth a picture; `deal_id`: what a card would be about."""

    kind: Kind
    text: str
    evidence: tuple[ToolResult, ...]
    key: str = ""
    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    computed: tuple[Computed, ...] = ()
    charts: tuple[Mapping[str, Any], ...] = ()
    deal_id: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where an item can be checked. `id`: its number in the digest; `kind`: the tool that read it; `as_of`: ISO day."""

    id: int
    kind: str
    title: str
    url: str
    as_of: str | None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry that stands: its text carries `[n]` markers of the whole digest."""

    kind: Kind
    text: str
    sources: tuple[Source, ...]
    key: str = ""
    communes: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    figures: tuple[tuple[str, float, str], ...] = ()
    deal_id: str = ""


@dataclass(frozen=True, slots=True)
class Digest:
    """What one channel reads in one week. `quiet`: nothing changed; `missing`: what it could not look at, in French;
    `remarks`: sentences of ours beside it; `dropped`: sentences that the gate took out."""

    channel: str
    week: str
    quiet: bool
    title: str
    text: str
    items: tuple[Item, ...] = ()
    charts: tuple[Mapping[str, Any], ...] = ()
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    checked: int = 0
    dropped: int = 0

    def frozen(self) -> dict[str, Any]:
        """Everything, as JSON: what is stored and posted."""
        return asdict(self)

    def shown(self) -> dict[str, Any]:
        """The stable shape of `python -m bot digest --preview --json`."""
        return {
            "channel": self.channel,
            "week": self.week,
            "quiet": self.quiet,
            "items": [
                {
                    "kind": item.kind,
                    "text": item.text,
                    "sources": [{"title": s.title, "url": s.url, "as_of": s.as_of} for s in item.sources],
                }
                for item in self.items
            ],
            "charts": [dict(chart) for chart in self.charts],
            "text": self.text,
            "missing": list(self.missing),
        }
