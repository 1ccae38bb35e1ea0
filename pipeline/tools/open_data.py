"""The tool "open_data": public data sets on a subject, as data.gouv.fr's MCP server finds them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.reading.cleaning import harmless
from pipeline.tools.datagouv import DataGouv
from pipeline.tools.source import SourceFailed
from pipeline.tools.web import is_official
from pipeline.types import ToolCall, ToolResult

MOST: Final = 3
LONGEST_QUERY: Final = 120
NOTHING: Final = "Aucun jeu de données public ne répond à ces mots."
ITEM: Final = re.compile(r"^\s*\d{1,3}\.\s+(?P<title>\S.*)$")
FIELD: Final = re.compile(r"^\s+(?P<name>ID|Organization|URL|Description):\s*(?P<value>.*)$")


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set as listed: title, producer, page."""

    title: str
    producer: str
    url: str


class OpenDataTool:
    """`arguments`: `{"query": str}`, a few words: the portal wants all of them in a data set's description."""

    name = "open_data"

    def __init__(self, portal: DataGouv, *, today: Callable[[], date]) -> None:
        self._portal = portal
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        query = " ".join(str(call.arguments.get("query") or "").split())[:LONGEST_QUERY]
        if not query:
            return ToolResult(call=call, error="Précisez les données publiques à chercher.")
        try:
            text = await self._portal.call("search_datasets", {"query": query, "page_size": MOST})
        except SourceFailed as error:
            return ToolResult(call=call, error=str(error))
        found = read_datasets(text)
        if not found:
            return ToolResult(call=call, error=NOTHING)
        results = [
            ToolResult(call=call, title=each.title, text=_sentence(each), url=each.url, as_of=self._today())
            for each in found
        ]
        first, *others = results
        return ToolResult(
            call=call, title=first.title, text=first.text, url=first.url, as_of=first.as_of, also=tuple(others)
        )


def read_datasets(text: str) -> tuple[DataSet, ...]:
    """The listed data sets that have a title and a page on the portal itself; anything else is passed over."""
    listed: list[dict[str, str]] = []
    for line in text.splitlines():
        if item := ITEM.match(line):
            listed.append({"title": item["title"]})
        elif listed and (field := FIELD.match(line)):
            listed[-1].setdefault(field["name"], field["value"].strip())
    sets = (
        DataSet(_clean(each["title"]), _clean(each.get("Organization", "")), each.get("URL", "")) for each in listed
    )
    return tuple(each for each in sets if each.title and is_official(each.url, ("data.gouv.fr",)))[:MOST]


def _sentence(found: DataSet) -> str:
    by = f", publié par {found.producer}" if found.producer else ""
    return f"Le portail national des données ouvertes propose le jeu de données « {found.title} »{by}."


def _clean(text: str) -> str:
    one_line = " ".join(harmless(text.translate(str.maketrans("[]<>|`*#«»", "()" + " " * 8))).split())
    return one_line[:120].rstrip(" .,;:")
