"""Runs the tools that the route chose, at once, each with a deadline; a failure is a value, never an exception."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import structlog

from pipeline.metering.telemetry import SILENT, Telemetry
from pipeline.ports import Tool
from pipeline.text.masking import without_identifiers
from pipeline.types import ToolCall, ToolResult

log = structlog.get_logger()

INSIDE: Final = frozenset({"crm"})
"""Tools that look for persons on purpose, in the firm's own records; to all others no personal number is told."""

CALL_SECONDS = 8.0
ALL_SECONDS = 12.0
NAMES = {
    "sales": "Prix DVF", "crm": "HubSpot", "calculator": "Calculateur", "status": "Statut de la commune",
    "risks": "Géorisques", "rents": "Carte des loyers", "dpe": "DPE (ADEME)", "web": "Recherche web",
    "open_data": "Données ouvertes", "compare": "Comparaison", "facts": "Faits datés",
}  # fmt: skip


async def run_tools(
    calls: Sequence[ToolCall],
    *,
    tools: Mapping[str, Tool],
    call_seconds: float = CALL_SECONDS,
    all_seconds: float = ALL_SECONDS,
    telemetry: Telemetry = SILENT,
) -> tuple[ToolResult, ...]:
    """At least one result a call, in the order of the calls, within `all_seconds`."""
    tasks = [asyncio.create_task(_told(call, tools.get(call.tool), call_seconds, telemetry)) for call in calls]
    if not tasks:
        return ()
    try:
        await asyncio.wait(tasks, timeout=all_seconds)
    finally:
        for task in tasks:  # also when the answer itself is given up: nobody is left asking
            task.cancel()
    results = (
        task.result() if task.done() and not task.cancelled() else _failed(call, "délai global dépassé")
        for call, task in zip(calls, tasks, strict=True)
    )
    return tuple(each for result in results for each in (result, *result.also))


async def _told(call: ToolCall, tool: Tool | None, seconds: float, telemetry: Telemetry) -> ToolResult:
    with telemetry.call("tool", call.tool) as tell:
        result = await _run(call, tool, seconds)
        tell(outcome=_outcome(result, tool), figures=len(result.figures), findings=1 + len(result.also))
        return result


def _outcome(result: ToolResult, tool: Tool | None) -> str:
    """`failed`: the source's own fault or ours; `nothing`: it answered, and has nothing to say of this."""
    if tool is None:
        return "not_connected"
    if result.error is None:
        return "ok"
    if result.asks or result.choices:
        return "asked_back"
    return "failed" if result.outage else "nothing"


async def _run(call: ToolCall, tool: Tool | None, seconds: float) -> ToolResult:
    if tool is None:
        return _failed(call, "source non connectée")
    try:
        async with asyncio.timeout(seconds):
            return await tool.run(call if call.tool in INSIDE else _impersonal(call))
    except TimeoutError:
        return _failed(call, f"pas de réponse en {seconds:.0f} s")
    except Exception:
        log.exception("tool_crashed", tool=call.tool)
        return _failed(call, "erreur interne de la source")


def _impersonal(call: ToolCall) -> ToolCall:
    """The same call, whose words go to a service and into its cache, without personal numbers and addresses."""
    told: dict[str, Any] = {
        name: without_identifiers(value) if isinstance(value, str) else value for name, value in call.arguments.items()
    }
    return replace(call, arguments=told)


def _failed(call: ToolCall, reason: str) -> ToolResult:
    """Which source, and of which commune: several may be asked for at once."""
    where = f" ({call.arguments['name']})" if "insee" in call.arguments else ""
    return ToolResult(call=call, error=f"{NAMES.get(call.tool, call.tool)}{where} : {reason}.", outage=True)


def failures(results: tuple[ToolResult, ...]) -> tuple[str, ...]:
    """What failed, also on the way to a result that stands; each said once. A question back is no failure."""
    return tuple(
        dict.fromkeys(said for r in results for said in (*r.gaps, *((r.error,) if r.error and not r.asks else ())))
    )
