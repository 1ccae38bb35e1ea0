"""The tool "web": Tavily's search, kept to official domains, then the pages' own text; data that decide nothing."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from corpus.chunking import chunk
from corpus.errors import UnreadableSource
from corpus.french import distinct, terms_in
from corpus.sources.fetching import Reach
from corpus.sources.pages import Page, open_page, page_document
from pipeline.text.cleaning import inert
from pipeline.text.sentences import passage_sentences
from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, rows_of, unusable
from pipeline.types import ToolCall, ToolResult

PATH: Final = "/search"
MOST_PAGES, MOST_SENTENCES, LONGEST_QUERY = 3, 6, 300
ALL_SECONDS: Final = 7.0
"""For the search and the pages together: under the toolbox's limit, so that a late page costs its text alone."""
DOMAINS: Final = (
    "gouv.fr", "service-public.fr", "insee.fr", "anil.org", "amf-france.org", "banque-france.fr", "ademe.fr",
    "cerema.fr", "notaires.fr", "orias.fr", "fr.wikipedia.org",
)  # fmt: skip
PAGES_AT_ONCE: Final = 4
"""Of all questions together: each page is parsed in a process of its own."""
PAGES_KEPT: Final = 64
NOTHING: Final = "La recherche sur les sites officiels n'a rien donné."

Internal = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Found:
    """A page on an official domain: title, address, and the sentences that answer."""

    title: str
    url: str
    text: str


class WebTool:
    """`arguments`: `{"query": str}`. `key` is required: Tavily's keyless mode is another service with other terms.
    Only https pages of `domains` (and below them) are ever read or returned, whatever the service or a page's redirect
    says; `reach` may name hosts of the firm's own network besides, which must be in `domains` too. A page that was read
    is known for `keep` seconds; 0: never."""

    name = "web"

    def __init__(
        self,
        source: JsonService,
        *,
        key: str,
        today: Callable[[], date],
        domains: Sequence[str] = DOMAINS,
        reach: Reach = Reach(),  # noqa: B008  (frozen)
        seconds: float = ALL_SECONDS,
        keep: float = 0.0,
    ) -> None:
        if not key:
            raise ValueError("a key is required")
        self._source = source
        self._key = key
        self._today = today
        self._domains = tuple(domains)
        self._reach = reach
        self._seconds = seconds
        self._keep = keep
        self._kept: dict[str, tuple[float, Page]] = {}
        self._free = asyncio.Semaphore(PAGES_AT_ONCE)

    async def run(self, call: ToolCall) -> ToolResult:
        query = " ".join(str(call.arguments.get("query") or "").split())[:LONGEST_QUERY]
        if not query:
            return ToolResult(call=call, error="Précisez ce qu'il faut chercher sur les sites officiels.")
        until = asyncio.get_running_loop().time() + self._seconds
        body = {
            "query": query,
            "search_depth": "basic",
            "max_results": 6,
            "include_domains": list(self._domains),
            "include_answer": False,
        }
        (answer,) = await self._source.ask(Request(PATH, body=body, headers={"Authorization": f"Bearer {self._key}"}))
        if isinstance(answer, SourceFailed):
            return ToolResult(call=call, error=str(answer), outage=True)
        try:
            listed = read_pages(answer, self._domains, self._reach.internal)
        except Malformed:
            return ToolResult(call=call, error=unusable(self._source.label), outage=True)
        pages = await self._read(listed, query, until=until)
        if not pages:
            return ToolResult(call=call, error=NOTHING)
        results = [
            ToolResult(call=call, title=page.title, text=page.text, url=page.url, as_of=self._today()) for page in pages
        ]
        return replace(results[0], also=tuple(results[1:]))

    async def _read(self, listed: Sequence[Found], query: str, *, until: float) -> list[Found]:
        """The pages' own text where it could be read in time, else what the search said of them."""
        tasks = [asyncio.create_task(self._open(page, query)) for page in listed]
        if tasks:
            await asyncio.wait(tasks, timeout=max(0.0, until - asyncio.get_running_loop().time()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        kept: list[Found] = []
        for page, task in zip(listed, tasks, strict=True):
            read = task.result() if not task.cancelled() else None
            shown = read or replace(page, text=" ".join(telling(page.title, passage_sentences(page.text), query)))
            if shown.text and shown.url not in {other.url for other in kept}:
                kept.append(shown)
        return kept

    async def _open(self, page: Found, query: str) -> Found | None:
        """None where the page could not be read, or says nothing of the question."""
        try:
            opened = await self._page(page.url)
        except UnreadableSource:
            return None
        sentences = [
            (" ".join((piece.title, *piece.heading)), inert(sentence))
            for piece in chunk(page_document(opened))
            for sentence in passage_sentences(piece.text)
        ]
        told = telling_under(sentences, query)
        title = inert(opened.title)[:120] or page.title
        url = opened.url if self._official(opened.url) else page.url
        return Found(title, url, " ".join(told)) if told else None

    async def _page(self, url: str) -> Page:
        """Read now, or less than `keep` seconds ago."""
        now = asyncio.get_running_loop().time()
        until, known = self._kept.get(url, (0.0, None))
        if known is not None and now < until:
            return known
        async with self._free:
            page = await open_page(url, reach=self._reach, allowed=self._official)
        if self._keep:
            self._kept[url] = (now + self._keep, page)
            while len(self._kept) > PAGES_KEPT:
                del self._kept[next(iter(self._kept))]
        return page

    def _official(self, url: str) -> bool:
        return is_official(url, self._domains, self._reach.internal)


def read_pages(answer: Any, domains: Sequence[str], internal: Internal = frozenset()) -> list[Found]:
    """The pages on official domains, best first, with what the search says of them. Raises `Malformed`."""
    found = []
    for row in rows_of(answer, "results"):
        title, url, content = row.get("title"), row.get("url"), row.get("content")
        if not (isinstance(title, str) and isinstance(url, str) and isinstance(content, str)):
            raise Malformed
        if not is_official(url, domains, internal):
            continue
        sentences = passage_sentences(inert(content[:8_000]))[:MOST_SENTENCES]
        if sentences:
            found.append(Found(inert(title)[:120] or "Page officielle", url, " ".join(sentences)))
    return found[:MOST_PAGES]


def telling(title: str, sentences: Sequence[str], query: str) -> list[str]:
    """The sentences under one title that speak of the question."""
    return telling_under([(title, sentence) for sentence in sentences], query)


def telling_under(sentences: Sequence[tuple[str, str]], query: str) -> list[str]:
    """Of (heading, sentence) pairs, the sentences that speak of the question, best six, in the page's order.

    A sentence does when it holds a word of the question, and with its heading two of them (one, if it has one only).
    """
    asked = frozenset(distinct(query))
    scored = []
    for position, (heading, sentence) in enumerate(sentences):
        own = terms_in(sentence) & asked
        if own and len(own | (terms_in(heading) & asked)) >= min(2, len(asked)):
            scored.append((-len(own), position, sentence))
    best = sorted(scored)[:MOST_SENTENCES]
    return [sentence for _, _, sentence in sorted(best, key=lambda each: each[1])]


def is_official(url: str, domains: Sequence[str], internal: Internal = frozenset()) -> bool:
    """https, no user or port, and a host that is one of the domains or below it; a host of the firm's own network may
    have a port, and do without https."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80}.get(parts.scheme, 443)
    except ValueError:
        return False
    host = (parts.hostname or "").lower()
    inside = parts.scheme in ("http", "https") and (host, port) in internal
    if parts.username or len(url) > 2_000 or " " in url or not (inside or (parts.scheme == "https" and port == 443)):
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
