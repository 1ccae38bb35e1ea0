"""The toolbox: all tools at once, a deadline each and one for all, and no failure that is not a value."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from pipeline.toolbox import ALL_SECONDS, CALL_SECONDS, run_tools
from pipeline.types import ToolCall, ToolResult

Work = Callable[[ToolCall], Awaitable[ToolResult]]


@dataclass
class Doing:
    """A tool that does what it was given to do."""

    name: str
    work: Work

    async def run(self, call: ToolCall) -> ToolResult:
        return await self.work(call)


async def at_once(call: ToolCall) -> ToolResult:
    return ToolResult(call=call, text=f"fait {call.arguments.get('n', '')}")


async def never(call: ToolCall) -> ToolResult:
    await asyncio.Event().wait()
    return ToolResult(call=call)


async def crash(call: ToolCall) -> ToolResult:
    raise RuntimeError("secret")


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall(tool, arguments)


def test_the_deadlines_are_those_promised() -> None:
    """Eight seconds a tool, twelve for all."""
    assert (CALL_SECONDS, ALL_SECONDS) == (8.0, 12.0)


async def test_results_come_in_the_order_of_the_calls_with_what_they_found_beside() -> None:
    """Whoever answers first; further findings follow their own call."""

    async def two(asked: ToolCall) -> ToolResult:
        await asyncio.sleep(0.01)
        return ToolResult(call=asked, text="un", also=(ToolResult(call=asked, text="deux"),))

    tools = {"risks": Doing("risks", two), "rents": Doing("rents", at_once)}
    results = await run_tools([call("risks"), call("rents")], tools=tools)
    assert [result.text for result in results] == ["un", "deux", "fait "]


async def test_tools_run_at_once() -> None:
    """Each waits for the other: one after the other, neither would end."""
    both = asyncio.Barrier(2)

    async def meet(asked: ToolCall) -> ToolResult:
        await both.wait()
        return ToolResult(call=asked, text="réunis")

    tools = {name: Doing(name, meet) for name in ("risks", "rents")}
    results = await run_tools([call("risks"), call("rents")], tools=tools, call_seconds=60)
    assert [result.text for result in results] == ["réunis", "réunis"]


async def test_a_late_tool_is_named_and_the_others_stand() -> None:
    """Its own deadline, then the one for all."""
    tools = {"risks": Doing("risks", never), "rents": Doing("rents", at_once)}
    late, done = await run_tools([call("risks"), call("rents")], tools=tools, call_seconds=0.02)
    assert late.error == "Géorisques : pas de réponse en 0 s."
    assert done.error is None
    late, done = await run_tools([call("risks"), call("rents")], tools=tools, all_seconds=0.02)
    assert late.error == "Géorisques : délai global dépassé."
    assert done.error is None


async def test_a_late_answer_on_a_commune_says_which() -> None:
    """Of two communes that were asked for at once, one may be missing."""
    (late,) = await run_tools(
        [call("sales", insee="44109", name="Nantes")], tools={"sales": Doing("sales", never)}, call_seconds=0.02
    )
    assert late.error == "Prix DVF (Nantes) : pas de réponse en 0 s."


async def test_a_crash_is_a_value_that_tells_no_detail() -> None:
    """The log has the trace; a reader has a sentence."""
    tools = {"dpe": Doing("dpe", crash)}
    (result,) = await run_tools([call("dpe")], tools=tools)
    assert result.error == "DPE (ADEME) : erreur interne de la source."


async def test_an_unknown_tool_is_said_not_to_be_connected() -> None:
    """No key, no tool: a reason, not an exception."""
    (result,) = await run_tools([call("web", query="x")], tools={})
    assert result.error == "Recherche web : source non connectée."
    assert await run_tools([], tools={}) == ()


async def test_an_answer_given_up_leaves_no_tool_running() -> None:
    """Cancelling the question cancels what was asked for it."""
    started, stopped = asyncio.Event(), asyncio.Event()

    async def until_stopped(asked: ToolCall) -> ToolResult:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ToolResult(call=asked)

    task = asyncio.create_task(run_tools([call("risks")], tools={"risks": Doing("risks", until_stopped)}))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(60):
        await stopped.wait()


async def test_no_service_is_told_a_personal_number() -> None:
    """Nor does its cache keep one; the CRM alone is asked for persons."""
    told: dict[str, ToolCall] = {}

    async def hear(call: ToolCall) -> ToolResult:
        told[call.tool] = call
        return ToolResult(call=call)

    words = "prix à Lyon, me joindre au 06 12 34 56 78 ou a.b@exemple.fr"
    tools = {name: Doing(name, hear) for name in ("open_data", "crm")}
    await run_tools([call("open_data", query=words, limit=3), call("crm", text=words)], tools=tools)
    assert told["open_data"].arguments == {"query": "prix à Lyon, me joindre au ou", "limit": 3}
    assert told["crm"].arguments["text"] == words
