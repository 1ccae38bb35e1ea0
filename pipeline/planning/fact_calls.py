"""Whether dated facts answer a question of rules, and which: a call that names them, decided from the user's words."""

from collections.abc import Sequence

from corpus.facts.matching import asked_of
from pipeline.planning.setting import Setting
from pipeline.thread_state import Frame
from pipeline.types import ToolCall
from pipeline.understanding.thread.dialogue import Task


def fact_calls(task: Task, frame: Frame, setting: Setting, *, query: str) -> tuple[ToolCall, ...]:
    """At most one call; none where nothing on record answers, and none beside what is asked of a place alone or of
    somebody who wants more than the answer that he had."""
    if task.deepens or not (frame.kind == "rules" or task.reading.has("rules")):
        return ()
    asked = asked_of(query, schemes=_schemes(frame), today=setting.today)
    if asked is None:
        return ()
    names = tuple(fact.id for fact in asked.facts)
    return (ToolCall("facts", {"facts": names, "on": asked.on.isoformat(), "form": asked.form}),)


def _schemes(frame: Frame) -> Sequence[str]:
    return tuple(dict.fromkeys(frame.schemes))
