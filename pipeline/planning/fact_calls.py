"""Whether dated facts answer a question of rules, and which: a call that names them, decided from the user's words."""

from dataclasses import replace
from typing import Final

from corpus.facts.matching import asked_of
from pipeline.planning.setting import Setting
from pipeline.thread_state import Frame
from pipeline.types import ToolCall
from pipeline.understanding.thread.dialogue import Task

UNSURE: Final = 0.5
"""Confidence under which a reader does not know what a message is for."""
SURE: Final = 0.8
"""Score from which a record answers a message that the reader is unsure of."""


def fact_calls(task: Task, frame: Frame, setting: Setting, *, query: str) -> tuple[ToolCall, ...]:
    """At most one call; none where nothing on record answers, and none beside what is asked of a place alone or of
    somebody who wants more than the answer that he had."""
    if task.deepens or not (frame.kind == "rules" or task.reading.has("rules")):
        return ()
    asked = asked_of(query, schemes=frame.schemes, today=setting.today)
    if asked is None:
        return ()
    names = tuple(fact.id for fact in asked.facts)
    return (ToolCall("facts", {"facts": names, "on": asked.on.isoformat(), "form": asked.form}),)


def as_rules(task: Task, setting: Setting) -> Task:
    """The same as a question of rules, where the reader is unsure what a message at the head of its thread is for and
    a record answers it: « trêve hivernale dates » reads no CRM."""
    reading = task.reading
    named = reading.deal_id or reading.deal_names or reading.places or reading.quantities or reading.unknown_place
    if reading.main == "rules" or reading.confidence >= UNSURE or named or setting.state.frames or task.compared:
        return task
    asked = asked_of(reading.text, schemes=reading.schemes, today=setting.today)
    if asked is None or asked.score < SURE:
        return task
    read = replace(reading, intents=(("rules", reading.confidence),), writes=())
    return replace(task, reading=read, frame=Frame("rules", query=reading.text, schemes=reading.schemes))
