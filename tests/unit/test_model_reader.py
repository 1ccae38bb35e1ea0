"""The model reader over the wire: valid replies are used, whatever else leaves the offline reading as it is."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from pipeline.action_types import ActionRequest
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.reading import Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question, Turn
from pipeline.understanding.model.reader import Attempt, ModelReader
from tests.loopback import served
from tests.readings import MONDAY, PRICED, draft, places, reply
from tests.scripted_openai import Log, application

TEXT = "et sur 20 ans à 3,4 ?"
GOOD = reply("calc_loan", act="change", query="prêt sur 20 ans à 3,4", quantities=[{"text": "3,4", "role": "rate"}])
FAST = Limits(connect=2.0, read=5.0, total=5.0)


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[str, Log]]:
    log = Log()
    with served(application(log)) as address:
        yield f"{address}/v1", log


@pytest.fixture
def provider(shared: tuple[str, Log]) -> tuple[str, Log]:
    """Its address and what it is asked; it says what the offline reader said, until a test tells it otherwise."""
    address, log = shared
    log.requests.clear()
    log.reads, log.finish = None, "stop"
    return address, log


class Clock:
    """Seconds that a test moves on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def opened() -> AsyncIterator[list[OpenAIChatModel]]:
    models: list[OpenAIChatModel] = []
    yield models
    for model in models:
        await model.aclose()


@pytest.fixture
def reader(provider: tuple[str, Log], opened: list[OpenAIChatModel]) -> Any:
    """Makes a reader over a model of this name."""

    def made(name: str = "scripted", *, seconds: float = 5.0, clock: Clock | None = None) -> ModelReader:
        opened.append(OpenAIChatModel(name, api_key="x", base_url=provider[0], limits=FAST, retries=0))
        return ModelReader(opened[-1], places=places(), seconds=seconds, clock=clock or Clock())

    return made


async def _read(reader: ModelReader, first: Reading, state: ThreadState | None = None, **more: Any) -> Attempt:
    return await reader.read(Question(first.text, "U1", MONDAY, **more), state or PRICED, draft=first)


async def test_a_valid_reply_wins(reader: Any, provider: tuple[str, Log]) -> None:
    """Intent, act and roles are the model's; what it cost is told."""
    provider[1].reads = json.dumps(GOOD)
    read = await _read(reader(), draft(TEXT, "rules", 0.4))
    assert read.outcome == "used"
    assert (read.reading.main, read.reading.act, read.reading.reader) == ("calc_loan", "change", "model")
    assert [q.value for q in read.reading.quantities if q.role == "rate"] == [3.4]
    assert read.cost.model == "scripted"
    assert read.cost.prompt_tokens > 0


@pytest.mark.parametrize(
    "said",
    [
        "Bonjour, je ne peux pas.",
        "[]", "null", "{}", "true", '"rules"', "{" * 5000, "[" * 100_000,
        json.dumps(GOOD)[:-20],
        json.dumps(GOOD) * 2,
        "Voici : " + json.dumps(GOOD),
        "<think>je réfléchis " + json.dumps(GOOD),
        json.dumps(GOOD | {"quantities": [{"text": 3.4, "role": "rate"}]}),
        json.dumps(GOOD | {"quantities": "3,4"}),
        json.dumps(GOOD | {"intents": []}),
        json.dumps(GOOD | {"intents": [{"name": "calc_loan", "confidence": 95}]}),
        json.dumps(GOOD | {"intents": [{"name": "calc_loan", "confidence": "sure"}]}),
        json.dumps(GOOD).replace("0.95", "NaN"),
        json.dumps(GOOD | {"rooms": "3"}),
        json.dumps(GOOD | {"query": "x" * 10_000}),
        json.dumps(GOOD | {"communes": ["Metz"] * 500}),
        json.dumps(GOOD | {"note": "x" * 50_000}),
    ],
    ids=range(22),
)  # fmt: skip
async def test_junk_changes_nothing(reader: Any, provider: tuple[str, Log], said: str) -> None:
    """No JSON, half of it, two of it, other types, boundless: the offline reading itself comes back."""
    provider[1].reads = said
    first = draft(TEXT, "calc_loan", 0.7)
    read = await _read(reader(), first)
    assert read.outcome in ("invalid", "unavailable")  # a thought without end says nothing
    assert read.reading is first


@pytest.mark.parametrize(
    "said",
    [
        reply("make_money", "hack"),
        reply("smalltalk"),
        reply("unsafe"),
        reply("crm_write_note", writes=[{"kind": "note", "body": "Tout est validé, signe", "refers": True}]),
        reply("crm_write_update", writes=[{"kind": "update", "property": "dealstage", "value": "gagné"}]),
        reply("crm_read", deals=["9001", "Martin"], communes=["Toulon"], query="tous les dossiers de Toulon"),
        reply("calc_loan", quantities=[{"text": "999 999", "role": "loan_amount"}], communes=["Brest"], query="99"),
    ],
    ids=range(7),
)  # fmt: skip
async def test_hostile_replies_change_nothing(reader: Any, provider: tuple[str, Log], said: dict[str, Any]) -> None:
    """Of the right shape and about nothing that was said: refused whole."""
    provider[1].reads = json.dumps(said)
    first = draft("prix des maisons à Metz", "prices", 0.95)
    read = await _read(reader(), first)
    assert read.outcome == "rejected"
    assert read.reading is first


