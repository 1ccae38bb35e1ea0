"""CRM writes that a message asks for: fields cut from it -> `ActionRequest`s, and the deal that they are about."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from pipeline.action_types import ActionKind, ActionRequest
from pipeline.reading import WRITES, Intent
from pipeline.text.wording import in_digits
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import find_due, find_hour, impossible_day
from pipeline.understanding.offline.deals import (
    BARE,
    LINK,
    Deal,
    clauses,
    deal_of,
    field_of_deal,
    references,
    without_deal,
)
from pipeline.understanding.offline.dictated import TASK, TRAILING, bodies_of, rest_of, tidy, undated
from pipeline.understanding.offline.fields import Field
from pipeline.understanding.own_words import flat, sentence_start

KINDS: Final[dict[Intent, ActionKind]] = {
    "crm_write_note": "create_note",
    "crm_write_task": "create_task",
    "crm_write_update": "update_property",
}
LONGEST: Final = 500
MOST: Final = 4
"""Requests of one message."""
CALLED_BACK: Final = re.compile(r"relanc|rappel")


def writes_of(
    text: str, kinds: Sequence[Intent], found: Sequence[Field], *, asked_at: datetime
) -> tuple[tuple[ActionRequest, ...], date | None]:
    """One request a write, in the order in which they are said; and the day that the message names."""
    wanted = [KINDS[kind] for kind in kinds if kind in KINDS]
    day = _day_of(text, found, asked_at=asked_at)
    if not wanted:
        return (), day
    if _redates(text, wanted, day):
        wanted = ["update_property"]
    days = [(start, end) for start, end, _ in _days(text, found, asked_at=asked_at)]
    parts = clauses(text, references(text, found), days)
    if not parts:
        number, names = deal_of(text, found)
        deal: Deal = (number, names[0] if names and not number else None)
        alone = _of_one_deal(text, wanted, found, deal, asked_at=asked_at)
        return tuple(_called_back(r, flat(text)) for r in alone[:MOST]), day
    made = []
    for start, end, deal in parts:
        own = [_within(f, start, end, deal) for f in found if f.start < end and f.end > start]
        own = [f for f in own if LINK.sub("", f.text).strip()]
        part = text[start:end]
        here = [kind for kind in wanted if _speaks_of(kind, part, own)] or wanted[:1]
        made.append(_of_one_deal(part, here, own, deal, asked_at=asked_at, goes_on=start > 0))
    several = itertools.chain.from_iterable(_shared(made))
    return tuple(_called_back(r, flat(text)) for r in itertools.islice(several, MOST)), day


def _shared(made: Sequence[tuple[ActionRequest, ...]]) -> list[tuple[ActionRequest, ...]]:
    """« passe 9004 et 9011 en sans suite »: a deal of which nothing is said but a day takes what is said of the next
    one, else of the last one before."""
    full = [any(r.body or (r.value and r.kind == "update_property") for r in requests) for requests in made]
    told = []
    for at, own in enumerate(made):
        source = next((n for n in (*range(at, len(made)), *range(at - 1, -1, -1)) if full[n]), at)
        if source != at and own:
            mine = own[0]
            due, hour = (mine.due, mine.value) if mine.kind == "create_task" else (None, "")
            own = tuple(
                replace(r, deal_id=mine.deal_id, deal_name=mine.deal_name, due=due or r.due, value=hour or r.value)
                for r in made[source]
            )
        told.append(own)
    return told


def _within(field: Field, start: int, end: int, deal: Deal) -> Field:
    """What of a field stands in that part of the message, at its place there."""
    first = max(field.start, start)
    said = field.text[first - field.start : end - field.start]
    return Field(field.name, without_deal(said, deal) if field.name == "body" else said, first - start)


def _speaks_of(kind: ActionKind, part: str, own: Sequence[Field]) -> bool:
    """Whether this part of the message asks for a write of that kind."""
    if kind == "update_property":
        return any(f.name in ("property", "value") for f in own)
    return cue(f"write.{kind}").search(flat(part)) is not None


def _day_of(text: str, found: Sequence[Field], *, asked_at: datetime) -> date | None:
    outside = text
    for span in (f for f in found if f.name in ("body", "deal_id", "deal_name")):
        outside = outside[: span.start] + " " * len(span.text) + outside[span.end :]
    due = find_due(outside, asked_at=asked_at) or find_due(text, asked_at=asked_at)
    return due.day if due else None


def _of_one_deal(
    text: str,
    wanted: Sequence[ActionKind],
    found: Sequence[Field],
    deal: Deal,
    *,
    asked_at: datetime,
    goes_on: bool = False,
) -> tuple[ActionRequest, ...]:
    """The requests of a message, or of the part of it that is about one deal; one that `goes_on` with the list of
    another needs no word for a note or a task."""
    day = _day_of(text, found, asked_at=asked_at)
    bodies = bodies_of(text, wanted, found)
    starts = sorted(body.start for kind, body in bodies if body and kind == TASK)
    requests: list[tuple[int, ActionRequest]] = []
    for kind, body in bodies:
        start = body.start if body else 0
        told = without_deal(body.text, deal) if body and deal[0] else body.text if body else ""
        said = TRAILING.sub("", tidy(told)) if body else rest_of(text, kind, found, asked_at=asked_at, goes_on=goes_on)
        said = undated(said, asked_at=asked_at) if kind == TASK else said
        when, hour = None, ""
        if kind == TASK:
            when, hour = _moment(text, found, start, starts, asked_at=asked_at)
            when = when or day
        refers = (
            cue("dictated.refers").fullmatch(flat(said)) is not None
            if said
            else kind != TASK or cue("dictated.refers").search(flat(text)) is not None
        )
        written = "" if refers else sentence_start(said)
        requests.append((start, ActionRequest(kind, written, "", hour, when, *deal, refers)))
    if "update_property" in wanted:
        requests += _updates(text, found, "create_task" in wanted, deal, asked_at=asked_at, day=day)
    return tuple(request for _, request in sorted(requests, key=lambda item: item[0]))


def _redates(text: str, wanted: Sequence[ActionKind], day: date | None) -> bool:
    """« décale la signature du 9018 au 10 janvier » moves a day of the deal, and asks for no task."""
    low = flat(text)
    dated = day is not None or impossible_day(text) != ""
    named = cues.first("property", low) == "closedate"
    return (
        TASK in wanted
        and "create_note" not in wanted
        and named
        and dated
        and cue("orders.moves").search(low) is not None
        and not cue(f"write.{TASK}").search(low)
    )


def _moment(
    text: str, found: Sequence[Field], start: int, starts: Sequence[int], *, asked_at: datetime
) -> tuple[date | None, str]:
    """Day and hour of a task among several: what is said before each of them (« lundi : appeler »), else behind."""
    days = _days(text, found, asked_at=asked_at)
    stop = next((at for at in starts if at > start), len(text))
    leads = bool(days) and len(starts) > 1 and days[0][0] < starts[0]
    before = [day for at, _, day in days if at < start]
    behind = [day for at, _, day in days if start <= at < (stop if starts else len(text))]
    chosen = (before[-1:] or behind) if leads else (behind or before[-1:])
    since = max((at for at in starts if at < start), default=0)
    hour = find_hour(text[since:start]) if leads else ""
    return next(iter(chosen), None), hour or find_hour(text[start:stop]) or (find_hour(text) if len(starts) < 2 else "")


def _days(text: str, found: Sequence[Field], *, asked_at: datetime) -> list[tuple[int, int, date]]:
    """(start, end, day) of what is said of days, in order: cut out as fields, or known by rule."""
    days: list[tuple[int, int, date]] = []
    for field in (f for f in found if f.name == "date"):
        # « mardi » is cut out alone; « le 15 » needs the word before it to be a date.
        around = text[max(0, field.start - 4) : field.end]
        due = find_due(field.text, asked_at=asked_at) or find_due(around, asked_at=asked_at)
        days += [(field.start, field.end, due.day)] if due else []
    at = 0
    while due := find_due(text[at:], asked_at=asked_at):
        days.append((at + due.start, at + due.end, due.day))
        at += max(due.end, 1)
    return sorted(days)


def _called_back(request: ActionRequest, low: str) -> ActionRequest:
    """« relance Dupont lundi » says what the task is."""
    called = CALLED_BACK.search(low)
    named = request.deal_name or request.deal_id
    if request.kind != TASK or request.body or request.refers or called is None or not named:
        return request
    return replace(request, body=f"{called[0].capitalize()}er {request.deal_name or 'le client'}")


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
        changes.append((value.start, name, tidy(value.text)))
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
    return [
        (start, ActionRequest("update_property", "", name, as_stored(name, value, asked_at=asked_at), None, *deal))
        for start, name, value in changes
    ]


def as_stored(name: str, value: str, *, asked_at: datetime) -> str:
    """A day as ISO, a priority as HubSpot's option, an amount in digits."""
    if name == "closedate" and (due := find_due(value, asked_at=asked_at)):
        return due.day.isoformat()
    if name == "hs_priority":
        return (cues.first("priority", flat(value)) or value).upper()
    return (in_digits(value) if name == "amount" else value)[:LONGEST]


def writes_nothing(low: str, cut: Sequence[Field], state: ThreadState, *, sure: bool) -> bool:
    """« l'e-mail de Mme Diallo », « les deals de Camille en préconisation », « et l'autre, où ça en est ? »: without a
    verb of writing, a list, a view or a bare name asks for something."""
    if cue("orders.verb").search(low) or cue("orders.noun").search(low) or cues.said("cannot", low):
        return False
    told, view = {f.name for f in cut}, cues.first("crm_view", low)
    if view:
        return not (told & {"body", "value"} and (":" in low or view != "deals"))
    if field_of_deal(low) and "date" not in told and not re.search(r"[\d:=]|\b(?:en|a)\b", low):
        return True
    goes_on = state.focus is not None and state.focus.kind in WRITES
    return not sure and not goes_on and not told & {"body", "value", "date"} and not BARE.search(low)
