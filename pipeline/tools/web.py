"""The tool "web": Tavily's search, kept to official domains; its pages are data that decide nothing."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from pipeline.reading.cleaning import harmless
from pipeline.reading.sentences import passage_sentences
from pipeline.tools.source import Malformed, Request, Source, SourceFailed, rows_of, unusable
from pipeline.types import ToolCall, ToolResult

PATH: Final = "/search"
MOST_PAGES, MOST_SENTENCES, LONGEST_QUERY = 3, 6, 300
DOMAINS: Final = (
    "gouv.fr", "service-public.fr", "insee.fr", "anil.org", "amf-france.org", "banque-france.fr", "ademe.fr",
    "cerema.fr", "notaires.fr", "orias.fr", "fr.wikipedia.org",
)  # fmt: skip
NOTHING: Final = "La recherche sur les sites officiels n'a rien donné."


class WebTool:
    """`arguments`: `{"query": str}`. `key` is required: Tavily's keyless mode is another service with other terms.
    Only https pages of `domains` (and below them) are ever returned, whatever the service answers."""

    name = "web"

    def __init__(
        self, source: Source, *, key: str, today: Callable[[], date], domains: Sequence[str] = DOMAINS
    ) -> None:
        if not key:
            raise ValueError("a key is required")
        self._source = source
        self._key = key
        self._today = today
        self._domains = tuple(domains)

    async def run(self, call: ToolCall) -> ToolResult:
        query = " ".join(str(call.arguments.get("query") or "").split())[:LONGEST_QUERY]
        if not query:
            return ToolResult(call=call, error="Précisez ce qu'il faut chercher sur les sites officiels.")
        body = {
            "query": query,
            "search_depth": "basic",
            "max_results": 6,
            "include_domains": list(self._domains),
            "include_answer": False,
        }
        (answer,) = await self._source.ask(Request(PATH, body=body, headers={"Authorization": f"Bearer {self._key}"}))
        if isinstance(answer, SourceFailed):
            return ToolResult(call=call, error=str(answer))
        try:
            pages = read_pages(answer, self._domains)
        except Malformed:
            return ToolResult(call=call, error=unusable(self._source.label))
        results = [
            ToolResult(call=call, title=title, text=text, url=url, as_of=self._today()) for title, url, text in pages
        ]
        if not results:
            return ToolResult(call=call, error=NOTHING)
        first, *others = results
        return ToolResult(
            call=call, title=first.title, text=first.text, url=first.url, as_of=first.as_of, also=tuple(others)
        )


def read_pages(answer: Any, domains: Sequence[str]) -> list[tuple[str, str, str]]:
    """(title, address, text) of the pages on official domains, best first. Raises `Malformed`."""
    found = []
    for row in rows_of(answer, "results"):
        title, url, content = row.get("title"), row.get("url"), row.get("content")
        if not (isinstance(title, str) and isinstance(url, str) and isinstance(content, str)):
            raise Malformed
        if not is_official(url, domains):
            continue
        sentences = passage_sentences(_clean(content[:8_000]))[:MOST_SENTENCES]
        if sentences:
            found.append((_clean(title)[:120] or "Page officielle", url, " ".join(sentences)))
    return found[:MOST_PAGES]


def is_official(url: str, domains: Sequence[str]) -> bool:
    """https, no user or port, and a host that is one of the domains or below it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    host = (parts.hostname or "").lower()
    if parts.scheme != "https" or parts.username or port not in (None, 443) or len(url) > 2_000 or " " in url:
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _clean(text: str) -> str:
    """One line without link, mark-up or brackets that could pass for a citation."""
    return " ".join(harmless(text.translate(str.maketrans("[]<>|`*#", "()" + " " * 6))).split())
