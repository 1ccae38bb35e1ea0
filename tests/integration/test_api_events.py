"""Server-sent events, as plain HTTP clients read them; clients that go, and clients that never read."""

import asyncio
import json
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bot.api.access import Patient
from bot.api.asking import News
from bot.api.shapes import AskAnswer, AskRequest
from bot.runtime import serving as module
from bot.runtime.serving import serving
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.ports import Step
from pipeline.types import Brief, Draft
from tests.integration.api_desk import INSTALMENT, LOAN, HeldCalculator, api_desk, events
from tests.integration.sandbox_rig import PATIENCE_S, until

STREAM = {"Accept": "text/event-stream"}


class HeldWriter:
    """A model's writer that has finished its first sentences, and ends when it is let."""

    name = "held"

    def __init__(self) -> None:
        self.may = asyncio.Event()

    async def write(self, brief: Brief) -> Draft:
        draft = await ExtractiveWriter().write(replace(brief, partial=None))
        assert brief.partial is not None
        brief.partial(draft)
        await self.may.wait()
        return draft


async def test_steps_come_as_they_happen_and_the_answer_is_that_of_json(tmp_path: Path) -> None:
    """The first step is read while the work is held up; the last event is the whole answer."""
    held = HeldCalculator()
    async with api_desk(tmp_path, tools={"calculator": held}) as desk:
        shown = await desk.key()
        async with desk.client(shown) as client:
            async with client.stream("POST", "/v1/ask", json={"text": LOAN}, headers=STREAM) as response:
                assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
                pieces = response.aiter_text()
                text = await anext(pieces)
                assert events(text) == [("step", '{"text": "Je consulte le corpus et les données de marché"}')]
                held.may.set()
                text += "".join([piece async for piece in pieces])
            told = events(text)
            assert [name for name, _ in told] == ["step", "step", "answer"]
            answer = json.loads(told[-1][1])
            same = (await client.post("/v1/ask", json={"text": LOAN})).json()
        own = ("thread", "reference", "seconds")
        assert {k: v for k, v in answer.items() if k not in own} == {k: v for k, v in same.items() if k not in own}
        assert await desk.rows("select 1 from audit where event = 'api_left'") == []


async def test_what_passed_the_gate_is_shown_while_the_rest_is_written(tmp_path: Path) -> None:
    """A section event holds all that stands so far."""
    writer = HeldWriter()
    async with api_desk(tmp_path, writer=writer) as desk, desk.client(await desk.key()) as client:
        async with client.stream("POST", "/v1/ask", json={"text": LOAN}, headers=STREAM) as response:
            text, pieces = "", response.aiter_text()
            while "event: section" not in text:
                text += await anext(pieces)
            assert "event: answer" not in text
            writer.may.set()
            text += "".join([piece async for piece in pieces])
        sections = [json.loads(data)["text"] for name, data in events(text) if name == "section"]
        assert INSTALMENT in sections[-1]


