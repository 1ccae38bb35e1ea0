"""Threads in which what is asked is also computed: what a later message may build on."""

import asyncio
from collections.abc import Sequence
from datetime import date

from pipeline.planning.calculation import pending_roles
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.talk.remembering import came_out
from pipeline.thread_state import ThreadState
from pipeline.tools.calculator import CalculatorTool
from pipeline.tools.comparison import ComparisonTool
from pipeline.types import Figure, Question, Route, ToolCall, ToolResult
from pipeline.understanding.thread.dialogue import remembered
from tests.asking import SUNDAY, places, reader

Turn = tuple[Route, tuple[ToolResult, ...], ThreadState]


def computed(*messages: str, looked_up: Sequence[tuple[str, float, str]] = ()) -> list[Turn]:
    """Route, results and state of each message. `looked_up`: (label, value, unit) of what a place's services say."""
    state, told = ThreadState(), []
    tools = {"calculator": CalculatorTool(today=lambda: date(2026, 11, 22)), "compare": ComparisonTool()}
    for text in messages:
        question = Question(text=text, asked_by="U1", asked_at=SUNDAY)
        task = task_of(asyncio.run(reader().read(question, state)), state)
        route = plan(task, Setting(question, state, places(), crm_available=False))
        state = remembered(state, task)
        results = tuple(asyncio.run(tools[call.tool].run(call)) for call in route.tool_calls if call.tool in tools)
        if task.frame is not None and not task.compared:
            figures = [figure for result in results for figure in came_out(result)]
            if any(call.tool == "sales" for call in route.tool_calls):
                figures += [Figure(*row) for row in looked_up]
            missing = [name for r in results for name in r.missing]
            state = state.with_results(tuple(dict.fromkeys(figures)), pending_roles(missing))
        told.append((route, results, state))
    return told


def last(*messages: str, looked_up: Sequence[tuple[str, float, str]] = ()) -> tuple[ToolCall, dict[str, float], str]:
    """(first call, its results by label, what is said) of the last message."""
    route, results, _ = computed(*messages, looked_up=looked_up)[-1]
    values = {entry.figure.label: entry.figure.value for result in results for entry in result.computed}
    said = " ".join(result.error or result.text for result in results)
    return route.tool_calls[0], values, said.replace("\u202f", " ").replace("\xa0", " ")
