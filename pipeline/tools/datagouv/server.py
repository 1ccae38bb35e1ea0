"""data.gouv.fr's MCP server: one call, its prose, and its many ways to say that it failed told apart."""

import asyncio
import importlib
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from pipeline.metering.breaker import Breaker
from pipeline.tools.json_service import FAILURES, SECONDS, SourceFailed

LABEL: Final = "Le portail national des données ouvertes"
LONGEST: Final = 200_000
FAILED: Final = re.compile(r"^\s*(?:Error\b|❌|⚠️(?!\s*Large dataset))", re.MULTILINE)
"""A failure told as ordinary text; that a table is long is only a remark beside its rows."""
EMPTY: Final = re.compile(r"^\s*(?:No \w+ found\b|⚠️\s*No rows available)", re.MULTILINE)
LATE: Final = f"{LABEL} n'a pas répondu à temps."
DOWN: Final = f"{LABEL} est indisponible pour le moment."
REFUSED: Final = f"{LABEL} n'a pas pu répondre à cette demande."
RESTING: Final = f"{LABEL} ne répondait plus : nouvel essai dans un instant."


class DataGouv:
    """`server`: its address, or a server object in tests. The SDK is imported at the first call: it takes a second. One
    HTTP client serves all calls (reading the certificates anew for each took most of its time); `aclose` closes it."""

    def __init__(self, server: Any, *, clock: Callable[[], float] = time.monotonic, seconds: float = SECONDS) -> None:
        self._server = server
        self._seconds = seconds
        self._breaker = Breaker(clock, most=FAILURES)
        self._http: Any = None

    async def aclose(self) -> None:
        """Closes what the calls have opened, if there were any."""
        if self._http is not None:
            await self._http.aclose()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The tool's text; empty when there is nothing to be found. Raises `SourceFailed`."""
        if not self._breaker.admits():
            raise SourceFailed(RESTING)
        try:
            text = await self._called(tool, arguments)
        except SourceFailed:
            self._breaker.failed()
            raise
        finally:
            self._breaker.left()
        self._breaker.succeeded()
        return text

    async def _called(self, tool: str, arguments: Mapping[str, Any]) -> str:
        mcp = await asyncio.to_thread(importlib.import_module, "mcp")
        http = await asyncio.to_thread(importlib.import_module, "httpx2")
        foreign = (http.HTTPError, http.InvalidURL, mcp.MCPError, OSError, ValueError, TimeoutError)
        server = await self._transport(http) if isinstance(self._server, str) else self._server
        try:
            async with (
                asyncio.timeout(self._seconds),
                mcp.Client(server, read_timeout_seconds=self._seconds, mode="legacy") as client,
            ):
                answer = await client.call_tool(tool, dict(arguments))
        except TimeoutError:
            raise SourceFailed(LATE) from None
        except foreign as error:
            raise SourceFailed(DOWN) from error
        except BaseExceptionGroup as group:  # the SDK's task group wraps what the transport raised
            expected, unexpected = group.split(foreign)
            if unexpected is not None:
                raise
            late = expected is not None and expected.subgroup(TimeoutError) is not None
            raise SourceFailed(LATE if late else DOWN) from group
        return read_text(answer)

    async def _transport(self, http: Any) -> Any:
        """One connection of the SDK's over our client, which follows no redirect."""
        streamable = await asyncio.to_thread(importlib.import_module, "mcp.client.streamable_http")
        if self._http is None:
            made = await asyncio.to_thread(http.AsyncClient, timeout=self._seconds, follow_redirects=False)
            if self._http is None:
                self._http = made
            else:  # another call was quicker
                await made.aclose()
        return streamable.streamable_http_client(self._server, http_client=self._http)


def read_text(answer: Any) -> str:
    """The text of a result; empty when it says that nothing was found. Raises `SourceFailed`."""
    texts = [getattr(block, "text", None) for block in getattr(answer, "content", ())]
    text = "\n".join(each for each in texts if isinstance(each, str))[:LONGEST]
    if EMPTY.search(text):
        return ""
    if getattr(answer, "is_error", True) or not text.strip() or FAILED.search(text):
        raise SourceFailed(REFUSED)
    return text