async def test_a_failure_on_the_way_is_the_last_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The status is out already: the problem comes as an event."""

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("bot.conversations.reply.answer_claimed", broken)
    async with api_desk(tmp_path) as desk, desk.client(await desk.key()) as client:
        answer = await client.post("/v1/ask", json={"text": LOAN}, headers=STREAM)
    ((name, data),) = events(answer.text)
    assert (name, json.loads(data)["status"]) == ("problem", 500)
    assert "secret" not in answer.text


async def test_a_client_that_goes_leaves_an_answer_that_is_stored(tmp_path: Path) -> None:
    """The work goes on to its end, the thread knows it, and the audit says that nobody read it."""
    held = HeldCalculator()
    async with api_desk(tmp_path, tools={"calculator": held}) as desk:
        shown = await desk.key()
        for headers in (STREAM, {}):
            held.may.clear()
            held.asked.clear()
            async with desk.client(shown) as client:
                leaving = asyncio.create_task(client.post("/v1/ask", json={"text": LOAN}, headers=headers))
                await held.asked.wait()
                leaving.cancel()
                await asyncio.gather(leaving, return_exceptions=True)
            held.may.set()
            await desk.until("select 1 from audit where event = 'api_left'")
            await desk.until("select 1 from answer where state = 'published'")
            (row,) = await desk.rows("select thread_ts, text from answer")
            assert INSTALMENT in row["text"]
            async with desk.client(shown) as client:
                asked = {"text": "et sur 25 ans ?", "thread": row["thread_ts"]}
                assert "990,55" in (await client.post("/v1/ask", json=asked)).text
            for table in ("audit", "answer"):
                await desk.api.database.write(lambda c, t=table: c.exec_driver_sql(f"delete from {t}"))  # type: ignore[misc]


async def test_who_reads_slowly_misses_what_was_overtaken_and_nothing_piles_up() -> None:
    """Of sections the newest alone waits; steps are kept in their order."""
    news, done = News(), asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(done)
    for number in range(1_000):
        news.section(f"partie {number}")
    news.step(Step("rédige", ()))
    news.section("fin")
    assert len(news.waiting) == 3
    done.set_result({})
    assert [event async for event in news.until(task)] == [
        ("section", "partie 999"), ("step", "Je rédige"), ("section", "fin"),
    ]  # fmt: skip


async def test_a_client_that_never_reads_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it leaves unread holds no connection, although the answer is given and nobody waits: the kernel ends it."""
    monkeypatch.setattr(module, "UNREAD_SECONDS", 0.5)
    sent = asyncio.Event()

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 20_000_000})  # more than a kernel's buffer takes
        sent.set()

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    async with serving(app, host="127.0.0.1", port=port, setting="API_PORT") as server:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            client.setblocking(False)
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
            await asyncio.get_running_loop().sock_sendall(client, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await sent.wait()
            await until(lambda: not server.server_state.connections)


async def test_the_document_describes_what_is_answered(tmp_path: Path) -> None:
    """OpenAPI 3.1, whose schemas hold for real requests, answers and problems; calls are made from it alone."""
    async with api_desk(tmp_path) as desk, desk.client() as client:
        document = (await client.get("/v1/openapi.json")).json()
        ((path, item),) = document["paths"].items()
        ((method, operation),) = item.items()
        assert document["security"] == [{name: []} for name in document["components"]["securitySchemes"]]
        client.headers["Authorization"] = f"Bearer {await desk.key()}"

        def holds(schema: dict[str, Any], value: object) -> None:
            whole = {**schema, "components": document["components"]}
            Draft202012Validator.check_schema(whole)
            Draft202012Validator(whole).validate(value)

        body = {"text": LOAN}
        holds(operation["requestBody"]["content"]["application/json"]["schema"], body)
        answer = await client.request(method, path, json=body)
        holds(operation["responses"]["200"]["content"]["application/json"]["schema"], answer.json())
        refused = await client.request(method, path, json={})
        said = operation["responses"][str(refused.status_code)]["content"][refused.headers["content-type"]]
        holds(said["schema"], refused.json())
        assert AskRequest.model_validate(body)
        assert AskAnswer.model_validate(answer.json())


async def test_a_client_that_does_not_take_what_it_is_sent_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than the buffers hold waits for the client: not for ever, whatever stands between us and the wire."""
    monkeypatch.setattr("bot.api.access.SEND_SECONDS", 0.05)
    begun = asyncio.Event()

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        begun.set()
        await send({"type": "http.response.body", "body": b"x", "more_body": True})

    async def stuck(_message: object) -> None:
        await asyncio.Event().wait()

    async with asyncio.timeout(PATIENCE_S):
        await Patient(app)({"type": "http", "path": "/v1/ask"}, stuck, stuck)  # type: ignore[arg-type]
    assert begun.is_set()


async def test_a_client_made_from_the_document_asks(tmp_path: Path) -> None:
    """By a generator that knows nothing of us: typed requests, answers and problems."""
    async with api_desk(tmp_path) as desk:
        async with desk.client() as client:
            (tmp_path / "openapi.json").write_bytes((await client.get("/v1/openapi.json")).content)
        package = tmp_path / "made_client"
        command = ["generate", "--path", "openapi.json", "--meta", "none", "--output-path", str(package)]
        made = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "openapi_python_client", *command, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        assert await made.wait() == 0
        shown = await desk.key()
        script = (
            "import sys\n"
            "from made_client import AuthenticatedClient\n"
            "from made_client.api.default import ask\n"
            "from made_client.models import AskAnswer, AskRequest, ProblemShape\n"
            "url, key, text = sys.argv[1:]\n"
            "with AuthenticatedClient(base_url=url, token=key, httpx_args={'trust_env': False}) as client:\n"
            "    told = ask.sync(client=client, body=AskRequest(text=text))\n"
            "    assert isinstance(told, AskAnswer), told\n"
            "    print(told.answer)\n"
            "    refused = ask.sync(client=client, body=AskRequest(text='x', thread='inconnu'))\n"
            "    assert isinstance(refused, ProblemShape), refused\n"
            "    print(refused.detail)\n"
        )
        asking = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, desk.url, shown, LOAN, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        said = (await asking.communicate())[0].decode()
        assert asking.returncode == 0
        assert INSTALMENT in said
        assert "n'a pas de fil de ce nom" in said
