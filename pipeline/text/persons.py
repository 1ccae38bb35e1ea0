"""Whose names an answer may hold: what the CRM told of persons now and earlier in the thread, and the deals meant."""

import re
from collections.abc import Iterable

from pipeline.thread_state import ThreadState, from_json
from pipeline.types import Brief, ToolResult

_BEFORE_THE_SUBJECT = re.compile(r"\s[-–—:|/]\s|[,«»]|\s\(")


def persons_of(brief: Brief) -> tuple[str, ...]:
    """Names of persons and of deals, each once."""
    told = persons_told(brief.evidence.tool_results)
    named = filter(None, (brief.route.deal_name,))
    return tuple(dict.fromkeys((*told, *named, *persons_in(from_json(brief.question.memory)))))


def persons_told(results: Iterable[ToolResult]) -> tuple[str, ...]:
    """Those of the CRM's results, with the deals that they offer."""
    return tuple(
        dict.fromkeys(
            name
            for result in results
            for name in (*result.persons, *(whose(label) for _, label in result.choices))
            if name
        )
    )


def persons_in(state: ThreadState) -> tuple[str, ...]:
    """Those that the thread knows of."""
    deals = (whose(label) for label in (state.deal_name or "", *(label for _, label in state.offered)))
    return tuple(dict.fromkeys(filter(None, (*state.persons, *deals))))


def whose(deal: str) -> str:
    """The person in a deal's name, which stands before what the deal is about: « Martin - T3 Villeurbanne »."""
    return _BEFORE_THE_SUBJECT.split(deal.strip(), maxsplit=1)[0].strip()
