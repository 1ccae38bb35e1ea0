"""CRM writes that a message asks for: fields cut from it -> `ActionRequest`s, and the deal that they are about."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from pipeline.reading import Intent
from pipeline.text.wording import in_digits
from pipeline.types import ActionKind, ActionRequest
from pipeline.understanding import cues
from pipeline.understanding.dates import find_due
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
LONGEST: Final = 500


def deal_of(text: str, found: Sequence[Field]) -> tuple[str | None, tuple[str, ...]]:
    """(number, names) of the deals that a message names, by what was learned and by how deals are always written."""
    low = flat(text)
    numbers = [next(filter(None, match.groups())) for match in NUMBERED.finditer(low)]
    numbers += [digits for f in found if f.name == "deal_id" and (digits := re.sub(r"\D", "", f.text))]
    names = [f.text.strip(" .,:;?!'’«»\"()") for f in found if f.name == "deal_name"]
    if not names:
        names = [next(filter(None, match.groups())).strip() for match in CALLED.finditer(text)]
    names = [
        re.sub(r"^(?:(?:le|la|les|m\.?|mme|mr|monsieur|madame|dossier|deal)\s+)+", "", n, flags=re.IGNORECASE)
        for n in names
    ]
    kept = [name for name in names if len(name) > 1 and flat(name) not in NO_NAME and not name.isdigit()]
    return (numbers[0] if numbers else None), tuple(dict.fromkeys(kept))


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
    deal = {"deal_id": number, "deal_name": names[0] if names and not number else None}
    requests: list[tuple[int, ActionRequest]] = []
    bodies = _bodies(text, wanted, found)
    for kind, body in bodies:
        start = body.start if body else 0
        said = _clean(body.text) if body else ""
        refers = not said or REFERS.fullmatch(flat(said)) is not None
        when = _nearest_day(text, found, start, asked_at=asked_at) or day if kind == "create_task" else None
        own = _nearest_name(found, start) if len(names) > 1 else None
        about = {"deal_id": None, "deal_name": own} if own else deal
        requests.append(
            (start, ActionRequest(kind, body="" if refers else sentence_start(said), due=when, refers=refers, **about))
        )
    if "update_property" in wanted:
        requests += _updates(text, found, wanted, deal, asked_at=asked_at, day=day)
    return tuple(request for _, request in sorted(requests, key=lambda item: item[0]))[:4], day


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
    text: str,
    found: Sequence[Field],
    wanted: Sequence[ActionKind],
    deal: dict[str, str | None],
    *,
    asked_at: datetime,
    day: date | None,
) -> list[tuple[int, ActionRequest]]:
    """One change a value; a value without a named field is a stage, a day is the date of signature."""
    named = [(f.start, name) for f in found if f.name == "property" if (name := cues.first("property", flat(f.text)))]
    values = [f for f in found if f.name == "value"]
    dates = [f for f in found if f.name == "date"]
    changes: list[tuple[int, str, str]] = []
    for value in values:
        near = min(named, key=lambda item: abs(item[0] - value.start), default=None)
        name = near[1] if near else cues.first("property", flat(text)) or "dealstage"
        if name == "closedate":
            name = "dealstage" if find_due(value.text, asked_at=asked_at) is None else name
        changes.append((value.start, name, _clean(value.text)))
    closing = any(name == "closedate" for _, name in named) or (not named and not values)
    if (
        closing
        and "closedate" not in {name for _, name, _ in changes}
        and not ("create_task" in wanted and len(dates) < 2)
    ):
        near_closing = min(
            dates,
            key=lambda f: min((abs(f.start - at) for at, n in named if n == "closedate"), default=0),
            default=None,
        )
        due = find_due(near_closing.text, asked_at=asked_at) if near_closing else None
        when = due.day if due else day
        if when or not changes:
            changes.append((near_closing.start if near_closing else 0, "closedate", when.isoformat() if when else ""))
    names = [f.text for f in found if f.name == "deal_name"]
    made = []
    for start, name, value in changes:
        if name == "closedate" and (due := find_due(value, asked_at=asked_at)):
            value = due.day.isoformat()
        if name == "hs_priority":
            value = (cues.first("priority", flat(value)) or value).upper()
        if name == "amount":
            value = in_digits(value)
        own = _nearest_name(found, start) if len(names) > 1 else None
        about = {"deal_id": None, "deal_name": own} if own else deal
        made.append((start, ActionRequest("update_property", property=name, value=value[:LONGEST], **about)))
    return made


def _nearest_day(text: str, found: Sequence[Field], start: int, *, asked_at: datetime) -> date | None:
    near = sorted((f for f in found if f.name == "date"), key=lambda f: abs(f.start - start))
    for field in near:
        # « mardi » is cut out alone; « le 15 » needs the word before it to be a date.
        around = text[max(0, field.start - 4) : field.end]
        due = find_due(field.text, asked_at=asked_at) or find_due(around, asked_at=asked_at)
        if due:
            return due.day
    return None


def _nearest_name(found: Sequence[Field], start: int) -> str | None:
    names = [f for f in found if f.name == "deal_name"]
    return min(names, key=lambda f: abs(f.start - start)).text.strip() if names else None


def _without(text: str, spans: Sequence[Field]) -> str:
    for span in sorted(spans, key=lambda f: -f.start):
        text = text[: span.start] + " " * len(span.text) + text[span.end :]
    return text


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(' .,:;«»"“”-').strip()
