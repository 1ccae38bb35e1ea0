"""Entries -> a digest: each through the gate of the answers, a few of each kind, numbered as a whole. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, zip_longest
from typing import Any, Final

from bot.digests.due import PARIS, WEEKDAYS, Week
from bot.digests.subscriptions import MOST_ITEMS, Wanted, said
from bot.digests.values import SECTIONS, Digest, Entry, Item, Source
from corpus.places import Gazetteer
from pipeline.grounding import GateFailed, ground
from pipeline.types import Citation, Draft, Evidence, Grounded, Usage

MONTHS: Final = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
)  # fmt: skip
FIRST: Final = "Premier point de ce canal : il dit d'où l'on part, les suivants ne diront que ce qui change."
MOST_DEALS: Final = 3
MOST_CHARTS: Final = 1
MOST_MISSING: Final = 6
_MARKER: Final = re.compile(r"\[(\d+)\]")
_LONELY: Final = re.compile(r"(?<=«) | (?=[»;:?!\[])")
"""Blanks at which a French line does not break."""


@dataclass(frozen=True, slots=True)
class Found:
    """All that a digest is made of. `since`: the slot of the last one that people saw, None for a first one."""

    channel: str
    week: Week
    slot: datetime
    since: datetime | None
    wanted: Wanted
    entries: tuple[Entry, ...] = ()
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class _Numbers:
    """The sources of the whole digest, each with one number."""

    known: dict[tuple[str, str], Source] = field(default_factory=dict)

    def of(self, citation: Citation) -> Source:
        name = (citation.title, citation.url)
        if name not in self.known:
            as_of = citation.as_of.isoformat() if citation.as_of else None
            number = len(self.known) + 1
            self.known[name] = Source(number, citation.kind, citation.title, citation.url, as_of, citation.quote)
        return self.known[name]


def build(found: Found, places: Gazetteer) -> Digest:
    """What changed and nothing else; one line when nothing did."""
    limit = MOST_ITEMS[found.wanted.length]
    news = [entry for entry in found.entries if entry.kind != "deal"]
    chosen = _some_of_each(news, limit)
    deals = [entry for entry in found.entries if entry.kind == "deal"][:MOST_DEALS] if chosen else []
    numbers, items, checked, dropped = _Numbers(), list[Item](), 0, 0
    for entry in _in_order([*chosen, *deals]):
        grounded = gated(entry)
        if grounded is None or not grounded.sentences_kept:
            dropped += 1
            continue
        checked += grounded.figures_checked
        items.append(_item(entry, grounded, numbers))
    stands = [item for item in items if item.kind != "deal"]
    remarks = list(found.remarks)
    if found.since is None:
        remarks.append(FIRST)
    if left := len(news) - len(chosen):
        remarks.append(f"{left} autre{'s' if left > 1 else ''} : la longueur choisie ne les montre pas.")
    quiet = not stands
    kept = {item.key for item in items}
    charts = [chart for entry in chosen if entry.key in kept for chart in entry.charts][:MOST_CHARTS]
    return Digest(
        channel=found.channel,
        week=found.week.label,
        quiet=quiet,
        title=title_of(found),
        text=_quiet_line(found, places, whole=not (found.missing or dropped)) if quiet else _text(items),
        items=() if quiet else tuple(items),
        charts=() if quiet else tuple(charts),
        missing=_shortened(tuple(dict.fromkeys(found.missing))),
        remarks=tuple(remarks),
        checked=checked,
        dropped=dropped,
    )


def title_of(found: Found) -> str:
    """ "Point de la semaine 47 · lundi 16 novembre 2026"."""
    return f"Point de la semaine {found.week.number} · {french_date(found.slot)}"


def french_date(moment: datetime) -> str:
    day = moment.astimezone(PARIS).date()
    number = "1er" if day.day == 1 else str(day.day)
    return f"{WEEKDAYS[day.weekday()]} {number} {MONTHS[day.month - 1]} {day.year}"


def _some_of_each(entries: Sequence[Entry], limit: int) -> list[Entry]:
    """In turn one of each kind, so that twenty communes' prices leave room for a rule."""
    kinds = [[entry for entry in entries if entry.kind in group] for group in SECTIONS.values()]
    in_turn = [entry for entry in chain.from_iterable(zip_longest(*kinds)) if entry is not None]
    return in_turn[:limit]


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    rank = {kind: place for place, group in enumerate(SECTIONS.values()) for kind in group}
    return sorted(entries, key=lambda entry: rank[entry.kind])  # stable: each kind keeps its own order


def gated(entry: Entry) -> Grounded | None:
    """The entry's sentence against its own evidence; None where the gate itself gives up."""
    line = re.sub(r"[\r\n\u2028\u2029]+", " ", entry.text)
    draft = Draft(text=f"- {line}", usage=Usage(model=""))
    try:
        return ground(draft, Evidence(tool_results=entry.evidence, ledger=entry.computed))
    except GateFailed:
        return None


def _item(entry: Entry, grounded: Grounded, numbers: _Numbers) -> Item:
    own = {citation.id: numbers.of(citation) for citation in grounded.citations}
    text = _MARKER.sub(lambda m: f"[{own[int(m.group(1))].id}]", grounded.text.removeprefix("- ").strip())
    text = _LONELY.sub("\u00a0", text)
    figures = tuple((f.label, f.value, f.unit) for result in entry.evidence[:1] for f in result.figures[:8])
    return Item(
        kind=entry.kind,
        text=text,
        sources=tuple(dict.fromkeys(own.values())),
        key=entry.key,
        communes=entry.communes,
        schemes=entry.schemes,
        figures=figures,
        deal_id=entry.deal_id,
    )


def _text(items: Sequence[Item]) -> str:
    """Markdown: a heading a section, a bullet an item."""
    parts: list[str] = []
    for heading, kinds in SECTIONS.items():
        if lines := [f"- {item.text}" for item in items if item.kind in kinds]:
            parts.append(f"### {heading}\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _shortened(missing: tuple[str, ...]) -> tuple[str, ...]:
    left = len(missing) - MOST_MISSING
    return missing if left <= 0 else (*missing[:MOST_MISSING], f"et {left} autres manques du même genre")


def _quiet_line(found: Found, places: Gazetteer, *, whole: bool) -> str:
    """« Calme » is said only where everything was read and could be verified."""
    since = f" depuis le point du {found.since.astimezone(PARIS):%d/%m/%Y}" if found.since else ""
    about = said(found.wanted, places)
    where = f" pour {about}" if about else ""
    if not whole:
        return f"Rien de nouveau{since}{where} dans ce que j'ai pu lire et vérifier ; ce qui manque est dit plus bas."
    return f"Semaine calme : rien de nouveau{since}{where}."


def record_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """A frozen digest as the record of an answer, so that it is shown, asked about and exported like one."""
    sources: dict[int, Mapping[str, Any]] = {}
    for item in content["items"]:
        sources |= {source["id"]: source for source in item["sources"]}
    return {
        "route": {"mode": "tools", "intent": "ask", "tools": [], "aspects": [], "sub_queries": [], "reasons": []},
        "citations": [sources[number] for number in sorted(sources)],
        "evidence": [{"id": n, "source": f"tool:{sources[n]['kind']}"} for n in sorted(sources)],
        "charts": list(content["charts"]),
        "remarks": list(content["remarks"]),
        "figures_checked": content["checked"],
        "sentences_dropped": content["dropped"],
        "degraded": list(content["missing"]),
    }
