"""The whole flow with a model that reads: `answer()`, a scripted provider, the offline reader, the calculators."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from bot.wiring_models import build_model_reader
from corpus.index.embedded import EmbeddedIndex
from pipeline.answer import answer
from pipeline.asked.told_cases import as_asked
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.llm.openai import OpenAIChatModel
from pipeline.llm.writing import ModelWriter
from pipeline.ports import Deps
from pipeline.talk.restating import IN_SHORT
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import Answer, Question, Turn
from tests.asking import SUNDAY, places, reader
from tests.integration.test_told_cases import RULE
from tests.loopback import served
from tests.readings import reply
from tests.scripted_openai import Log, application

GARBLED = "200k 20 piges 3,4 la traite ça donne koi"
LOAN = reply(
    "calc_loan",
    query="mensualité d'un prêt de 200k à 3,4",
    quantities=[
        {"text": "200k", "role": "loan_amount"},
        {"text": "20", "role": "duration"},
        {"text": "3,4", "role": "rate"},
    ],
)


@pytest.fixture
def provider() -> Iterator[tuple[str, Log]]:
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture
async def deps(provider: tuple[str, Log], tmp_path: Path) -> AsyncIterator[Deps]:
    """As the wiring builds them with OPENAI_READER_MODEL, but for a corpus and tools that need no network."""
    settings = Settings(
        _env_file=None,
        openai_base_url=provider[0],
        openai_model="writer",
        openai_reader_model="cheap",
        reader_seconds=30.0,
    )
    index = EmbeddedIndex(tmp_path / "corpus.sqlite3")
    async with AsyncExitStack() as connections:
        connections.push_async_callback(index.aclose)
        model = OpenAIChatModel("writer", api_key="x", base_url=provider[0], retries=0)
        connections.push_async_callback(model.aclose)
        fallback = ExtractiveWriter()
        yield Deps(
            index=index,
            embedder=None,
            places=places(),
            tools={"calculator": CalculatorTool()},
            reader=reader(),
            writer=ModelWriter(model),
            fallback=fallback,
            now=lambda: SUNDAY,
            model_reader=build_model_reader(settings, connections, places=places()),
        )


async def _ask(deps: Deps, text: str, memory: Any = None) -> Answer:
    question = Question(text=text, asked_by="U1", asked_at=SUNDAY, memory=memory or {})
    return await answer(question, deps=deps, report=lambda _: None)


def _asked_for(log: Log) -> list[str]:
    return [sent["model"] for sent in log.requests]


async def test_a_valid_reading_wins_and_a_cheaper_model_reads(deps: Deps, provider: tuple[str, Log]) -> None:
    """The reader's model chooses the calculator and its inputs; the writer's model writes."""
    provider[1].reads = json.dumps(LOAN)
    told = await _ask(deps, GARBLED)
    call = told.route.tool_calls[0]
    assert (call.tool, call.arguments["loan_amount"], call.arguments["rate"]) == ("calculator", 200_000, 3.4)
    assert call.arguments["months"] == 240
    assert told.route.reasons[0].endswith("par un modèle")
    assert _asked_for(provider[1])[0] == "cheap"
    assert set(_asked_for(provider[1])[1:]) == {"writer"}
    assert told.cost is not None
    assert told.cost.prompt_tokens > 0


@pytest.mark.parametrize(
    "said",
    [
        "pas du JSON",
        "",
        json.dumps(LOAN)[:60],
        json.dumps(reply("unsafe")),
        json.dumps(reply("smalltalk", query="smalltalk", queries=["recall", "rules"])),
        json.dumps(reply("crm_write_note", writes=[{"kind": "note", "body": "Tout virer", "refers": True}])),
        json.dumps(reply("prices", communes=["Toulon", "Brest"], query="prix à Toulon")),
        "<think>" + json.dumps(LOAN),
    ],
    ids=range(8),
)
async def test_junk_and_hostile_readings_change_nothing(deps: Deps, provider: tuple[str, Log], said: str) -> None:
    """Route, memory and actions are those of the offline reader alone."""
    text = "mensualité pour 200 000 € sur 20 ans à 3,4 %"
    alone = await _ask(replace(deps, model_reader=None), text)
    provider[1].reads = said
    told = await _ask(deps, text)
    assert told.route == alone.route
    assert told.memory == alone.memory
    assert told.actions == alone.actions


@pytest.mark.parametrize("text", ["mensualité d'un prêt de 200 000 €", "prix des T2 ?"])
async def test_a_question_back_costs_what_its_reading_did(deps: Deps, provider: tuple[str, Log], text: str) -> None:
    """Nothing was drafted, and the model was asked all the same."""
    provider[1].reads = "pas du JSON"
    told = await _ask(deps, text)
    assert told.asked_back
    assert provider[1].requests
    assert told.cost is not None
    assert told.cost.prompt_tokens > 0


@pytest.mark.parametrize("name", ["hang", "fail-500"])
async def test_a_late_or_failing_model_leaves_the_offline_reading(
    deps: Deps, provider: tuple[str, Log], name: str
) -> None:
    """After its own limit, which is not the writer's."""
    settings = Settings(_env_file=None, openai_base_url=provider[0], openai_reader_model=name, reader_seconds=0.5)
    async with AsyncExitStack() as connections:
        slow = replace(deps, model_reader=build_model_reader(settings, connections, places=places()))
        told = await _ask(slow, "mensualité pour 200 000 € sur 20 ans à 3,4 %")
    assert told.route.tool_calls[0].arguments["months"] == 240
    assert told.route.reasons[0].endswith("sans modèle")


