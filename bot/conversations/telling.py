"""What the operator is told of an answer: its route, its outcome and its cost; its words where they are asked for."""

import hashlib
from typing import Literal

from bot.store.tables import Row
from pipeline.metering.purse import EXCEEDED
from pipeline.metering.telemetry import Telemetry, Tell, as_messages
from pipeline.text.persons import persons_in, persons_told
from pipeline.thread_state import from_json
from pipeline.types import Answer, Question

Outcome = Literal["answered", "asked_back", "refused", "nothing_found"]


def conversation_of(row: Row) -> str:
    """A name for the thread that leads back to it only here."""
    return "thread-" + hashlib.sha256(f"{row['team_id']}:{row['thread_key']}".encode()).hexdigest()[:16]


def tell_answered(telemetry: Telemetry, answer: Answer) -> None:
    """Once an answer is remembered: what it was, and which budget kept it from a model."""
    telemetry.event("answered", mode=answer.route.mode, intent=answer.route.intent, outcome=outcome_of(answer))
    for limit, sentence in EXCEEDED.items():
        if sentence in answer.degraded:
            telemetry.event("budget_stop", limit=limit)


def tell_more(tell: Tell, question: Question, answer: Answer, *, texts: bool) -> None:
    """For the trace."""
    tell(
        mode=answer.route.mode,
        intent=answer.route.intent,
        outcome=outcome_of(answer),
        citations=len(answer.citations),
        figures=answer.figures_checked,
        dropped=answer.sentences_dropped,
        proposals=len(answer.actions),
    )
    if answer.cost is not None:
        tell(tokens_in=answer.cost.prompt_tokens, tokens_out=answer.cost.completion_tokens, euros=answer.cost.euros)
    if texts:
        persons = (*persons_told(answer.evidence.tool_results), *persons_in(from_json(question.memory)))
        tell(asked=as_messages([("user", question.text)], persons))
        tell(said=as_messages([("assistant", answer.text)], persons))


def outcome_of(answer: Answer) -> Outcome:
    if answer.refused:
        return "refused"
    if answer.asked_back:
        return "asked_back"
    return "nothing_found" if answer.route.mode != "none" and not answer.citations else "answered"
