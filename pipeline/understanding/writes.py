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
from pipeline.understanding.fields import Field
from pipeline.understanding.own_words import flat, sentence_start

KINDS: Final[dict[Intent, ActionKind]] = {
    "crm_write_note": "create_note",
    "crm_write_task": "create_task",
    "crm_write_update": "update_property",
}
NUMBERED: Final = re.compile(
    r"--deal[ =]+#?(\d{1,15})|\b(?:dossiers?|deals?|affaires?|opportunites?)\s?:?\s?(?:n ?[°o]\.? ?|numero |no\.? |id )?#?(\d{2,15})\b"
    r"(?! ?(?:€|%|euros|k\b|m2))|(?<![\w&])#(\d{2,15})\b"
)
CALLED: Final = re.compile(
    r"\b(?:[Dd]ossier|[Dd]eal|[Aa]ffaire|[Cc]lient|[Ff]iche)\s+(?:de\s+|des\s+|d')?(?:la\s+famille\s+)?(?:(?:M\.|Mme|Mr|Mlle|Monsieur|Madame)\s+)?"
    r"(?:«\s*([^»\n]{2,80}?)\s*»|\"([^\"\n]{2,80})\"|([A-ZÀ-ÖØ-Ý][\w'’-]*(?:\s+[A-ZÀ-ÖØ-Ý][\w'’-]+){0,3}))"
)
TITLED: Final = re.compile(
    r"\b(?:m\.|mr|mme|monsieur|madame|m(?= [a-z]{3})|clients?|famille|chez|dossier|deal) (?:et mme )?([a-zà-ÿ][a-zà-ÿ'’-]{2,})\b",
    re.IGNORECASE,
)
"""« rappeler m lefevre », « note chez garnier »: as thumbs write it."""
NO_NAME: Final = frozenset(
    [
        "crm",
        "hubspot",
        "lmnp",
        "lmp",
        "dpe",
        "pinel",
        "cif",
        "sci",
        "malraux",
        "denormandie",
        "jeanbrun",
        "t1",
        "t2",
        "t3",
        "t4",
        "celui",
        "celle",
        "lui",
        "elle",
        "eux",
        "est",
        "client",
        "clients",
        "pour",
        "que",
        "qui",
        "les",
        "des",
        "t5",
        "m",
        "mme",
        "le",
        "la",
        "les",
        "ce",
        "ca",
    ]
)
CUE: Final = {
    "create_note": re.compile(r"\bnot\w*|consign|inscri|trace\b|garde[rsz]?\b|archiv|compte[- ]rendu"),
    "create_task": re.compile(
        r"rappel\w*|\btaches?\b|\btask\b|relanc\w*|\brdv\b|\btodo\b|pense[- ]bete|planifi|programme|a faire"
    ),
}
REFERS: Final = re.compile(
    r"\b(?:ca|cela|ceci|le (?:resultat|calcul|chiffre|montant|tableau|comparatif|detail|total)|la (?:reponse|mensualite|renta\w*|synthese|simul\w*)|"
    r"ces? (?:chiffres?|resultats?|points?|infos?|elements?|calculs?)|les (?:chiffres|resultats|deux|3|trois)|tout|l'essentiel|cette \w+)\b"
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
Deal = tuple[str | None, str | None]
"""A deal as it was said: (number, name)."""
LONGEST: Final = 500


def deal_of(text: str, found: Sequence[Field]) -> tuple[str | None, tuple[str, ...]]:
    """(number, names) of the deals that a message names, by what was learned and by how deals are always written."""
    low = flat(text)
    numbers = [deal for _, deal, _ in _references(text, found) if deal]
    names = [f.text.strip(" .,:;?!'’«»\"()") for f in found if f.name == "deal_name"]
    if not names:
        names = [next(filter(None, match.groups())).strip() for match in CALLED.finditer(text)]
    if not names and not numbers:
        names = [match[1] for match in TITLED.finditer(text)]
    names = [
        re.sub(r"^(?:(?:le|la|les|m\.?|mme|mr|monsieur|madame|dossier|deal)\s+)+", "", n, flags=re.IGNORECASE)
        for n in names
    ]
    kept = [name for name in names if len(name) > 1 and flat(name) not in NO_NAME and not name.isdigit()]
    return (numbers[0] if numbers else None), tuple(dict.fromkeys(kept))


def number_said(text: str) -> bool:
    """Whether a deal's number is said as such: « dossier 1234 », « #1234 »."""
    return NUMBERED.search(flat(text)) is not None


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
    references = _references(text, found)
    requests: list[tuple[int, ActionRequest]] = []
    for kind, body in _bodies(text, wanted, found):
        start = body.start if body else 0
        said = _clean(body.text) if body else _rest(text, kind, found, asked_at=asked_at)
        said = _undated(said, asked_at=asked_at) if kind == "create_task" else said
        refers = not said or REFERS.fullmatch(flat(said)) is not None
        when = _nearest_day(text, found, start, asked_at=asked_at) or day if kind == "create_task" else None
        told = "" if refers else sentence_start(said)
        hour = find_hour(text) if kind == "create_task" else ""
        own_number, own_name = _about(references, start, deal)
        requests.append((start, ActionRequest(kind, told, "", hour, when, own_number, own_name, refers)))
    if "update_property" in wanted:
        requests += _updates(text, found, "create_task" in wanted, deal, asked_at=asked_at, day=day)
    requests = _each_deal(requests, references)
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
    references = _references(text, found)
    made = []
    for start, name, value_text in changes:
        number, called = _about(references, start, deal)
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


Reference = tuple[int, str | None, str | None]
"""Where a deal is said, and how: (position, number, name)."""
BARE: Final = re.compile(r"\b(?:le|les|et|sur|du|au|,) ?(\d{3,15})\b(?! ?(?:€|%|euros?|k\b|m2|/|h\b|d[e']))")


def _references(text: str, found: Sequence[Field]) -> list[Reference]:
    """Every deal that the message names, in order, each once."""
    low = flat(text)
    told: list[Reference] = [(m.start(), next(filter(None, m.groups())), None) for m in NUMBERED.finditer(low)]
    told += [(f.start, digits, None) for f in found if f.name == "deal_id" and (digits := re.sub(r"\D", "", f.text))]
    if told:
        told += [(m.start(1), m[1], None) for m in BARE.finditer(low)]
    told += [(f.start, None, f.text.strip(" .,:;?!'’«»\"()")) for f in found if f.name == "deal_name"]
    seen: set[tuple[str | None, str | None]] = set()
    kept = []
    for at, number, name in sorted(told):
        if (number, name) not in seen:
            seen.add((number, name))
            kept.append((at, number, name))
    return kept


def _about(references: Sequence[Reference], start: int, deal: Deal) -> Deal:
    """The deal of one of several requests: the one said last before it, else the first behind it."""
    if len(references) < 2:
        return deal
    before = [r for r in references if r[0] <= start]
    _, number, name = before[-1] if before else references[0]
    return number, name


def _each_deal(
    requests: list[tuple[int, ActionRequest]], references: Sequence[Reference]
) -> list[tuple[int, ActionRequest]]:
    """« passe 9004 et 9011 en sans suite »: one request for each of the deals, where only one was cut out."""
    if len(requests) != 1 or len(references) < 2:
        return requests
    at, request = requests[0]
    return [
        (at + n, replace(request, deal_id=number, deal_name=name)) for n, (_, number, name) in enumerate(references)
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
