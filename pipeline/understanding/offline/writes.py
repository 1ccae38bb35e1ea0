"""CRM writes that a message asks for: fields cut from it -> `ActionRequest`s, and the deal that they are about."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from pipeline.reading import Intent
from pipeline.text.wording import in_digits
from pipeline.types import ActionKind, ActionRequest
from pipeline.understanding import cues
from pipeline.understanding.dates import find_due, find_hour
from pipeline.understanding.offline.deals import Deal, Reference, deal_at, deal_of, references
from pipeline.understanding.offline.fields import Field
from pipeline.understanding.own_words import flat, sentence_start

KINDS: Final[dict[Intent, ActionKind]] = {
    "crm_write_note": "create_note",
    "crm_write_task": "create_task",
    "crm_write_update": "update_property",
}
CUE: Final = {
    "create_note": re.compile(r"\bnot\w*|consign|inscri|trace\b|garde[rsz]?\b|archiv|compte[- ]rendu"),
    "create_task": re.compile(
        r"rappel\w*|\btaches?\b|\btask\b|relanc\w*|\brdv\b|\btodo\b|pense[- ]bete|planifi|programme|a faire"
    ),
}
REFERS: Final = re.compile(
    r"\b(?:ca|cela|ceci|le (?:resultat|calcul|chiffre|montant|tableau|comparatif|detail|total)|la (?:reponse|"
    r"mensualite|renta\w*|synthese|simul\w*)|"
    r"ces? (?:chiffres?|resultats?|points?|infos?|elements?|calculs?)|les (?:chiffres|resultats|deux|3|trois)|"
    r"tout|l'essentiel|cette \w+)\b"
)
LEADING: Final = re.compile(
    r"^(?:(?:moi|nous|lui|-moi|stp|svp|une?|la|le|sur|dans|chez|au|dossier|deal|fiche|client|pour|de|d['’]|que|qu['’]|qui|dit|a|à|et|"
    r"tache|tâche|rappel|note|relance)\b[ ,:'’-]*)+",
    re.IGNORECASE,
)
TRAILING: Final = re.compile(
    r"(?:[ ,]+(?:stp|svp|merci|pour|sur|le|la|au|du|de|dans|chez|dossier|deal|avant|et))+$", re.IGNORECASE
)
IDLE: Final = frozenset(
    [
        "dossier",
        "deal",
        "fiche",
        "note",
        "notes",
        "tache",
        "rappel",
        "stp",
        "svp",
        "merci",
        "sur",
        "pour",
        "dans",
        "chez",
        "client",
        "lui",
        "moi",
        "cela",
        "ceci",
    ]
)
LONGEST: Final = 500


def writes_of(
    text: str, kinds: Sequence[Intent], found: Sequence[Field], *, asked_at: datetime
) -> tuple[tuple[ActionRequest, ...], date | None]:
    """One request a write, in the order in which they are said; and the day that the message names."""
    wanted = [KINDS[kind] for kind in kinds if kind in KINDS]
    outside = _without(text, [f for f in found if f.name in ("body", "deal_id")])
    due = find_due(outside, asked_at=asked_at) or find_due(text, asked_at=asked_at)
    day = due.day if due else None
    if not wanted:
        return (), day
    number, names = deal_of(text, found)
    deal: Deal = (number, names[0] if names and not number else None)
    said_deals = references(text, found)
    requests: list[tuple[int, ActionRequest]] = []
    for kind, body in _bodies(text, wanted, found):
        start = body.start if body else 0
        said = _clean(body.text) if body else _rest(text, kind, found, asked_at=asked_at)
        said = _undated(said, asked_at=asked_at) if kind == "create_task" else said
        refers = not said or REFERS.fullmatch(flat(said)) is not None
        when = _nearest_day(text, found, start, asked_at=asked_at) or day if kind == "create_task" else None
        told = "" if refers else sentence_start(said)
        hour = find_hour(text) if kind == "create_task" else ""
        own_number, own_name = deal_at(said_deals, start, deal)
        requests.append((start, ActionRequest(kind, told, "", hour, when, own_number, own_name, refers)))
    if "update_property" in wanted:
        requests += _updates(text, found, "create_task" in wanted, deal, asked_at=asked_at, day=day)
    requests = _each_deal(requests, said_deals)
    return tuple(request for _, request in sorted(requests, key=lambda item: item[0]))[:4], day


def _rest(text: str, kind: ActionKind, found: Sequence[Field], *, asked_at: datetime) -> str:
    """What remains behind the word that asks for a note or a task, without the day and the deal, where no body was
    cut out; "" when it only points at what was said (« note ça »)."""
    cue = CUE[kind].search(flat(text))
    if cue is None:
        return ""
    spans = [(f.start, f.end) for f in found if f.name in ("date", "deal_name", "deal_id")]
    if due := find_due(text, asked_at=asked_at):
        spans.append((due.start, due.end))
    tail = "".join(" " if any(s <= i < e for s, e in spans) else c for i, c in enumerate(text) if i >= cue.end())
    words = LEADING.sub("", re.sub(r"\s+", " ", tail).strip(" ,.:;!?"))
    words = TRAILING.sub("", words).strip(" ,.:;!?")
    low = flat(words)
    told = [w for w in re.findall(r"[a-z]{3,}", low) if w not in IDLE]
    return "" if not told or REFERS.match(low) else words


def _undated(said: str, *, asked_at: datetime) -> str:
    """« rappeler jeudi » is « rappeler »: the day is the task's, and may change."""
    due = find_due(said, asked_at=asked_at)
    if due is None:
        return said
    rest = re.sub(r"\s+", " ", f"{said[: due.start]} {said[due.end :]}")
    rest = re.sub(r"\b(?:a |à )?\d{1,2} ?[hH] ?\d{0,2}\b", "", rest)
    rest = TRAILING.sub("", rest.strip(" ,.:;")).strip(" ,.:;")
    return rest or said


