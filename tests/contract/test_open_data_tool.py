"""The tool "open_data" over a real MCP connection: data sets, data services, files and rows, and every way to fail."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount

from corpus.places import load_gazetteer
from pipeline.grounding import ground
from pipeline.planning.web_calls import search_calls
from pipeline.text.sentences import passage_sentences
from pipeline.tools.datagouv.server import DataGouv, read_text
from pipeline.tools.datagouv.tool import OpenDataTool
from pipeline.tools.json_service import SourceFailed
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from sandbox.opendata import OpenData, mounts
from tests.loopback import served

STATE = OpenData()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    app = Starlette(routes=[Mount(prefix, routes=list(routes)) for prefix, routes in mounts(STATE).items()])
    with served(app) as address:
        yield address


@pytest.fixture
async def tool(address: str) -> AsyncIterator[OpenDataTool]:
    STATE.reset()
    portal = DataGouv(f"{address}/datagouv/mcp", seconds=30)
    yield OpenDataTool(portal, today=lambda: date(2026, 11, 21))
    await portal.aclose()


async def ask(tool: OpenDataTool, kind: str, **more: Any) -> ToolResult:
    return await tool.run(ToolCall("open_data", {"query": "logements vacants", "kind": kind, **more}))


async def test_data_services_are_found_as_such(tool: OpenDataTool) -> None:
    """An API is no data set, and says so."""
    result = await ask(tool, "services")
    assert "propose l'API « API fictive du bac à sable »" in result.text
    assert result.url.startswith("https://www.data.gouv.fr/dataservices/")


async def test_a_data_set_is_read_down_to_the_row_of_a_commune(tool: OpenDataTool) -> None:
    """The first table, its columns, its size, and the one row that bears the code."""
    result = await ask(tool, "content", insee="83137", name="Toulon")
    assert "« Logements vacants (données fictives) » compte 35\u202f014 lignes" in result.text
    assert "CODGEO, LIBGEO, vacants" in result.text
    assert "Ligne de Toulon dans ce fichier : CODGEO = 83137, LIBGEO = Toulon, vacants = 337." in result.text
    assert {figure.label: figure.value for figure in result.figures}["vacants"] == 337
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in passage_sentences(result.text))
    assert ground(Draft(text, Usage("t")), Evidence(tool_results=(result,))).dropped == ()


async def test_a_commune_that_the_table_lacks_has_no_row(tool: OpenDataTool) -> None:
    """The table is described, no line of another commune is told."""
    result = await ask(tool, "content", insee="01999", name="Nulle-Part")
    assert "compte 35\u202f014 lignes" in result.text
    assert "Ligne de" not in result.text


@pytest.mark.parametrize("kind", ["datasets", "services", "content"])
@pytest.mark.parametrize("mode", ["down", "html", "half_json", "429"])
async def test_a_failing_portal_is_a_reason(tool: OpenDataTool, kind: str, mode: str) -> None:
    """Whatever comes instead of an answer: a French sentence, no figure."""
    STATE.set_faults({"mode": mode, "count": 99, "service": "mcp"})
    result = await ask(tool, kind)
    assert "portail national" in (result.error or "")
    assert result.figures == ()


@pytest.mark.parametrize("kind", ["datasets", "services"])
async def test_nothing_found_is_no_failure(tool: OpenDataTool, kind: str) -> None:
    """The words match nothing: said, and the portal is not held to be down."""
    STATE.set_faults({"mode": "empty", "count": 99, "service": "mcp"})
    assert (await ask(tool, kind)).error in {
        "Aucun jeu de données public ne répond à ces mots.",
        "Aucun service de données public ne répond à ces mots.",
    }


class Choosy:
    """A portal that wants every word, as the real one: it knows these alone."""

    def __init__(self, known: str) -> None:
        self.known, self.asked = known, list[str]()

    async def call(self, _tool: str, arguments: dict[str, Any]) -> str:
        self.asked.append(str(arguments["query"]))
        return LISTED if self.asked[-1] == self.known else f"No datasets found for query: '{self.asked[-1]}'"


@pytest.mark.parametrize(("known", "found"), [("DVF", True), ("loyers", False)])
async def test_words_are_left_out_until_something_is_found(known: str, found: bool) -> None:
    """And what was searched for in the end is said."""
    portal: Any = Choosy(known)
    tool = OpenDataTool(portal, today=lambda: date(2026, 11, 21))
    result = await tool.run(ToolCall("open_data", {"query": "DVF Lyon 7e", "kind": "datasets"}))
    assert portal.asked == ["DVF Lyon 7e", "DVF Lyon", "DVF"]
    assert (result.error is None) is found
    assert result.gaps == (
        ("Données ouvertes : rien ne répond à « DVF Lyon 7e », j'ai cherché « DVF ».",) if found else ()
    )


class Scripted:
    """A portal whose answers are told beforehand, by tool; None: it never answers."""

    def __init__(self, **texts: str | None) -> None:
        self.texts = texts

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        text = self.texts[tool]
        if text is None:
            await asyncio.Event().wait()
        return str(text)


NOTICE = "1. Notice\n   Resource ID: 5a0dec7a-0000-4000-8000-000000000000\n   Format: pdf\n"
LISTED = "1. Jeu\n   ID: 64998de5926530ebcecc7b15\n   URL: https://www.data.gouv.fr/datasets/jeu/\n"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"list_dataset_resources": None}, "à temps"),
        (
            {"list_dataset_resources": NOTICE},
            "",
        ),
        ({"list_dataset_resources": "This dataset has no resources."}, ""),
    ],
    ids=["late", "no table", "no file"],
)
async def test_what_cannot_be_read_leaves_the_data_set(texts: dict[str, str | None], said: str) -> None:
    """Found but not opened: named, with the reason in the footer or in the text."""
    portal: Any = Scripted(search_datasets=LISTED, **texts)
    tool = OpenDataTool(portal, today=lambda: date(2026, 11, 21), read_seconds=0.05)
    result = await ask(tool, "content")
    assert "« Jeu »" in result.text
    assert result.figures == ()
    assert said in " ".join(result.gaps)
    assert result.gaps or "fichier" in result.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quels jeux de données publics sur les loyers ?", {"query": "loyers", "kind": "datasets"}),
        ("Existe-t-il une API publique sur le cadastre ?", {"query": "cadastre", "kind": "services"}),
        (
            "Que contient le jeu de données LOVAC pour Toulon ?",
            {"query": "LOVAC", "kind": "content", "insee": "83137", "name": "Toulon"},
        ),
    ],
)
def test_the_words_of_the_question_choose_what_is_asked(text: str, expected: dict[str, str]) -> None:
    """Sets, services or content; the few words that say the subject."""
    place = load_gazetteer().get("83137") if "Toulon" in text else None
    (call,) = search_calls(text, query=text, place=place, data=True)
    assert call.arguments == expected


class Said:
    """A tool's result as the SDK gives it."""

    def __init__(self, text: Any, *, failed: Any = False) -> None:
        self.content, self.is_error = [self, text], failed
        self.text = text


