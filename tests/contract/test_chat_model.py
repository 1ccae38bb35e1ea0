"""One suite for every `ChatModel`: the OpenAI adapter and the cascade, against a scripted provider on loopback."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from pipeline.errors import ModelUnavailable
from pipeline.llm.cascade import Cascade
from pipeline.llm.dialect import Dialect
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.metering.costs import Price
from pipeline.ports import ChatModel, Completion, Message
from tests.loopback import served
from tests.scripted_openai import Log, application

QUESTION = [
    Message("system", "Règles."),
    Message(
        "user",
        'Titres de section proposés : En bref\n\n<source-ab id="1" titre="Pinel">\n'
        "Le Pinel est fermé depuis le 31 décembre 2024.\n</source-ab>",
    ),
]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"mode": {"type": "string", "enum": ["rag", "tools"]}, "query": {"type": "string"}},
    "required": ["mode", "query"],
}
FAST = Limits(connect=2.0, read=0.4, total=0.8)
Build = Callable[[str], ChatModel]


@pytest.fixture(scope="module")
def provider() -> Iterator[tuple[str, Log]]:
    """The scripted provider's address and what it was asked."""
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture(params=["openai", "cascade"])
async def build(request: pytest.FixtureRequest, provider: tuple[str, Log]) -> AsyncIterator[Build]:
    """Makes a model by name: alone, or behind a cascade of itself."""
    opened: list[OpenAIChatModel] = []

    def made(name: str) -> ChatModel:
        limits = FAST if name in ("hang", "cut", "malformed", "endless") else Limits(total=10.0)
        model = OpenAIChatModel(name, api_key="x", base_url=provider[0], limits=limits, retries=0)
        opened.append(model)
        return model if request.param == "openai" else Cascade([model])

    yield made
    for model in opened:
        await model.aclose()


async def _said(pieces: AsyncIterator[str | Completion]) -> tuple[str, list[Completion]]:
    text: str = ""
    told: list[Completion] = []
    async for piece in pieces:
        if isinstance(piece, Completion):
            told.append(piece)
        else:
            text += piece
    return text, told


async def test_a_completion_has_text_and_usage(build: Build) -> None:
    """What the provider said, and what it counted, under the model's name."""
    answer = await build("scripted").complete(QUESTION)
    assert "31 décembre 2024 [1]." in answer.text
    assert answer.usage.model == "scripted"
    assert answer.usage.prompt_tokens > 0
    assert answer.usage.completion_tokens > 0
    assert answer.usage.euros is None


async def test_a_stream_ends_with_the_whole_and_its_usage(build: Build) -> None:
    """The pieces make the same text as a completion, and the usage comes last and once."""
    model = build("scripted")
    whole = (await model.complete(QUESTION)).text
    text, told = await _said(model.stream(QUESTION))
    assert text == whole
    assert [(said.text == whole, said.usage.completion_tokens > 0) for said in told] == [(True, True)]


@pytest.mark.parametrize("name", ["scripted", "no-schema", "no-format", "strict"])
async def test_a_schema_gives_json_whatever_the_provider_knows(build: Build, name: str) -> None:
    """json_schema where it is known, json_object where the provider answers 400 to it."""
    reply = json.loads((await build(name).complete(QUESTION, schema=SCHEMA)).text)
    assert isinstance(reply, dict)


async def test_a_refused_parameter_is_not_sent_again(build: Build, provider: tuple[str, Log]) -> None:
    """One lesson a provider, not one a call."""
    model = build("strict")
    await model.complete(QUESTION)
    before = len(provider[1].requests)
    await model.complete(QUESTION)
    assert len(provider[1].requests) == before + 1


@pytest.mark.parametrize("name", ["no-schema", "no-format", "no-options", "strict"])
async def test_a_stream_learns_what_a_provider_refuses(build: Build, name: str) -> None:
    """400 and 422 both teach: the stream comes without the option, the mode or under the other name of the limit."""
    _, told = await _said(build(name).stream(QUESTION, schema=SCHEMA))
    assert isinstance(json.loads(told[0].text), dict)
    assert told[0].usage.completion_tokens > 0


