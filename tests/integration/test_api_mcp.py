"""An unmodified MCP client of the ecosystem, over streamable HTTP and over stdio, in both eras of the protocol."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from bot.store import keys
from tests.beginnings import indexed, migrated
from tests.integration.api_desk import INSTALMENT, LOAN, ApiDesk, HeldCalculator, api_desk

NAMES = ["ask", "prices", "risks", "rents", "compute", "search_corpus", "propose_note"]
ROOT = Path(__file__).resolve().parents[2]


@contextlib.asynccontextmanager
async def connected(desk: ApiDesk, shown: str, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {shown}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(f"{desk.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def said(result: Any) -> str:
    return " ".join(part.text for part in result.content)


def told(error: BaseException) -> str:
    inside = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return " ".join((repr(error), *map(told, inside)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_lists_the_tools_and_gets_the_same_answer_as_over_http(tmp_path: Path, mode: str) -> None:
    """Steps come as progress; the answer is the JSON of /v1/ask; a thread goes on from one way in to the other."""
    steps: list[str | None] = []

    async def progress(_done: float, _total: float | None, message: str | None) -> None:
        steps.append(message)

    async with api_desk(tmp_path) as desk:
        shown = await desk.key()
        async with connected(desk, shown, mode) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == NAMES
            assert [tool.name for tool in listed if not (tool.annotations and tool.annotations.read_only_hint)] == [
                "propose_note"
            ]
            told = await client.call_tool("ask", {"text": LOAN}, progress_callback=progress)
            assert INSTALMENT in said(told)
            assert "Je consulte le corpus et les données de marché" in steps
            again = await client.call_tool(
                "ask", {"text": "et sur 25 ans ?", "thread": told.structured_content["thread"]}
            )
        assert "990,55" in again.structured_content["answer"]
        async with desk.client(shown) as http:
            same = (await http.post("/v1/ask", json={"text": LOAN})).json()
        own = ("thread", "reference", "seconds")
        assert {k: v for k, v in told.structured_content.items() if k not in own} == {
            k: v for k, v in same.items() if k not in own
        }


async def test_a_wrong_call_is_a_french_sentence_with_a_reference(tmp_path: Path) -> None:
    """What a model reads, it can put right; nothing of ours breaks."""
    calls = [
        ("ask", {"texte": "x"}, "il manque « text »"),
        ("ask", {"text": LOAN, "thread": "inconnu"}, "n'a pas de fil de ce nom"),
        ("prices", {"commune": "Xyzville"}, "Je ne connais pas de commune"),
        ("prices", {"commune": "Strasbourg"}, "hors champ de DVF"),
        ("risks", {"commune": "Toulon"}, "source non connectée"),
        ("rents", {"commune": "Toulon", "type": "castle"}, "« type »"),
        ("compute", {"kind": "astrology"}, "« kind »"),
        ("compute", {"kind": "loan", "age": 3}, "ne connaît pas : age"),
        ("compute", {"kind": "loan", "loan_amount": -1, "rate": 3, "months": 240}, "Valeur négative"),
        ("compute", {"kind": "loan"}, "indiquer"),
        ("propose_note", {"deal": "9002", "text": "x"}, "n'ouvre pas les dossiers"),
        ("write_note", {}, "Outil inconnu"),
    ]
    async with api_desk(tmp_path) as desk, connected(desk, await desk.key()) as client:
        for name, arguments, reason in calls:
            result = await client.call_tool(name, arguments)
            assert result.is_error, name
            assert reason in said(result), said(result)
            assert "référence QS-" in said(result)


async def test_a_calculation_tells_its_formulas(tmp_path: Path) -> None:
    """As the answer's own calculator does, without a question around it."""
    async with api_desk(tmp_path) as desk, connected(desk, await desk.key()) as client:
        given = {"kind": "loan", "loan_amount": 200_000, "rate": [3.4], "months": 240}
        found = (await client.call_tool("compute", given)).structured_content
        (finding,) = found["findings"]
        assert 1149.67 in [each["value"] for each in finding["computed"]]
        assert all(each["formula"] for each in finding["computed"])
        assert finding["as_of"]
        audit = await desk.rows("select event, subject from audit where event like 'api%'")
        assert [tuple(row.values()) for row in audit] == [("api_tool", "calculator")]


async def test_each_call_brings_its_key(tmp_path: Path) -> None:
    """Without one that is in use there is no session, and one that is revoked between two calls ends it."""
    async with api_desk(tmp_path) as desk:
        with pytest.raises(BaseExceptionGroup) as nobody:
            async with connected(desk, "qs_wrong") as client:
                await client.list_tools()
        assert "Cette clé n'est pas connue" in told(nobody.value)
        async with connected(desk, await desk.key()) as client:
            await client.call_tool("compute", {"kind": "loan"})
            await desk.api.database.write(lambda c: keys.revoke(c, "tableau"))
            with pytest.raises(MCPError, match="Cette clé n'est pas connue, ou elle a été révoquée"):
                await client.call_tool("compute", {"kind": "loan"})


async def test_a_client_that_gives_up_leaves_an_answer_that_is_stored(tmp_path: Path) -> None:
    """The audit says so, and the thread goes on from it."""
    held = HeldCalculator()
    async with api_desk(tmp_path, tools={"calculator": held}) as desk:
        shown = await desk.key()
        async with connected(desk, shown) as client:
            call = asyncio.create_task(client.call_tool("ask", {"text": LOAN}))
            await held.asked.wait()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            await desk.until("select 1 from audit where event = 'api_left'")
            held.may.set()
            await desk.until("select 1 from answer where state = 'published'")
            (row,) = await desk.rows("select thread_ts, text from answer")
            assert INSTALMENT in row["text"]
            again = await client.call_tool("ask", {"text": "et sur 25 ans ?", "thread": row["thread_ts"]})
            assert "990,55" in said(again)


async def test_over_stdio_the_command_serves_the_same_tools(tmp_path: Path) -> None:
    """Without a name it opens no deals; with one it has that key's rights and writes its audit."""
    await indexed(tmp_path / "corpus.sqlite3")
    url = migrated(tmp_path / "bot.sqlite3")
    closed = "http://127.0.0.1:9"
    env = {
        **dict.fromkeys(("DVF_API_URL", "GEORISQUES_URL", "TABULAR_API_URL", "ADEME_URL", "GEOCODING_URL"), closed),
        "DVF_FILES_URL": closed, "DATAGOUV_MCP_URL": f"{closed}/mcp", "DATABASE_URL": url, "VAR_DIR": str(tmp_path),
        "PATH": os.environ["PATH"], "HOME": str(tmp_path),
    }  # fmt: skip
    command = StdioServerParameters(command=sys.executable, args=["-m", "bot", "mcp"], env=env, cwd=ROOT)
    with (tmp_path / "stderr").open("w") as errors:
        async with Client(stdio_client(command, errlog=errors)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
            told = await client.call_tool("ask", {"text": "Peut-on encore acheter en Pinel ?"})
            assert "31 décembre 2024" in said(told).replace("\u00a0", " ")
            assert told.structured_content["citations"]
            found = await client.call_tool("search_corpus", {"query": "plafond déficit foncier", "limit": 2})
            assert len(found.structured_content["passages"]) == 2
            assert "déficit foncier" in found.structured_content["passages"][0]["text"]
            refused = await client.call_tool("propose_note", {"deal": "9002", "text": "x"})
            assert "n'ouvre pas les dossiers" in said(refused)