@pytest.mark.parametrize(
    ("text", "failed", "outcome"),
    [
        ("Error: HTTP 500", False, None),
        ("❌ Tabular API error", False, None),
        ("⚠️  Resource not available via Tabular API", False, None),
        ("Unknown tool: x", True, None),
        ("", False, None),
        ("No datasets found for query: 'x'", False, ""),
        ("⚠️  No rows available (resource may be empty or filtered).", False, ""),
        ("Data (1 row):\n\n⚠️ Large dataset (5000 rows).", False, "Data (1 row):\n\n⚠️ Large dataset (5000 rows)."),
    ],
)
def test_what_arrives_as_ordinary_text_is_told_apart(text: str, failed: bool, outcome: str | None) -> None:
    """Most failures of this server are ordinary text; that a table is long is none."""
    if outcome is None:
        with pytest.raises(SourceFailed):
            read_text(Said(text, failed=failed))
    else:
        assert read_text(Said(text, failed=failed)) == outcome


@given(st.text(max_size=200), st.booleans() | st.none())
def test_no_text_of_the_server_escapes(text: str, failed: bool | None) -> None:
    """Its text, nothing, or `SourceFailed`."""
    try:
        assert read_text(Said(text, failed=failed)) in (text, "")
    except SourceFailed:
        return