async def test_a_request_that_is_too_long_teaches_nothing() -> None:
    """Its schema is not given up because a conversation was long."""
    dialect = Dialect()
    request = dialect.request("m", QUESTION, schema=SCHEMA, max_tokens=10, stream=True)
    assert not dialect.learn("This model's maximum context length is 4096 tokens", request)
    assert dialect.refused == set()


async def test_a_model_that_thinks_gets_room(build: Build, provider: tuple[str, Log]) -> None:
    """All its output went into thoughts: it is asked again with room for them, and from the start next time."""
    model = build("thinks")
    text, told = await _said(model.stream(QUESTION))
    assert "31 décembre 2024 [1]." in text
    assert "voyons" not in text
    assert not told[0].cut
    before = len(provider[1].requests)
    assert "voyons" not in (await model.complete(QUESTION)).text
    assert len(provider[1].requests) == before + 1


@pytest.mark.parametrize(
    "said",
    [
        "<think>9 % [1]. Ou 8 %.</think>Le Pinel est fermé [1].",
        "<THINKING>\n9 % [1].\n</THINKING>\n\nLe Pinel est fermé [1].",
        "<think>9 % [1] <b></think><think>encore</think>Le Pinel est fermé [1].",
    ],
)
async def test_thoughts_are_not_said(build: Build, provider: tuple[str, Log], said: str) -> None:
    """Neither whole nor in pieces, wherever the pieces are cut."""
    provider[1].writes = said
    try:
        assert (await build("scripted").complete(QUESTION)).text == "Le Pinel est fermé [1]."
        text, told = await _said(build("scripted").stream(QUESTION))
    finally:
        provider[1].writes = None
    assert text.strip() == told[0].text == "Le Pinel est fermé [1]."


@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_an_answer_that_was_ended_early_is_told_as_such(
    build: Build, provider: tuple[str, Log], reason: str
) -> None:
    """By a limit or by a filter: what there is may be half a sentence."""
    provider[1].finish = reason
    try:
        assert (await build("scripted").complete(QUESTION)).cut
        _, told = await _said(build("scripted").stream(QUESTION))
    finally:
        provider[1].finish = "stop"
    assert told[0].cut


async def test_a_priced_model_tells_its_cost(provider: tuple[str, Log]) -> None:
    """In euros, by its own count of tokens."""
    priced = OpenAIChatModel("scripted", api_key="x", base_url=provider[0], price=Price(1_000_000.0, 0.0))
    answer = await priced.complete(QUESTION)
    assert answer.usage.euros == answer.usage.prompt_tokens
    await priced.aclose()


@pytest.mark.parametrize("name", ["fail-429", "fail-500", "hang", "malformed", "empty"])
async def test_whatever_goes_wrong_is_model_unavailable(build: Build, name: str) -> None:
    """Overloaded, down, silent, speaking HTML or nothing: one error, in completions and in streams."""
    with pytest.raises(ModelUnavailable):
        await build(name).complete(QUESTION)
    with pytest.raises(ModelUnavailable):
        await _said(build(name).stream(QUESTION))


async def test_a_stream_cut_in_the_middle_is_model_unavailable(build: Build) -> None:
    """Half an answer is no answer."""
    with pytest.raises(ModelUnavailable):
        await _said(build("cut").stream(QUESTION))


async def test_a_stream_that_never_ends_is_model_unavailable(build: Build) -> None:
    """After the time of a whole answer, however lively it is."""
    with pytest.raises(ModelUnavailable):
        await _said(build("endless").stream(QUESTION))


async def test_nobody_at_the_address_is_model_unavailable(build: Build) -> None:
    """A refused connection says the same as a provider that is down."""
    model = OpenAIChatModel("x", api_key="x", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelUnavailable):
        await model.complete(QUESTION)
    await model.aclose()


async def test_a_cancelled_call_stays_cancelled(build: Build) -> None:
    """Stopping the bot is no failure of the provider."""
    task = asyncio.create_task(build("hang").complete(QUESTION))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_requests_keep_to_the_portable_subset(build: Build, provider: tuple[str, Log]) -> None:
    """No parameter that only one provider knows."""
    await build("scripted").complete(QUESTION, schema=SCHEMA)
    sent = provider[1].requests[-1]
    assert set(sent) <= {
        "model",
        "messages",
        "max_tokens",
        "temperature",
        "response_format",
        "stream",
        "stream_options",
    }
