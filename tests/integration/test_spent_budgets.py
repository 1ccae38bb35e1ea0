"""What a spent budget changes in one answer: no model is asked, and the extracts say why."""

from dataclasses import replace
from typing import Literal

import pytest

from pipeline.llm.openai import OpenAIChatModel
from pipeline.llm.writing import ModelWriter
from pipeline.metering.costs import Price
from pipeline.metering.purse import EXCEEDED
from pipeline.ports import Deps
from pipeline.types import Allowance, Question, Route
from pipeline.writing.drafting import write
from tests.integration.test_model_writing import (
    ASKED,
    CLOSED,
    EVIDENCE,
    RATES,
    WRONG,
    deps,
    offline,
    provider,
    reply,
)
from tests.scripted_openai import Log
from tests.unit.test_ground import NOON

__all__ = ["deps", "provider"]


@pytest.mark.parametrize("limit", ["answer", "person", "day"])
async def test_where_the_budget_is_spent_no_model_is_asked(
    deps: Deps, provider: tuple[str, Log], limit: Literal["answer", "person", "day"]
) -> None:
    """Neither to read nor to write; the answer is made of extracts and says why."""
    question = Question(ASKED, "U1", NOON, allowance=Allowance(0.0, limit))
    route = Route("rag", "ask", ASKED, schemes=("pinel",))
    found = await write(question, route, EVIDENCE, deps=deps, show=None)
    assert provider[1].requests == []
    assert found.grounded.text == (await offline(deps)).grounded.text
    assert found.degraded == (EXCEEDED[limit],)


async def test_a_budget_stops_at_the_next_call(deps: Deps, provider: tuple[str, Log]) -> None:
    """The draft crosses the limit and is published; no second try is paid for."""
    model = OpenAIChatModel("dear", api_key="x", base_url=provider[0], retries=0, price=Price(1_000.0, 1_000.0))
    provider[1].writes = reply(CLOSED, RATES, WRONG)
    question = Question(ASKED, "U1", NOON, allowance=Allowance(0.01, "answer"))
    route = Route("rag", "ask", ASKED, schemes=("pinel",))
    found = await write(question, route, EVIDENCE, deps=replace(deps, writer=ModelWriter(model)), show=None)
    await model.aclose()
    assert found.grounded.text.startswith("Le Pinel est fermé")
    assert len(provider[1].requests) == 1
    assert found.usage.euros is not None
    assert found.usage.euros > 0.01
