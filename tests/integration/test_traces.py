"""One answer is one trace: read, retrieval, tools, models, gate, each under what it belongs to, and no text unless
texts are wanted; a backend that is away costs an answer nothing."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.conversations.reply import answer_claimed
from bot.ports import Visitor
from bot.proposals.lifecycle import Terms
from bot.settings import Settings
from bot.store import inbox
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.telemetry.traces import headers_of, open_traces
from bot.wiring_models import build_model_reader, build_writer
from corpus.index.embedded import EmbeddedIndex
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.metering.telemetry import Telemetry
from pipeline.ports import Deps
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import Answer
from tests.asking import SUNDAY, places, reader
from tests.beginnings import migrated
from tests.loopback import served
from tests.otlp_backend import Backend, Sent, backend
from tests.scripted_openai import Log, application

ASKED = "pour mon client M. Aubrac, mensualité pour 200 000 € sur 20 ans à 3,4 % ? son adresse : aubrac@exemple.fr"


@pytest.fixture
def told() -> Iterator[Backend]:
    with backend() as found:
        yield found


@pytest.fixture
async def answered(tmp_path: Path) -> AsyncIterator["Answering"]:
    with served(application(Log())) as address:
        async with AsyncExitStack() as connections:
            yield Answering(tmp_path, f"{address}/v1", connections)


class Answering:
    """Answers one question with a model that reads, one that writes, and a calculator."""

    def __init__(self, folder: Path, provider: str, connections: AsyncExitStack) -> None:
        self._url, self._provider, self._connections = migrated(folder / "store.sqlite3"), provider, connections
        self._index = EmbeddedIndex(folder / "corpus.sqlite3")
        connections.push_async_callback(self._index.aclose)

    async def __call__(self, telemetry: Telemetry, *, ts: str = "1.1") -> Answer:
        database = Database(self._url)
        message = Inbound(
            team_id="T1", event_id=ts, channel="C1", channel_type="channel", ts=ts, thread_ts=ts, user_id="U1",
            text=ASKED, visitor=Visitor("member", "U1", "T1", shared_channel=False),
        )  # fmt: skip
        try:
            await database.write(lambda c: inbox.accept(c, message, enqueue=lambda *_: None))
            with telemetry.stage("job.reply", key=f"reply:{message.answer_id}", reference="QS-12345678"):
                return await answer_claimed(
                    message.answer_id, database=database, deps=self._deps(telemetry), terms=Terms()
                )
        finally:
            database.close()

    def _deps(self, telemetry: Telemetry) -> Deps:
        settings = Settings(
            _env_file=None, openai_base_url=self._provider, openai_model="pretend",
            model_prices="pretend=1000/1000", reader_seconds=30.0,
        )  # fmt: skip
        fallback = ExtractiveWriter()
        return Deps(
            index=self._index,
            embedder=None,
            places=places(),
            tools={"calculator": CalculatorTool()},
            reader=reader(),
            writer=build_writer(settings, self._connections, telemetry) or fallback,
            fallback=fallback,
            now=lambda: SUNDAY,
            model_reader=build_model_reader(settings, self._connections, telemetry, places=places()),
            telemetry=telemetry,
        )


async def test_an_answer_is_one_trace_with_parents_and_without_text(told: Backend, answered: Answering) -> None:
    """Tokens and euros stand on the models' spans; no word of the question stands anywhere in what was sent."""
    async with open_traces(told.address, headers="authorization=Basic%20abc", service="qs", instance="w1") as traces:
        answer = await answered(traces)
    spans = {span.name: span for span in told.spans}
    assert len({span.trace for span in told.spans}) == 1
    assert [span.name for span in told.spans if not span.parent] == ["job.reply"]
    assert {span.parent for span in told.spans if span.parent} <= {span.id for span in told.spans}
    above = {name: _named(spans[name].parent, told.spans) for name in spans if spans[name].parent}
    assert above["invoke_agent QuartierScope"] == "job.reply"
    assert above["read"] == above["evidence"] == above["draft"] == "invoke_agent QuartierScope"
    assert above["execute_tool calculator"] == "evidence"
    assert above["gate"] == "draft"
    chats = [span for span in told.spans if span.name == "chat pretend"]
    assert {_named(span.parent, told.spans) for span in chats} == {"read", "draft"}
    assert all(span.attributes["gen_ai.operation.name"] == "chat" for span in chats)
    assert all(span.attributes["gen_ai.usage.input_tokens"] > 0 for span in chats)
    euros = sum(span.attributes["quartierscope.cost.euros"] for span in chats)
    assert answer.cost is not None
    assert euros == pytest.approx(answer.cost.euros)
    assert re.fullmatch(
        r"thread-[0-9a-f]{16}", spans["invoke_agent QuartierScope"].attributes["gen_ai.conversation.id"]
    )
    assert not [pair for span in told.spans for pair in span.attributes.items() if pair[1] == "other"]
    assert told.headers[0]["authorization"] == "Basic abc"
    sent = b"".join(told.bodies)
    for word in ("Aubrac", "mensualit", "aubrac@exemple.fr", "200 000", "T1", "U1", "C1:"):
        assert word.encode() not in sent, word


