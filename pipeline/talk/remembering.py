"""What a thread keeps of an answer: what was computed, what is still asked for, which deals were shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from corpus.questions.asked import question_of
from corpus.types import Passage
from pipeline.planning.calculation import pending_roles
from pipeline.proposing.proposer import Proposed
from pipeline.talk.thread_talk import deal_read, deals_listed
from pipeline.text.persons import persons_told
from pipeline.text.sentences import MARKER
from pipeline.thread_state import Slots, ThreadState, from_json, to_json
from pipeline.types import Answer, Evidence, Figure, ToolResult
from pipeline.understanding.thread.dialogue import Task

MOST_FIGURES: Final = 24
"""Results that a thread remembers of one answer."""


def after_evidence(task: Task | None, state: ThreadState, results: tuple[ToolResult, ...]) -> dict[str, object]:
    """The thread's state after this answer: what was computed, what is still asked for, which deals were shown."""
    offered = next((result.choices for result in results if result.choices), ())
    waits = any(result.choices and result.error for result in results)
    if task is not None and task.frame is not None and not task.compared:
        told = [result for result in results if result.error is None]
        figures = dict.fromkeys(figure for result in told for figure in came_out(result))
        missing = tuple(name for result in results for name in result.missing)
        state = state.with_places(_of_places(told)).with_results(tuple(figures)[:MOST_FIGURES], pending_roles(missing))
    state = state.with_persons(persons_told(results))
    known = state.with_offer(offered, waits=waits).with_deal(deal_read(results)).with_list(deals_listed(results))
    return to_json(known.with_crm_told(_crm_told(results)))


def _crm_told(results: Sequence[ToolResult]) -> str:
    """Which view of the CRM was told; `several` deals of one or more names, and one deal alone whatever was asked."""
    told = [result for result in results if result.call.tool == "crm" and result.error is None]
    if not told:
        return ""
    if deal_read(told):
        return "deal"
    view = str(told[-1].call.arguments.get("view", "deal"))
    return "several" if view in ("deal", "brief", "compare") and told[-1].choices else view


def came_out(result: ToolResult) -> tuple[Figure, ...]:
    """Its figures, what was computed first; of a calculation not those that went in, which its frame has."""
    computed = tuple(entry.figure for entry in result.computed)
    return computed if result.call.tool == "calculator" else (*computed, *result.figures)


def _of_places(told: Sequence[ToolResult]) -> Mapping[str, tuple[Figure, ...]]:
    """What was found of each commune, by its code."""
    found: dict[str, tuple[Figure, ...]] = {}
    for result in told:
        if code := str(result.call.arguments.get("insee") or ""):
            found[code] = (*found.get(code, ()), *result.figures)
    return found


def with_cited(memory: Mapping[str, object], text: str, evidence: Evidence) -> Mapping[str, object]:
    """The same state, knowing which documents this answer cites, in the order of its text, and on which entry it
    opens."""
    passages = {number: item for number, item in evidence.numbered() if isinstance(item, Passage)}
    numbers = (int(number) for marker in MARKER.findall(text) for number in re.findall(r"\d+", marker))
    cited = [passages[number] for number in numbers if number in passages]
    if not cited:
        return memory
    state = from_json(memory).with_cited(tuple(dict.fromkeys(passage.document_id for passage in cited)))
    return to_json(state.with_told(cited[0].id) if question_of(cited[0]) else state)


def with_figures(answer: Answer, figures: Slots) -> Answer:
    """The same, its thread knowing what the told case that it answers says of its numbers."""
    state = from_json(answer.memory)
    if not figures or state.focus is None or state.focus.calculates:
        return answer
    focus = replace(state.focus, slots={**figures, **state.focus.slots})
    return replace(answer, memory=to_json(replace(state, frames=(*state.frames[:-1], focus))))


def with_offer(memory: Mapping[str, object], proposed: Proposed) -> Mapping[str, object]:
    """The same state, knowing which deals the writes may be about, where that has to be chosen first."""
    if not proposed.choices and not proposed.deal_id:
        return memory
    offered = tuple((choice.deal_id, choice.label) for choice in proposed.choices)
    state = from_json(memory).with_deal(proposed.deal_id)
    return to_json(state.with_offer(offered, waits=bool(offered) and not proposed.actions))
