"""Where the CRM is closed: to guests and people of another company, and in channels that are not for deals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.ports import Deps
from pipeline.thread_state import from_json, to_json
from pipeline.types import Answer, Question, Route, ToolCall, ToolResult

CRM_SOURCE: Final = "HubSpot : "
"""How the sources begin that tell of deals."""


@dataclass(frozen=True, slots=True)
class ClosedCrm:
    """Stands where the tool "crm" stood: says why nothing is read, knows no way to read it."""

    reason: str
    name: str = "crm"

    async def run(self, call: ToolCall) -> ToolResult:
        return ToolResult(call=call, private=True, error=self.reason)


def without_crm(deps: Deps, reason: str) -> Deps:
    """The same parts, and no way to the CRM among them: neither to read it nor to prepare a write."""
    return replace(deps, crm=None, tools={**deps.tools, "crm": ClosedCrm(reason)})


def without_deals(question: Question) -> Question:
    """The same question in a thread that knows of no deal, and of no answer that told of one."""
    history = tuple(
        turn for turn in question.history if not any(source.startswith(CRM_SOURCE) for _, source in turn.sources)
    )
    memory = _public(question.memory)
    return replace(question, deal_id=None, usual_deal_id=None, memory=memory, history=history)


def told_closed(found: Answer, reason: str) -> Answer:
    """Without any action, with the reason once where the CRM was asked for. What is remembered holds no deal and no
    write either: a colleague who goes on in this thread must not act on what somebody else named."""
    route = found.route
    found = replace(found, actions=(), deal_id=None, remarks=(), memory=_public(found.memory))
    wanted = asks_for_crm(route)
    if wanted and route.mode == "none":
        return replace(found, text=reason, refused=True, refusal=reason, asked_back=None)
    if not wanted and not route.deal_id and not route.deal_name:
        return found
    degraded = tuple(gap for gap in found.degraded if gap != reason)
    return replace(found, degraded=degraded, remarks=() if reason in found.text else (reason,))


def asks_for_crm(route: Route) -> bool:
    """Whether something is to be read in the CRM, or written there."""
    intents = (route.intent, *route.intents)
    return bool(route.actions) or any(intent.startswith("crm") for intent in intents) or _calls_crm(route)


def _calls_crm(route: Route) -> bool:
    return any(call.tool == "crm" for call in route.tool_calls)


def _public(memory: Mapping[str, Any]) -> dict[str, Any]:
    """The thread's state without its deals, and without what was read of them or asked to be written on them."""
    state = from_json(memory)
    frames = (replace(frame, writes=(), crm={}) for frame in state.frames if not frame.kind.startswith("crm"))
    return to_json(replace(state, frames=tuple(frames), deal_id=None, deal_name=None, client="", persons=()))
