"""The tool "facts": dated records of schemes and rules, one French sentence a fact, with their source."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from corpus.facts.book import fact_book, ranked
from corpus.facts.loading import load_vocabulary
from corpus.facts.values import Fact, Source
from pipeline.text.disagreeing import in_prose
from pipeline.text.fact_wording import SUMMARIES, opening, plainly, sentence
from pipeline.types import Figure, ToolCall, ToolResult

UNKNOWN: Final = "Je n'ai pas ce fait dans mes relevés datés."


class FactsTool:
    """`arguments`: `{"facts": ids in the order in which to tell them, "on": an ISO day, "form": "answer",
    "still_open", "overview", "portrait" or "beside", "score": how well they fit, "near": ids of what sources disagree
    on beside them}`. A result for each official page; the one with the answer comes first and opens with it. Raises
    nothing but `FactsUnreadable`."""

    name = "facts"

    async def run(self, call: ToolCall) -> ToolResult:
        known = fact_book().by_id
        named = (*call.arguments.get("facts", ()), *call.arguments.get("near", ()))
        facts = [known[name] for name in named if name in known]
        if not facts:
            return ToolResult(call=call, error=UNKNOWN)
        on = date.fromisoformat(str(call.arguments["on"]))
        pages: dict[Source, list[Fact]] = {}
        for fact in facts:
            pages.setdefault(fact.source, []).append(fact)
        first, *others = (
            _result(call, source, held, on, form=str(call.arguments.get("form", "answer")))
            for source, held in pages.items()
        )
        return replace(first, also=tuple(others))


def _result(call: ToolCall, source: Source, facts: Sequence[Fact], on: date, *, form: str) -> ToolResult:
    told = dict.fromkeys((*opening(facts, on, form=form), *(sentence(fact, on) for fact in facts)))
    if form in SUMMARIES:  # a table names the day under the fact's label, which its own sentence may say otherwise
        told |= dict.fromkeys(plainly(fact, on) for fact in facts if isinstance(fact.value, date))
    for group in dict.fromkeys(fact.group for fact in facts if fact.status == "disputed"):
        told |= dict.fromkeys(in_prose(ranked(fact_book().groups[group])))
    return ToolResult(
        call=call,
        title=source.title,
        text=" ".join(told),
        figures=tuple(figure for fact in facts for figure in figures_of(fact)),
        url=source.url,
        as_of=min(fact.consulted_on for fact in facts),
    )


def named(arguments: Mapping[str, Any]) -> str:
    """What a call asks for, by the labels of its records."""
    known = fact_book().by_id
    ids = (*arguments.get("facts", ()), *arguments.get("near", ()))
    return ", ".join(dict.fromkeys(known[name].label for name in ids if name in known))


def figures_of(fact: Fact) -> Sequence[Figure]:
    """Its numbers, under its label and case; none for a day or words."""
    label = f"{fact.label} {fact.condition} {fact.zone}".strip()
    unit = _unit(load_vocabulary().units, fact)
    if isinstance(fact.value, tuple):
        return [Figure(label, end, unit) for end in fact.value]
    return [Figure(label, fact.value, unit)] if isinstance(fact.value, float) else []


def _unit(units: Mapping[str, object], fact: Fact) -> str:
    return getattr(units.get(fact.unit), "many", "")
