"""The tool "open_data": public data sets, data services, and what a data set holds, as data.gouv.fr tells it (MCP)."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from pipeline.tools.datagouv.server import DataGouv
from pipeline.tools.datagouv.text import MOST_ENTRIES, File, Listed, Table, read_files, read_listed, read_table
from pipeline.tools.french import count
from pipeline.tools.json_service import SourceFailed
from pipeline.types import Figure, ToolCall, ToolResult

LONGEST_QUERY: Final = 120
READ_SECONDS: Final = 4.5
"""For a data set's files and rows, once it is found: what is left of a call's time."""
NOTHING: Final = {
    "datasets": "Aucun jeu de données public ne répond à ces mots.",
    "services": "Aucun service de données public ne répond à ces mots.",
    "content": "Aucun jeu de données public ne répond à ces mots.",
}
PROPOSES: Final = "Le portail national des données ouvertes propose"
TABULAR: Final = ("csv", "xlsx", "xls", "parquet")
CODES: Final = ("codgeo", "code_insee", "insee_c", "insee", "code_commune", "code_geo", "codecommune", "com")
"""Columns that hold a commune's code, in lower case."""
SHOWN_COLUMNS, SHOWN_CELLS = 12, 8
MOST_SEARCHES: Final = 3
FEWER: Final = "Données ouvertes : rien ne répond à « {query} », j'ai cherché « {asked} »."
UNREAD: Final = "Données ouvertes : le fichier n'a pas pu être lu"


class OpenDataTool:
    """`arguments`: `{"query": str, "kind": "datasets" | "services" | "content"}`, a few words: the portal wants all of
    them. `content` reads the columns and the number of rows of the first data set's first table, and the row of the
    commune `insee` when a column holds codes."""

    name = "open_data"

    def __init__(self, portal: DataGouv, *, today: Callable[[], date], read_seconds: float = READ_SECONDS) -> None:
        self._portal = portal
        self._today = today
        self._read_seconds = read_seconds

    async def run(self, call: ToolCall) -> ToolResult:
        query = " ".join(str(call.arguments.get("query") or "").split())[:LONGEST_QUERY]
        kind = str(call.arguments.get("kind") or "datasets")
        if not query or kind not in NOTHING:
            return ToolResult(call=call, error="Précisez les données publiques à chercher.")
        tool = "search_dataservices" if kind == "services" else "search_datasets"
        try:
            found, asked = await self._found(tool, query)
        except SourceFailed as error:
            return ToolResult(call=call, error=str(error), outage=True)
        if not found:
            return ToolResult(call=call, error=NOTHING[kind])
        wider = (FEWER.format(query=query, asked=asked),) if asked != query else ()
        if kind == "content":
            result = await self._content(call, found[0])
            return replace(result, gaps=(*wider, *result.gaps))
        results = [self._result(call, each, _sentence(each, kind)) for each in found]
        return replace(results[0], also=tuple(results[1:]), gaps=wider)

    async def _found(self, tool: str, query: str) -> tuple[tuple[Listed, ...], str]:
        """What the portal lists, and for which words: it wants all of them, so that the last ones are left out while
        it knows nothing. Raises `SourceFailed`."""
        words = query.split()
        for kept in range(len(words), max(0, len(words) - MOST_SEARCHES), -1):
            asked = " ".join(words[:kept])
            if found := read_listed(await self._portal.call(tool, {"query": asked, "page_size": MOST_ENTRIES})):
                return tuple(found), asked
        return (), query

    async def _content(self, call: ToolCall, found: Listed) -> ToolResult:
        """The data set, then what could be read of it; what could not is a gap."""
        listed = self._result(call, found, _sentence(found, "datasets"))
        if not found.id:
            return replace(listed, gaps=(f"{UNREAD}.",))
        try:
            async with asyncio.timeout(self._read_seconds):
                return await self._read(call, found, listed)
        except TimeoutError:
            return replace(listed, gaps=(f"{UNREAD} à temps.",))
        except SourceFailed as error:
            return replace(listed, gaps=(f"{UNREAD} ({str(error).rstrip('.')}).",))

    async def _read(self, call: ToolCall, found: Listed, listed: ToolResult) -> ToolResult:
        """Raises `SourceFailed`."""
        files = read_files(await self._portal.call("list_dataset_resources", {"dataset_id": found.id}))
        file = next((each for each in files if each.format in TABULAR), None)
        if file is None:
            return replace(listed, text=f"{listed.text} {_files_sentence(files)}")
        table = read_table(await self._portal.call("query_resource_data", {"resource_id": file.id, "page_size": 1}))
        if not table.rows:
            return replace(listed, gaps=(f"{UNREAD} : aucune ligne.",))
        row = await self._row(file, table, str(call.arguments.get("insee") or ""))
        name = str(call.arguments.get("name") or "")
        return replace(
            listed,
            text=" ".join([listed.text, *_table_sentences(file, table), *_row_sentences(row, name)]),
            figures=tuple(_figures(table, row)),
        )

    async def _row(self, file: File, table: Table, insee: str) -> Mapping[str, str]:
        """The commune's own row; empty without a column of codes, or when the answer is of another commune."""
        column = next((name for name in table.columns if name.lower() in CODES), None)
        if column is None or not insee:
            return {}
        query: dict[str, Any] = {"filter_column": column, "filter_value": insee, "page_size": 2}
        rows = read_table(await self._portal.call("query_resource_data", {"resource_id": file.id, **query})).rows
        return rows[0] if len(rows) == 1 and rows[0].get(column) == insee else {}

    def _result(self, call: ToolCall, found: Listed, text: str) -> ToolResult:
        return ToolResult(call=call, title=found.title, text=text, url=found.url, as_of=self._today())


def _sentence(found: Listed, kind: str) -> str:
    what, published = ("l'API", "publiée") if kind == "services" else ("le jeu de données", "publié")
    by = f", {published} par {found.producer}" if found.producer else ""
    return f"{PROPOSES} {what} « {found.title} »{by}."


def _files_sentence(files: tuple[File, ...]) -> str:
    if not files:
        return "Ce jeu de données n'a pas de fichier."
    formats = ", ".join(dict.fromkeys(file.format or "format inconnu" for file in files[:SHOWN_COLUMNS]))
    return f"Ses fichiers ne sont pas des tableaux lisibles ici ({formats})."


def _table_sentences(file: File, table: Table) -> list[str]:
    rows = f" compte {count(table.total)} lignes et" if table.total is not None else ""
    shown = ", ".join(table.columns[:SHOWN_COLUMNS])
    more = " et d'autres" if len(table.columns) > SHOWN_COLUMNS else ""
    return [f"Son fichier « {file.title} »{rows} a pour colonnes : {shown}{more}."]


def _row_sentences(row: Mapping[str, str], name: str) -> list[str]:
    cells = ", ".join(f"{column} = {value}" for column, value in list(row.items())[:SHOWN_CELLS] if value)
    return [f"Ligne de {name} dans ce fichier : {cells}."] if cells else []


def _figures(table: Table, row: Mapping[str, str]) -> list[Figure]:
    """The number of rows, and each cell of the commune's row that is a number."""
    listed = [] if table.total is None else [Figure("Lignes du fichier", table.total, "lignes")]
    for column, value in list(row.items())[:SHOWN_CELLS]:
        if re.fullmatch(r"-?\d{1,12}([.,]\d{1,9})?", value, re.ASCII):
            listed.append(Figure(column, float(value.replace(",", "."))))
    return listed