async def test_texts_that_are_wanted_are_masked(told: Backend, answered: Answering) -> None:
    """Question, prompts and answer are there; the client's name and address are not."""
    async with open_traces(told.address, service="qs", instance="w1", texts=True) as traces:
        await answered(traces)
    root = next(span for span in told.spans if span.name.startswith("invoke_agent"))
    (said,) = json.loads(root.attributes["gen_ai.input.messages"])
    assert said["role"] == "user"
    assert "mensualité pour 200 000 €" in said["parts"][0]["content"]
    assert json.loads(root.attributes["gen_ai.output.messages"])[0]["role"] == "assistant"
    chat = next(span for span in told.spans if span.name == "chat pretend")
    assert '"role": "system"' in chat.attributes["gen_ai.input.messages"]
    sent = b"".join(told.bodies)
    assert b"Aubrac" not in sent
    assert b"aubrac@exemple.fr" not in sent


async def test_an_answer_that_goes_on_after_a_crash_is_the_same_trace(told: Backend) -> None:
    """The id is made of what the job is about; other jobs have others."""
    for key in ("reply:a", "reply:a", "reply:b"):
        async with open_traces(told.address, service="qs", instance="w1") as traces:
            with traces.stage("job.reply", key=key):
                pass
    first, again, other = (span.trace for span in told.spans)
    assert first == again != other


async def test_a_failure_is_marked_and_goes_on(told: Backend) -> None:
    """What is raised inside a stage is told by its kind, never by its message."""
    async with open_traces(told.address, service="qs", instance="w1") as traces:
        with pytest.raises(ValueError, match="Aubrac"), traces.stage("place"):
            raise ValueError("M. Aubrac")
    (span,) = told.spans
    assert span.failed
    assert span.attributes["error.type"] == "ValueError"
    assert b"Aubrac" not in b"".join(told.bodies)


async def test_tasks_beside_each_other_keep_their_own_parents(told: Backend) -> None:
    async with open_traces(told.address, service="qs", instance="w1") as traces:

        async def one(name: str) -> None:
            with traces.stage(name):
                await asyncio.sleep(0)
                with traces.call("tool", f"of-{name}"):
                    await asyncio.sleep(0)

        await asyncio.gather(*(one(name) for name in ("a", "b", "c")))
    for name in ("a", "b", "c"):
        tool = next(span for span in told.spans if span.name == f"execute_tool of-{name}")
        assert _named(tool.parent, told.spans) == name


async def test_a_backend_that_is_away_changes_no_answer(answered: Answering) -> None:
    """Nothing listens at that port; what is more than may wait is dropped."""
    async with open_traces("http://127.0.0.1:9", service="qs", instance="w1") as traces:
        answer = await answered(traces)
        for number in range(10_000):  # more than may wait
            with traces.stage(f"s{number}"):
                pass
    assert re.search(r"1\s149,67", answer.text)


async def test_our_spans_are_not_sent_along_to_services(told: Backend) -> None:
    """Libraries that look for a current span of OpenTelemetry's find none."""
    from opentelemetry.trace import get_current_span

    async with open_traces(told.address, service="qs", instance="w1") as traces:
        with traces.stage("evidence"):
            assert not get_current_span().get_span_context().is_valid


def test_headers_are_read_as_the_standard_writes_them() -> None:
    assert headers_of("Authorization=Basic%20eHk%3D, x-project=a,broken, =b") == {
        "authorization": "Basic eHk=",
        "x-project": "a",
    }


async def test_nobody_pays_for_what_nobody_wants(tmp_path: Path) -> None:
    """A process without an address of a backend and without a port for metrics imports neither library."""
    program = (
        "import sys, asyncio\n"
        "from bot.settings import Settings\n"
        "from bot.runtime import processes\n"
        "from bot.wiring_telemetry import open_telemetry\n"
        "async def run():\n"
        "    async with open_telemetry(Settings(_env_file=None)) as told: return told.telemetry\n"
        "asyncio.run(run())\n"
        "unwanted = ('opentelemetry.sdk', 'opentelemetry.exporter', 'prometheus')\n"
        "print([name for name in sys.modules if name.startswith(unwanted)])\n"
    )
    ran = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
    out, _ = await ran.communicate()
    assert out.decode().strip() == "[]"


def _named(identifier: str, spans: list[Sent]) -> str:
    return next(span.name for span in spans if span.id == identifier)
