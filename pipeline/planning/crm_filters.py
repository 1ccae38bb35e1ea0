"""Which deals a message asks a list of: amounts, days of signature, order, how many; its other words go to the tool."""

import re
from collections.abc import Set
from datetime import date
from typing import Any, Final

from corpus.places import Gazetteer
from pipeline.planning.periods import find_period
from pipeline.reading import Quantity, Reading
from pipeline.understanding import cues
from pipeline.understanding.cues import cue, left
from pipeline.understanding.dates import COUNTS, NUMBERS
from pipeline.understanding.own_words import flat, questions_of

STALE_DAYS: Final = 60
STALE: Final = re.compile(rf"\b(\d{{1,3}}|{COUNTS}) ?(jours?|semaines?|mois)\b")
BETWEEN: Final = re.compile(r"\bentre\s*$")
TOP: Final = re.compile(
    rf"\btop ?(?P<top>\d{{1,2}})\b|\b(?P<n>\d{{1,2}}|{COUNTS}) (?:dossiers |deals |affaires )?(?:les )?"
    r"(?P<kind>plus|premiers?|derniers?|prochaine?s?)\b|"
    r"\b(?P<one>le|la|notre|nos|mon|votre|quel est le) (?:dossier (?:(?:encore )?ouvert )?(?:est )?le |deal le )?"
    r"plus (?:gros|grand|important|petit|ancien|vieux|recent)\b|"
    r"\bquel (?:est le )?dossier (?:\w+ ){0,4}le plus (?:gros|grand|important|petit|ancien|vieux|recent)\b|"
    r"\bquel dossier .*\bdepuis le plus longtemps\b|"
    r"(?:^\W*|\b(?:le |la |quel(?:le)? (?:est )?(?:le |la )?))(?P<next>prochaine?) "
    r"(?:dossier|deal|affaire|signature|closing)\b|"
    r"\b(?P<soonest>sign\w+ (?:en premier|d'abord|le plus tot|(?:la )?prochaine?(?:ment)?))(?= |\W*$)|"
    r"\b(?:le|notre|mon) (?P<last>dernier|premier) (?:dossier|deal)\b"
)

IN_VAIN: Final = {
    "income": "filtrer sur les revenus du client",
    "assets": "filtrer sur le patrimoine du client",
    "age": "filtrer sur l'âge du client",
    "family": "filtrer sur la situation familiale",
    "notary": "filtrer sur le notaire",
    "bank": "filtrer sur la banque",
}
"""What a list cannot be asked by, as the words that follow « je ne sais pas »."""

LACKING: Final = {"no_task": "tasks", "undated": "closedate", "no_amount": "amount", "no_step": "hs_next_step"}
"""A bound -> what the deals that it keeps have none of, as the tool calls it."""
SORTS: Final = {"by_amount": "amount", "smallest": "smallest", "oldest": "oldest", "newest": "newest"}
GROUPS: Final = {"by_owner": "owner", "by_stage": "stage"}
ENDS: Final = {"won": "gagné", "lost": "perdu"}
"""A bound -> the stage, in words."""
PLURAL: Final = re.compile(
    r"\bles (?:\w+ )?(?:plus|moins|derniers|premiers|prochaines?)\b|\bpar (?:montant|taille|date)\b|\btop\b"
)
"""Several of an order are asked for."""
Arguments = dict[str, Any]


def deal_filters(reading: Reading, low: str, *, today: date, places: Gazetteer, absent: str | None = None) -> Arguments:
    """The arguments of the view `deals`. `words`: what of the message none of the others holds; `ignored`: what was
    asked and no argument can say. `absent`: what is told beside the list that the CRM does not hold."""
    filters = reading.crm.bounds | ({"all"} if cue("crm_filter.all").search(low) else set())
    found: Arguments = {"owner": "me"} if "mine" in filters and not reading.colleagues else {}
    spans = [(place.start, place.end) for place in reading.places]
    ignored: list[str] = []
    if reading.communes and (place := places.get(reading.communes[0])):
        found["commune"] = place.name
        ignored += ["chercher dans plusieurs villes à la fois"] if len(reading.communes) > 1 else []
    found |= _ended(filters)
    spans += [match.span() for match in cue("crm_filter.still").finditer(low)]
    if "stale" in filters:
        found["stale_days"] = _days(low)
        spans += [match.span() for match in STALE.finditer(low)]
    if lacking := tuple(name for filter_, name in LACKING.items() if filter_ in filters):
        found["lacking"] = lacking
    if cue("bounds.priority").search(low) and (priority := cues.first("priority", low)):
        found["priority"] = priority
        spans += [m.span() for name in ("bounds.priority", f"priority.{priority}") for m in cue(name).finditer(low)]
    found |= {"average": True} if "average" in filters else {}
    spans += [m.span() for m in cue("bounds.to_sign").finditer(low)]
    found |= _order(low, filters, today=today)
    amounts, where, vain = _amounts(reading, low)
    found |= amounts
    spans += where
    ignored += vain
    wished = (*sorted(filters), *(cues.said("crm_absent", low) if not vain and not absent else ()))
    ignored += [IN_VAIN[name] for name in wished if name in IN_VAIN]
    if "stale" not in filters:
        dated, where, vain = _signing(questions_of(reading.text), low, today, late="late" in filters)
        found |= {name: value for name, value in dated.items() if name not in found}
        spans += where
        ignored += vain
    if groups := [group for name, group in GROUPS.items() if name in filters]:
        found["group"] = groups[0]
    elif match := cue("bounds.grouped").search(low):
        ignored.append(f"regrouper par {match['by']}")
        spans.append(match.span())
    if ignored:
        found["ignored"] = tuple(ignored)
    named = [name for name in reading.deal_names if flat(name) not in low]
    if named or reading.clients:
        found["text"] = (*reading.clients, *named)[0]
    if reading.clients:
        found.setdefault("open", None)  # « les dossiers Cohen »: all, unless said otherwise
    spans += [match.span() for match in TOP.finditer(low)]
    words = left(questions_of(reading.text), spans, ("crm_view", "crm_filter", "crm_group", "crm_absent"))
    return found | ({"words": words} if words and not reading.clients else {})