def _bodies(text: str, wanted: Sequence[ActionKind], found: Sequence[Field]) -> list[tuple[ActionKind, Field | None]]:
    """Which body belongs to which write: the nearest word for a note or a task before it."""
    simple: list[ActionKind] = [kind for kind in wanted if kind != "update_property"]
    if not simple:
        return []
    bodies = [f for f in found if f.name == "body"]
    if len(simple) == 1:
        return [(simple[0], body) for body in bodies[:3]] or [(simple[0], None)]
    low, given, left = flat(text), [], list(bodies)
    for kind in simple:
        cue = CUE[kind].search(low)
        at = cue.start() if cue else 0
        best = min(left, key=lambda f: (f.start < at - 30, abs(f.start - at)), default=None)
        if best is not None:
            left.remove(best)
        given.append((kind, best))
    return given


def _updates(
    text: str, found: Sequence[Field], tasks: bool, deal: Deal, *, asked_at: datetime, day: date | None
) -> list[tuple[int, ActionRequest]]:
    """One change a value; a value without a named field is a stage, a day is the date of signature. `tasks`: a task is
    asked for as well, whose day is its own."""
    named = [(f.start, name) for f in found if f.name == "property" if (name := cues.first("property", flat(f.text)))]
    changes: list[tuple[int, str, str]] = []
    for value in (f for f in found if f.name == "value"):
        near = min(named, key=lambda item: abs(item[0] - value.start), default=None)
        name = near[1] if near else cues.first("property", flat(text)) or "dealstage"
        if name == "closedate" and find_due(value.text, asked_at=asked_at) is None:
            name = "dealstage"
        changes.append((value.start, name, _clean(value.text)))
    closing = any(name == "closedate" for _, name in named) or (not named and not changes)
    days = [f for f in found if f.name == "date"]
    if closing and all(name != "closedate" for _, name, _ in changes) and not (tasks and len(days) < 2):
        places = [at for at, name in named if name == "closedate"] or [0]
        near_day = min(days, key=lambda f: min(abs(f.start - at) for at in places), default=None)
        due = find_due(near_day.text, asked_at=asked_at) if near_day else None
        when = due.day if due else day
        if when or not changes:
            said = near_day.text if near_day else ""
            changes.append((near_day.start if near_day else 0, "closedate", when.isoformat() if when else said))
    said_deals = references(text, found)
    made = []
    for start, name, value_text in changes:
        number, called = deal_at(said_deals, start, deal)
        stored = as_stored(name, value_text, asked_at=asked_at)
        made.append((start, ActionRequest("update_property", "", name, stored, None, number, called)))
    return made


def as_stored(name: str, value: str, *, asked_at: datetime) -> str:
    """A day as ISO, a priority as HubSpot's option, an amount in digits."""
    if name == "closedate" and (due := find_due(value, asked_at=asked_at)):
        return due.day.isoformat()
    if name == "hs_priority":
        return (cues.first("priority", flat(value)) or value).upper()
    return (in_digits(value) if name == "amount" else value)[:LONGEST]


def _each_deal(
    requests: list[tuple[int, ActionRequest]], said_deals: Sequence[Reference]
) -> list[tuple[int, ActionRequest]]:
    """« passe 9004 et 9011 en sans suite »: one request for each of the deals, where only one was cut out."""
    if len(requests) != 1 or len(said_deals) < 2:
        return requests
    at, request = requests[0]
    return [
        (at + n, replace(request, deal_id=number, deal_name=name)) for n, (_, number, name) in enumerate(said_deals)
    ]


def _nearest_day(text: str, found: Sequence[Field], start: int, *, asked_at: datetime) -> date | None:
    """The day of a request among several: the first one said behind its body, else the last one before."""
    days: list[tuple[int, date]] = []
    for field in (f for f in found if f.name == "date"):
        # « mardi » is cut out alone; « le 15 » needs the word before it to be a date.
        around = text[max(0, field.start - 4) : field.end]
        due = find_due(field.text, asked_at=asked_at) or find_due(around, asked_at=asked_at)
        days += [(field.start, due.day)] if due else []
    at = 0
    while due := find_due(text[at:], asked_at=asked_at):
        days.append((at + due.start, due.day))
        at += max(due.end, 1)
    behind = sorted(day for day in days if day[0] >= start)
    return behind[0][1] if behind else max(days)[1] if days else None


def _without(text: str, spans: Sequence[Field]) -> str:
    for span in sorted(spans, key=lambda f: -f.start):
        text = text[: span.start] + " " * len(span.text) + text[span.end :]
    return text


def _clean(text: str) -> str:
    said = re.sub(r"\s+", " ", text).strip(' .,:;«»"“”-').strip()
    return re.sub(
        r"^(?:que |qu['’]|de (?=\w+er\b)|d['’](?=\w+er\b)|comme quoi |disant que )", "", said, flags=re.IGNORECASE
    )
