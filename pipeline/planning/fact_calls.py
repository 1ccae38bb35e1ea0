"""Whether dated facts answer a question of rules, and which: a call that names them, decided from the user's words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.facts.matching import Asked, asked_of, disputed_near
from corpus.facts.values import Fact
from pipeline.planning.recorded import recorded_call
from pipeline.planning.setting import Setting
from pipeline.reading import CALCULATIONS, WRITES, Reading
from pipeline.schemes import having
from pipeline.thread_state import Frame
from pipeline.types import ToolCall
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import KINDS
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import Task
from pipeline.understanding.thread.frames import complete

UNSURE, UNSURE_WRITE = 0.5, 0.7
"""Confidence under which a reader does not know what a message is for; more is needed for a write about a scheme."""
CLEAR: Final = 1.05
"""Score from which it answers beside what else is asked for."""
LEAST_AMOUNT: Final = 100
"""A bare number from here on may be euros or square metres."""
OWN_CASE: Final = 2
"""Quantities from which a calculation is somebody's own case, which no example of an article answers."""
SURE: Final = 0.8
"""Score from which a record answers a message that the reader takes for something else."""


def fact_calls(task: Task, frame: Frame, setting: Setting, *, query: str) -> tuple[ToolCall, ...]:
    """At most one call, and the shares on record of the case's amount before it; none where nothing on record answers,
    none for somebody who wants more than the answer that he had, and beside what is asked of a place only a rule that
    is asked for as clearly."""
    if task.deepens:
        return ()
    asked = asked_of(query, schemes=frame.schemes, today=setting.today)
    rules = frame.kind == "rules" or task.reading.has("rules")
    if not rules and (asked is None or not _as_clear(asked)):
        return ()
    near = disputed_near(query, schemes=frame.schemes)
    if asked is None and near:
        asked = Asked((), "beside", setting.today, score=0.0)
    worked = recorded_call(asked, task, setting) if asked is not None else ()
    return (*worked, *_call(asked, near))


def _as_clear(asked: Asked) -> bool:
    """« Prix à Rennes, et quel préavis là-bas ? »: one thing is asked of the place, another of a rule of no place."""
    return asked.form == "answer" and asked.score >= CLEAR and asked.facts[0].scheme not in having("place")


def beside_inputs(task: Task, frame: Frame, setting: Setting) -> tuple[ToolCall, ...]:
    """What is on record for a calculation that no amount was given for: « la tranche à 30, c'est à partir de combien »
    asks for no household's tax."""
    if task.inherited or sized(task.reading):
        return ()
    asked = asked_of(task.reading.text, schemes=frame.schemes, today=setting.today)
    return _call(asked) if asked is not None and asked.score >= SURE and asked.form != "beside" else ()


def sized(reading: Reading) -> bool:
    """Whether it gives an amount or an area to reckon with; a rate, an age or a year is none."""
    return any(q.unit in ("€", "m²") or (q.unit == "" and q.value >= LEAST_AMOUNT) for q in reading.quantities)


def _call(asked: Asked | None, near: Sequence[Fact] = ()) -> tuple[ToolCall, ...]:
    """`near`: what sources disagree on, told where the answer tells one of its values."""
    if asked is None:
        return ()
    names = tuple(fact.id for fact in asked.facts)
    said = {"facts": names, "on": asked.on.isoformat(), "form": asked.form, "score": round(asked.score, 2)}
    if others := tuple(fact.id for fact in near if fact not in asked.facts):
        said["near"] = others
    return (ToolCall("facts", said),)


def as_rules(task: Task, setting: Setting) -> Task:
    """The same as a question of rules, where our articles have it among their own, or the reader is unsure what a
    message at the head of its thread is for and a record answers it: « trêve hivernale dates » reads no CRM. A
    calculation is told beside, unless it is somebody's own case."""
    reading = task.reading
    if _hardly_a_sum(task):
        return of_rules(task)
    listed = reading.main == "crm_read" and cue("bounds.of_deals").search(flat(reading.text)) is not None
    if setting.recognised and not reading.places and not listed:
        calculates = task.frame is not None and task.frame.calculates
        if calculates and len(reading.quantities) >= OWN_CASE:
            return task
        if calculates:
            return replace(task, reading=replace(reading, intents=(*reading.intents, ("rules", reading.confidence))))
        return of_rules(task)
    floor = UNSURE_WRITE if reading.schemes and reading.main in WRITES else UNSURE
    named = reading.deal_id or reading.deal_names or reading.places or reading.unknown_place
    elsewhere = named or sized(reading) or setting.state.frames
    if reading.main == "rules" or reading.confidence >= floor or elsewhere:
        return task
    asked = asked_of(reading.text, schemes=reading.schemes, today=setting.today)
    if asked is None or asked.score < SURE:
        return task
    return of_rules(task)


def _hardly_a_sum(task: Task) -> bool:
    """A calculation that the reader is unsure of, and that has not even its first inputs: « régime petite copropriété
    applicable à 4 lots ? » is asked of the articles. So is a company's tax, which no calculator of ours knows."""
    frame, unsure = task.frame, task.reading.confidence < UNSURE and task.reading.main in CALCULATIONS
    taxed = frame is not None and frame.kind in ("calc_regime", "calc_gain") and not KINDS & frame.options
    if taxed and not task.inherited and cue("asked.company").search(flat(task.reading.text)):
        return True
    if not unsure or frame is None or not frame.calculates or task.inherited or KINDS & frame.options:
        return False
    return not complete(frame.slots, frame.kind)


def of_rules(task: Task) -> Task:
    """The same message as a question of rules and nothing else."""
    reading = task.reading
    read = replace(reading, intents=(("rules", reading.confidence),), writes=())
    return replace(task, reading=read, frame=Frame("rules", query=reading.text, schemes=reading.schemes))
