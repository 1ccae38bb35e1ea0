"""Other programs' questions over HTTP: the answer, its thread, who is refused, and how often one may ask."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.api.access import MOST_BYTES, Rates
from bot.api.asking import Asking
from bot.api.problems import Problem
from bot.api.shapes import AskRequest
from bot.conversations import direct, reply
from bot.conversations.budgets import Budgets
from bot.ports import Visitor
from bot.store import keys
from tests.integration.api_desk import INSTALMENT, LOAN, HeldCalculator, api_desk, opened

MASKED = ("thread", "reference", "cards", "seconds")


async def asked(client: httpx.AsyncClient, text: str = LOAN, **more: Any) -> dict[str, Any]:
    answer = await client.post("/v1/ask", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def refused(answer: httpx.Response, status: int) -> str:
    """Its French sentence; the whole is a problem as RFC 9457 has it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["reference"].startswith("QS-")
    return str(problem["detail"])


async def test_the_answer_is_that_of_the_command_line(tmp_path: Path) -> None:
    """Same pipeline, memory and JSON: only the thread, the reference and the cards are the API's own."""
    async with api_desk(tmp_path) as desk:
        shown = await desk.key()
        async with desk.client(shown) as client:
            first = await asked(client)
            second = await asked(client, "et sur 25 ans ?", thread=first["thread"])
        assert INSTALMENT in first["answer"]
        assert "990,55" in second["answer"]  # the thread is known: the same loan, longer
        by, thread = Visitor("member", "cli", "local", shared_channel=False), None
        for text, told in ((LOAN, first), ("et sur 25 ans ?", second)):
            message = direct.message_of(text, thread, by=by, channel="cli", channel_type="cli")
            answer = await direct.answered(message, database=desk.api.database, deps=desk.api.deps, budgets=Budgets())
            thread = message.thread_ts
            expected = {k: v for k, v in reply.as_json(text, answer).items() if k not in MASKED}
            assert {k: v for k, v in told.items() if k not in MASKED} == json.loads(json.dumps(expected))
        audit = await desk.rows("select actor, event, subject, detail from audit where event like 'api%'")
        answers = await desk.rows("select answer_id, state from answer where channel_type = 'api'")
        assert [row["subject"] for row in audit] == [row["answer_id"] for row in answers]
        assert {row["state"] for row in answers} == {"published"}
        assert LOAN not in str(audit)


async def test_keys_that_open_nothing(tmp_path: Path) -> None:
    """None, half a key, a wrong one, a revoked one: 401 with a sentence, on both ways in, before a body is read."""
    async with api_desk(tmp_path) as desk:
        shown = await desk.key()
        await desk.api.database.write(lambda c: keys.revoke(c, "tableau"))
        other = await desk.key("autre")
        for path in ("/v1/ask", "/mcp"):
            for wrong in ("", shown, other[:-1], other.replace("qs_", ""), "é"):
                headers = {"Authorization": f"Bearer {wrong}".encode()} if wrong else {}
                async with desk.client() as client:
                    answer = await client.post(path, json={"text": LOAN}, headers=headers)
                assert answer.status_code == 401
                assert "clé" in (refused(answer, 401) if path == "/v1/ask" else answer.json()["error"]["message"])
                assert answer.headers["www-authenticate"] == "Bearer"
            async with desk.client() as client:
                basic = await client.post(path, json={"text": LOAN}, auth=("qs", other))
            assert basic.status_code == 401
        assert await desk.rows("select * from answer") == []


async def test_a_thread_is_its_keys_alone(tmp_path: Path) -> None:
    """Neither another key of the team nor one of another team learns that it exists."""
    async with api_desk(tmp_path) as desk:
        mine, colleague, stranger = [await desk.key(n, team_id=t) for n, t in (("a", "T1"), ("b", "T1"), ("c", "T2"))]
        async with desk.client(mine) as client:
            thread = (await asked(client))["thread"]
        for other in (colleague, stranger):
            async with desk.client(other) as client:
                for name in (thread, "jamais-vu"):
                    answer = await client.post("/v1/ask", json={"text": "et sur 25 ans ?", "thread": name})
                    assert "n'a pas de fil de ce nom" in refused(answer, 404)
        assert len(await desk.rows("select * from answer")) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "JSON"),
        (b'{"texte": "x"}', "« text »"),
        (b'{"text": ""}', "« text » est vide"),
        (b'{"text": " \\u0000 "}', "pas de question"),
        (b'{"text": "\\ud800"}', "Demande illisible"),
        (json.dumps({"text": "x" * 12_001}).encode(), "« text » est trop long"),
        (b'{"text": "x", "thread": "../x"}', "« thread »"),
        (b'{"text": "x", "deal": "9002"}', "« deal » n'est pas connu ici"),
        (b'["x"]', "Demande illisible"),
        (b"\xff\xfe", "JSON"),
    ],
    ids=["json", "missing", "empty", "blank", "surrogate", "long", "thread", "unknown", "list", "bytes"],
)
async def test_what_is_no_request_is_said(tmp_path: Path, body: bytes, said: str) -> None:
    """400 with what is wrong, and nothing is asked."""
    async with api_desk(tmp_path) as desk, desk.client(await desk.key()) as client:
        assert said in refused(await client.post("/v1/ask", content=body), 400)
        assert await desk.rows("select * from answer") == []