async def test_thanks_cost_nothing(deps: Deps, provider: tuple[str, Log]) -> None:
    """Sure talk is not sent to a model."""
    await _ask(deps, "merci beaucoup !")
    assert provider[1].requests == []


async def test_a_reading_goes_on_with_what_the_thread_computed(deps: Deps, provider: tuple[str, Log]) -> None:
    """Turns later, the model is told the results and may start from one; code takes its exact value."""
    provider[1].reads = json.dumps(LOAN)
    first = await _ask(deps, GARBLED)
    due = next(f for f in first.memory["frames"][-1]["results"] if f["unit"] == "€/mois")
    inputs = [{"text": "4200", "role": "income"}, {"text": f"{due['value']} €/mois", "role": "existing_debt"}]
    provider[1].reads = json.dumps(reply("calc_capacity", act="refer", query="endettement 4200", quantities=inputs))
    told = await _ask(deps, "avec ça et 4200 de revenu il reste quoi comme marge", first.memory)
    assert provider[1].readings[-1]["messages_precedents"] == [GARBLED.replace("koi", "quoi")]
    arguments = told.route.tool_calls[0].arguments
    assert (arguments["kind"], arguments["income_monthly"]) == ("capacity", 4200)
    assert arguments["debts_monthly"] == pytest.approx(due["value"])


async def test_no_model_no_reader(provider: tuple[str, Log]) -> None:
    """Without a provider the offline reader reads alone."""
    async with AsyncExitStack() as connections:
        assert build_model_reader(Settings(_env_file=None), connections, places=places()) is None


async def test_a_told_case_and_a_wish_for_other_words_are_the_models(deps: Deps) -> None:
    """It reads a case whole, and can write an answer anew; alone, the question is cut out and the answer told again."""
    asked = Question(text=RULE, asked_by="U1", asked_at=SUNDAY)
    assert await as_asked(asked, deps=deps) == (asked, {})
    alone, _ = await as_asked(asked, deps=replace(deps, model_reader=None))
    assert alone.case
    before = Turn(
        "assistant", "L'abattement est de 50 % [1].", sources=((1, "Micro-BIC - https://www.impots.gouv.fr"),)
    )
    wish = Question(text="en plus court stp", asked_by="U1", asked_at=SUNDAY, history=(before,))
    short = await answer(wish, deps=replace(deps, model_reader=None), report=lambda _: None)
    assert short.text.startswith(IN_SHORT)
    assert [citation.url for citation in short.citations] == ["https://www.impots.gouv.fr"]
    assert not (await answer(wish, deps=deps, report=lambda _: None)).text.startswith(IN_SHORT)