def _ended(bounds: Set[str]) -> Arguments:
    """Open ones where they are told from those that are over, all, or those alone; what is not said is left open."""
    if ends := [stage for name, stage in ENDS.items() if name in bounds]:
        return {"stage": ends[0]} if len(ends) == 1 else {"open": False}
    if "still" in bounds:
        return {"open": True}
    return {"open": None} if "all" in bounds else {"open": False} if "closed" in bounds else {}


def _order(low: str, bounds: Set[str], *, today: date) -> Arguments:
    """How many and in which order; « le plus gros » is one, « top 5 » the five largest."""
    if "soonest" in bounds:
        return {"sort": "closedate", "closes_after": today.isoformat(), "top": 1}
    sorts = [sort for name, sort in SORTS.items() if name in bounds]
    found: Arguments = {"sort": sorts[0]} if sorts else {}
    match = TOP.search(low)
    if match is None:
        return found | ({"top": 1} if found and not PLURAL.search(low) else {})
    if match["next"] or match["soonest"]:
        return {"sort": "closedate", "closes_after": today.isoformat(), "top": 1}
    said = match["top"] or match["n"]
    count = (int(said) if said.isdigit() else NUMBERS[said]) if said else 1
    ranked = match["kind"] or match["last"] or ""
    if ranked.startswith(("premier", "prochain")):
        found.setdefault("sort", "closedate")
    elif ranked.startswith("dernier"):
        found.setdefault("sort", "updated")
    return {**found, "top": max(count, 1)}


def _amounts(reading: Reading, low: str) -> tuple[Arguments, list[tuple[int, int]], list[str]]:
    """Bounds, where all sums of money stand, and the bounds of something else; « entre 200 et 300k » counts both in
    thousands."""
    found: Arguments = {}
    spans: list[tuple[int, int]] = []
    vain: list[str] = []
    money = [q for q in reading.quantities if q.unit in ("€", "")]
    for i, quantity in enumerate(money):
        before, after = low[max(0, quantity.start - 22) : quantity.start], low[quantity.end : quantity.end + 12]
        following = money[i + 1] if i + 1 < len(money) else None
        if BETWEEN.search(before) and following is not None and following.value >= 1000:
            found |= {"min_amount": _same_scale(quantity, following), "max_amount": following.value}
            return found, [*spans, (quantity.start, following.end)], vain
        if other := cue("bounds.other_sum").search(low, max(0, quantity.start - 36), quantity.start):
            vain.append(f"filtrer sur « {other[1]} »")
            spans.append((other.start(), quantity.end))
            continue
        if quantity.value < 1000:
            continue
        if cue("bounds.above").search(before) or cue("bounds.above_after").search(after):
            found["min_amount"] = quantity.value
        elif cue("bounds.below").search(before) or cue("bounds.below_after").search(after):
            found["max_amount"] = quantity.value
        else:
            continue
        spans.append((quantity.start, quantity.end))
    return found, spans, vain


def _same_scale(low: Quantity, high: Quantity) -> float:
    return low.value * 1000 if low.value < 1000 <= high.value and low.value * 1000 < high.value else low.value


def _signing(text: str, low: str, today: date, *, late: bool) -> tuple[Arguments, list[tuple[int, int]], list[str]]:
    """Days of signature: those of the period said, or a list in their order; a period of something else is not
    applied, and that is told."""
    closing = cue("bounds.closing").search(low) is not None
    if late:
        yesterday = date.fromordinal(today.toordinal() - 1)
        return (
            {"closes_before": yesterday.isoformat(), "sort": "closedate"},
            [m.span() for m in cue("bounds.overdue").finditer(low)],
            [],
        )
    period = find_period(
        text, today=today, past=bool(cue("bounds.signed").search(low)) and not cue("bounds.to_sign").search(low)
    )
    if period is None:
        return ({"sort": "closedate"} if closing else {}), [], []
    spans = [(period.start, period.end)]
    if cue("bounds.made").search(low) and not closing:
        return (
            {},
            [*spans, *(m.span() for m in cue("bounds.made").finditer(low))],
            ["filtrer par date de création ou de modification"],
        )
    found: Arguments = {"sort": "closedate"}
    if period.first:
        found["closes_after"] = period.first.isoformat()
    if period.last:
        found["closes_before"] = period.last.isoformat()
    return found, spans, []


def _days(low: str) -> int:
    match = STALE.search(low)
    if match is None:
        return STALE_DAYS
    count = int(match[1]) if match[1].isdigit() else NUMBERS[match[1]]
    return count * (1 if match[2].startswith("jour") else 7 if match[2].startswith("sem") else 30)