async def test_addresses_and_methods_that_are_not_there(tmp_path: Path) -> None:
    """As problems too; the document needs no key, nor does health."""
    async with api_desk(tmp_path) as desk, desk.client() as client:
        refused(await client.get("/v1/nothing"), 404)
        refused(await client.get("/v1/ask"), 405)
        refused(await client.get("/mcp"), 405)
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {"ready": True, "parts": {"start": True}}
        assert (await client.get("/v1/openapi.json")).json()["openapi"] == "3.1.0"


async def test_a_key_that_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    """429 and Retry-After for it alone."""
    async with api_desk(tmp_path, per_minute=2) as desk:
        first, second = await desk.key("a"), await desk.key("b")
        async with desk.client(first) as client:
            answers = [await client.post("/v1/ask", content=b"{") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [400, 400, 429]
        assert "au plus 2 demandes par minute" in refused(answers[2], 429)
        assert 1 <= int(answers[2].headers["retry-after"]) <= 30
        async with desk.client(second) as client:
            refused(await client.post("/v1/ask", content=b"{"), 400)


def test_a_bucket_fills_again_evenly() -> None:
    """Two a minute: none is left after two, one after thirty seconds, two after an hour."""
    now = [0.0]
    rates = Rates(2, clock=lambda: now[0])
    assert [rates.take("a") for _ in range(3)] == [0, 0, 30]
    now[0] = 29.0
    assert rates.take("a") == 1
    now[0] = 30.0
    assert [rates.take("a") for _ in range(2)] == [0, 30]
    now[0] = 3_630.0
    assert [rates.take("a") for _ in range(3)] == [0, 0, 30]
    assert [Rates(0).take("a") for _ in range(99)] == [0] * 99


async def test_a_body_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    """Told in its length, or found while it comes in pieces."""
    async with api_desk(tmp_path) as desk, desk.client(await desk.key()) as client:
        assert "64 ko" in refused(await client.post("/v1/ask", content=b"x" * (MOST_BYTES + 1)), 413)

        async def pieces() -> Any:
            for _ in range(MOST_BYTES // 4_096 + 1):
                yield b"x" * 4_096

        assert "64 ko" in refused(await client.post("/v1/ask", content=pieces()), 413)


async def test_a_body_that_does_not_come_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins a request and stops holds nothing up."""
    monkeypatch.setattr("bot.api.access.BODY_SECONDS", 0.05)
    async with api_desk(tmp_path) as desk:
        shown = await desk.key()
        port = int(desk.url.rpartition(":")[2])
        reading, writing = await asyncio.open_connection("127.0.0.1", port)
        head = f"POST /v1/ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {shown}\r\nContent-Length: 99\r\n\r\n{{"
        writing.write(head.encode())
        assert b" 408 " in await reading.readline()
        writing.close()


async def test_answers_of_a_thread_come_one_after_the_other_and_a_key_awaits_a_few(tmp_path: Path) -> None:
    """A fifth question at once is refused for that key alone; each of a thread knows what was said before it."""
    held = HeldCalculator()
    async with api_desk(tmp_path, tools={"calculator": held}) as desk:
        await desk.key("a")
        await desk.key("b")
        named = [await desk.api.database.read(lambda c, n=n: keys.of_name(c, n)) for n in "ab"]  # type: ignore[misc]
        first, second = [key for key in named if key is not None]
        asking = Asking(desk.api)
        begun = await asking.begin(first, AskRequest(text=LOAN))
        await held.asked.wait()
        thread = begun.message.thread_ts
        later = [
            await asking.begin(first, AskRequest(text=t, thread=thread)) for t in ("et sur 25 ans ?", "et à 3 % ?")
        ]
        await asking.begin(first, AskRequest(text=LOAN))
        with pytest.raises(Problem, match="attend déjà 4 réponses") as full:
            await asking.begin(first, AskRequest(text=LOAN))
        assert (full.value.status, full.value.retry_after) == (429, 2)
        other = await asking.begin(second, AskRequest(text=LOAN))
        held.may.set()
        told = await asyncio.gather(begun.task, *(each.task for each in later), other.task)
        assert [INSTALMENT in told[0]["answer"], "sur 25 ans" in told[1]["answer"]] == [True, True]
        assert "à 3\xa0% sur 25 ans" in told[2]["answer"]
        await asking.aclose()
        await asking.begin(first, AskRequest(text=LOAN))
        await asking.aclose()


async def test_what_nobody_expected_is_a_sentence_with_a_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No trace reaches the program; the answer is no longer owed, and the thread goes on."""

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    async with api_desk(tmp_path) as desk, desk.client(await desk.key()) as client:
        thread = (await asked(client))["thread"]
        with monkeypatch.context() as patch:
            patch.setattr(direct.reply, "answer_claimed", broken)
            answer = await client.post("/v1/ask", json={"text": LOAN, "thread": thread})
        assert refused(answer, 500) == "Une erreur technique est survenue."
        assert "secret" not in answer.text
        states = await desk.rows("select state from answer order by asked_at")
        assert [row["state"] for row in states] == ["published", "failed_shown"]
        assert "990,55" in (await asked(client, "et sur 25 ans ?", thread=thread))["answer"]


async def test_what_a_process_that_ended_owed_is_owed_no_more(tmp_path: Path) -> None:
    """Else its thread could never be forgotten: an answer in it would seem to be under way."""
    async with api_desk(tmp_path) as desk:
        async with desk.client(await desk.key()) as client:
            await asked(client)
        await desk.api.database.write(lambda c: c.exec_driver_sql("update answer set state = 'new'"))
        async with opened(desk.api):
            assert [row["state"] for row in await desk.rows("select state from answer")] == ["failed_shown"]
