"""The CRM writes of a model's reply: each text in the user's own words, each day read by code, each deal named by the
user; never a write that nobody asked for."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from pipeline.action_types import ActionKind, ActionRequest
from pipeline.reading import WRITES, Reading
from pipeline.thread_state import ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import find_due
from pipeline.understanding.model.intents import SURE, Intents
from pipeline.understanding.model.schema import KINDS_OF_WRITE, ReadWrite, Reply
from pipeline.understanding.model.verbatim import Claims, own, span
from pipeline.understanding.offline.writes import as_stored
from pipeline.understanding.own_words import flat, sentence_start

MOST_WRITES: Final = 4


def writes_of(
    reply: Reply, draft: Reading, state: ThreadState, *, intents: Intents, asked_at: datetime, claims: Claims
) -> tuple[tuple[ActionRequest, ...], date | None]:
    """The requests of these intents, and the day of the first that has one. What the model says of a write gives way to
    what the offline reader cut, where that one reads such a write; of a kind that it is sure of, none is lost."""
    kinds = {KINDS_OF_WRITE[name.removeprefix("crm_write_")]: name for name, _ in intents if name in WRITES}
    asks = draft.has(*WRITES) or bool(cues.said("write", flat(draft.text)))
    kept: list[ActionRequest] = []
    for item in reply.writes[:MOST_WRITES]:
        request = _request(item, draft, state, asks=asks, asked_at=asked_at)
        if request is None or request.kind not in kinds or request in kept:
            claims.falls("write", f"{item.kind} {item.body or item.value}")
            continue
        kept.append(request)
        claims.stands("write")
    for kind, name in kinds.items():
        cut = [request for request in draft.writes if request.kind == kind]
        found = [request for request in kept if request.kind == kind]
        if len(found) < len(cut) and (not found or dict(draft.intents).get(name, 0.0) >= SURE):
            kept = [*(request for request in kept if request.kind != kind), *cut]
    return tuple(kept), next((request.due for request in kept if request.due), None)


def _request(
    item: ReadWrite, draft: Reading, state: ThreadState, *, asks: bool, asked_at: datetime
) -> ActionRequest | None:
    """The request, or None: nothing of it stands in the user's words, and nothing refers to what was said."""
    kind = KINDS_OF_WRITE.get(item.kind)
    if kind is None:
        return None
    number, name = _deal(item.deal, draft, state)
    if kind == "update_property":
        return _update(item, draft, number=number, name=name, asked_at=asked_at)
    held = next((request for request in draft.writes if request.kind == kind), None)
    body, refers = _body(item, draft, state), item.refers and not item.body
    if not body and item.body:
        if held is None:
            return None
        body, refers = held.body, held.refers
    if not body and not (refers and asks):
        return None
    if name is None and number is None and held is not None:
        number, name = held.deal_id, held.deal_name
    due = (_day(item.date, draft, asked_at) or (held.due if held else None)) if kind == "create_task" else None
    known: ActionKind = "create_task" if kind == "create_task" else "create_note"
    return ActionRequest(known, body=sentence_start(body), due=due, deal_id=number, deal_name=name, refers=refers)


def _body(item: ReadWrite, draft: Reading, state: ThreadState) -> str:
    """As the user wrote it; a body that is the whole message, its order included, is none."""
    found = own(item.body, draft.text)
    if found and len(found) >= len(draft.text.strip(" .!?")):
        return ""
    return " ".join((found or own(item.body, *reversed(state.said))).split())


def _update(
    item: ReadWrite, draft: Reading, *, number: str | None, name: str | None, asked_at: datetime
) -> ActionRequest | None:
    """A change of a known field to a value of the user's words, or to a day that they say."""
    if item.property not in cues.patterns("property"):
        return None
    value = own(item.value, draft.text)
    day = _day(item.date, draft, asked_at) or _day(item.value, draft, asked_at)
    if item.property == "closedate":
        value = day.isoformat() if day else ""
    if not value:
        return None
    value = as_stored(item.property, value, asked_at=asked_at)
    return ActionRequest("update_property", property=item.property, value=value, deal_id=number, deal_name=name)


def _day(words: str, draft: Reading, asked_at: datetime) -> date | None:
    """The day that words of the message say; « le 15 » needs the word before it."""
    at = span(words, draft.text)
    if at is None:
        return None
    for start in (at[0], max(0, at[0] - 4)):
        if due := find_due(draft.text[start : at[1]], asked_at=asked_at):
            return due.day
    return None


def _deal(said: str, draft: Reading, state: ThreadState) -> tuple[str | None, str | None]:
    """(number, name) of a deal that the user named, in this message or before."""
    found = " ".join(own(said, draft.text, *reversed(state.said)).split())
    if not found:
        return None, None
    digits = re.sub(r"\D", "", found)
    if digits and not re.search(r"[^\W\d_]{3,}", cue("orders.deals").sub("", flat(found))):
        return digits, None
    return None, found


def deals_of(
    reply: Reply, draft: Reading, state: ThreadState, *, names: Sequence[str], claims: Claims
) -> tuple[str | None, tuple[str, ...]]:
    """(number, names) of the deals, where the message is about deals at all: a town is none."""
    low = flat(draft.text)
    about = any(name.startswith("crm") for name in names) or cue("orders.deals").search(low) is not None
    if not about:
        return draft.deal_id, draft.deal_names
    number, said = draft.deal_id, []
    for item in dict.fromkeys(reply.deals):
        digits, name = _deal(item, draft, state)
        if digits is None and name is None:
            claims.falls("deal", item)
            continue
        claims.stands("deal")
        number = number or digits
        said += [name] if name else []
    return number, tuple(dict.fromkeys(said)) or draft.deal_names