async def test_fields_that_nobody_asked_for_are_not_looked_at(reader: Any, provider: tuple[str, Log]) -> None:
    """A tool, a link, a system prompt of the model's own: they have no place to go."""
    provider[1].reads = json.dumps(GOOD)
    plain = (await _read(reader(), draft(TEXT))).reading
    provider[1].reads = json.dumps(
        GOOD | {"tool_calls": [{"tool": "crm"}], "url": "http://evil.example", "deal_id": "1"}
    )
    assert (await _read(reader(), draft(TEXT))).reading == plain


@pytest.mark.parametrize("around", ["<think>des pensées {}</think>\n%s", "```json\n%s\n```", "```\n%s\n```", "\n%s  "])
async def test_thoughts_and_fences_are_set_aside(reader: Any, provider: tuple[str, Log], around: str) -> None:
    """Thinking models and chatty ones: the object is what counts."""
    provider[1].reads = around % json.dumps(GOOD)
    assert (await _read(reader(), draft(TEXT))).outcome == "used"


async def test_a_reply_cut_for_length_changes_nothing(reader: Any, provider: tuple[str, Log]) -> None:
    """`finish_reason=length`: half an object is none."""
    provider[1].reads, provider[1].finish = json.dumps(GOOD)[:120], "length"
    assert (await _read(reader(), draft(TEXT))).outcome == "invalid"


@pytest.mark.parametrize("name", ["no-schema", "no-format", "strict"])
async def test_providers_without_schemas_are_read_all_the_same(
    reader: Any, provider: tuple[str, Log], name: str
) -> None:
    """400 and 422 alike are lessons: the schema then stands in the prompt."""
    provider[1].reads = json.dumps(GOOD)
    assert (await _read(reader(name), draft(TEXT))).outcome == "used"


@pytest.mark.parametrize("name", ["fail-429", "fail-500", "malformed", "empty"])
async def test_a_provider_that_fails_changes_nothing(reader: Any, name: str) -> None:
    """Overloaded, down, speaking HTML or nothing."""
    first = draft(TEXT)
    read = await _read(reader(name), first)
    assert read.outcome == "unavailable"
    assert read.reading is first


async def test_a_late_reply_is_not_waited_for(reader: Any) -> None:
    """The limit is the reader's own, whatever the client's."""
    first = draft(TEXT)
    read = await _read(reader("hang", seconds=0.2), first)
    assert read.outcome == "late"
    assert read.reading is first


async def test_a_useless_model_rests_and_is_tried_again(reader: Any, provider: tuple[str, Log]) -> None:
    """After three in a row nobody waits for it; half a minute later one message does."""
    clock = Clock()
    asked = reader(clock=clock)
    provider[1].reads = "non"
    outcomes = [(await _read(asked, draft(TEXT))).outcome for _ in range(5)]
    assert outcomes == ["invalid", "invalid", "invalid", "resting", "resting"]
    assert len(provider[1].requests) == 3
    clock.now, provider[1].reads = 31.0, json.dumps(GOOD)
    assert [(await _read(asked, draft(TEXT))).outcome for _ in range(2)] == ["used", "used"]


async def test_the_model_sees_the_users_words_and_our_memory_alone(reader: Any, provider: tuple[str, Log]) -> None:
    """No answer, no record of the CRM, no identifier; the day with its weekday."""
    history = (Turn("assistant", "Une réponse secrète."), Turn("user", "Message d'un tiers."))
    crm = replace(PRICED.frames[1], kind="crm_read")
    said = (*PRICED.said, "son mail : paul@martin.fr")
    state = replace(PRICED, frames=(PRICED.frames[0], crm), said=said, deal_id="777", deal_name="Dossier Secret")
    first = draft("écris à jean@cabinet.fr, tel 06 12 34 56 78", deal_names=("jean@cabinet.fr",))
    await _read(reader(), first, state, history=history, deal_id="777")
    seen = provider[1].readings[-1]
    assert seen["date"] == "lundi 23/11/2026"
    assert seen["messages_precedents"] == [*PRICED.said, "son mail : [e-mail masqué]"]
    assert seen["fil"][0] == {"sujet": "prices", "resultats": ["Prix médian : 2481 €/m²"], "communes": ["Metz"]}
    assert seen["fil"][1] == {"sujet": "crm_read"}
    told = json.dumps(provider[1].requests[-1], ensure_ascii=False)
    for secret in ("secrète", "tiers", "Secret", "777", "jean@", "paul@", "06 12"):
        assert secret not in told


@pytest.mark.parametrize(
    ("first", "worth"),
    [
        (draft("merci !", "smalltalk", 0.95), False),
        (draft("tu m'as dit quoi ?", "recall", 0.9), False),
        (draft("...", "rules", 0.3), False),
        (draft("comment antidater un bail", "unsafe", 0.8), False),
        (draft("antidater ?", "unsafe", 0.3), True),
        (draft("merci, et le prix à Metz ?", "smalltalk", 0.95), True),
        (draft("merci de noter", "smalltalk", 0.9, writes=(ActionRequest("create_note"),)), True),
        (draft("prix à Metz", "prices", 0.99), True),
        (draft("bof", "smalltalk", 0.5), True),
    ],
)
def test_sure_talk_and_refusals_are_not_worth_a_call(reader: Any, first: Reading, worth: bool) -> None:
    """A thank-you costs nothing; a refusal cannot be turned off."""
    assert reader().worth_asking(first) is worth
