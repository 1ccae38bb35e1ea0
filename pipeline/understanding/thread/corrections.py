"""The writes last asked for, with another day, hour, deal, value or text: « non le 20 », « 35 000 », « c'est samedi pas
dimanche », « pareil pour Martin »."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from pipeline.action_types import ActionRequest
from pipeline.reading import Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import DAY_NAMES, find_hour, impossible_day, impossible_hour
from pipeline.understanding.own_words import flat, sentence_start
from pipeline.understanding.thread.picking import by_word

NOT: Final = r",? (?:et )?(?:pas|non(?: pas)?|au lieu d[eu]|plutot que) (?:le |la |l')?"
THING: Final = (
    re.compile(rf"\b(?:{DAY_NAMES})\b"),
    re.compile(r"(?<![\d/:,.])\d+(?:[ .,]\d{3})*(?:,\d+)?(?![\d/:]| ?h\b| ?h\d)"),
)
"""Of what stands once in a text, another takes the place: a weekday, a number."""
DAY_ALONE: Final = re.compile(r"\b(?:le|au|du) (\d{1,2})(?= *(?:[,;.!?]|$|a \d|matin|apres|au lieu|pas\b|plutot))")


def corrects(reading: Reading, focus: Frame) -> bool:
    """Whether what was read as a write says nothing but how the last ones change."""
    low = flat(reading.text)
    if cues.said("cannot", low):
        return False
    again = cue("corrected.again").match(low) is not None
    if not any(request.body for request in reading.writes):
        held = {request.property for request in focus.writes}
        loose = again and cues.first("property", low) is None and not cue("corrected.move").search(low)
        if not again and set(cues.said("write", low)) - {r.kind for r in focus.writes} - {"update_property"}:
            return False  # « mets une tâche pour jeudi », after a note
        return all(r.kind != "update_property" or r.property in held or not r.value or loose for r in reading.writes)
    same_kind = {r.kind for r in reading.writes} <= {r.kind for r in focus.writes}
    return cue("corrected.text").search(low) is not None or (
        (again or cue("corrected.same").match(low) is not None) and same_kind
    )


def corrected(focus: Frame, reading: Reading, state: ThreadState) -> Frame:
    """The frame with what the message changes; the same frame when nothing of it is understood."""
    low = flat(reading.text)
    if cue("corrected.removes").search(low):
        return focus
    same = cue("corrected.same").match(low) is not None
    deal, name = reading.deal_id, reading.deal_names[0] if reading.deal_names else None
    if same and not deal and not name and state.offered:
        deal = by_word(re.findall(r"[a-z0-9]+", low), state.offered)
    told = {request.kind: request for request in reading.writes}
    never = impossible_day(reading.text)

    whole = not (reading.due or find_hour(reading.text) or deal or name or never)
    subject = sentence_start(reading.text) if whole else ""

    def one(request: ActionRequest) -> ActionRequest:
        now = told.get(request.kind)
        value = now.value if now and now.value and request.kind == "update_property" else request.value
        due = _day(reading, low, request)
        if due and request.property == "closedate":
            value = due.isoformat()
        if request.kind == "create_task":
            value = find_hour(reading.text) or value
        return replace(
            request,
            body=_text(request, now, reading.text, same=same) or subject,
            value=value,
            due=(due or (None if never else request.due)) if request.kind == "create_task" else request.due,
            deal_id=deal if deal or name else request.deal_id,
            deal_name=name if deal or name else request.deal_name,
        )

    writes = tuple(one(request) for request in focus.writes)
    dated = any(r.kind == "create_task" or r.property == "closedate" for r in focus.writes)
    timed = reading.due or find_hour(reading.text) or never or impossible_hour(reading.text)
    if writes == focus.writes and not (timed and dated) and not deal and not name:
        return focus
    return replace(focus, writes=writes or reading.writes, query=reading.query)


def _day(reading: Reading, low: str, request: ActionRequest) -> date | None:
    """« le 20 » is of the month that was spoken of, where it does not lie in the past."""
    alone = DAY_ALONE.search(low)
    held = request.due or (
        date.fromisoformat(request.value) if re.fullmatch(r"\d{4}-\d\d-\d\d", request.value) else None
    )
    if alone is None or held is None or reading.due is None or reading.due.day != int(alone[1]):
        return reading.due
    try:
        near = held.replace(day=int(alone[1]))
    except ValueError:
        return reading.due
    return max(near, reading.due)


def _text(request: ActionRequest, now: ActionRequest | None, said: str, *, same: bool) -> str:
    """The new text where one is dictated, else the old one with what is put right in it."""
    if dictated := cue("corrected.text").search(flat(said)):
        return sentence_start(said[dictated.end() :].strip(" .«»"))
    if now and now.body and (not same or ":" in said):
        return now.body
    return _put_right(request.body, said)


def _put_right(body: str, said: str) -> str:
    low, old = flat(said), flat(body)
    for thing in THING:
        new, held = list(thing.finditer(low)), list(thing.finditer(old))
        refused = [m for m in new if re.search(rf"(?:{NOT}|\bpas )$", low[: m.start()])]
        wanted = [m for m in new if m not in refused] or new
        gone = [m for m in held if any(m[0] == other[0] for other in refused)] or held
        if len(wanted) == 1 and len(gone) == 1:
            new_text = said[wanted[0].start() : wanted[0].end()]
            return f"{body[: gone[0].start()]}{new_text}{body[gone[0].end() :]}"
    word = re.search(rf"([\w-]+){NOT}([\w-]+)\W*$", low)
    if word and (at := re.search(rf"\b{re.escape(word[2])}\b", old)):
        return f"{body[: at.start()]}{said[word.start(1) : word.end(1)]}{body[at.end() :]}"
    return body


def on_deal(focus: Frame, deal: str) -> Frame:
    """The writes of a frame, all on this deal."""
    return replace(focus, writes=tuple(replace(r, deal_id=deal, deal_name=None) for r in focus.writes), pending=())
