"""Tells every open page what has changed, as Server-Sent Events; the page then fetches again what it shows."""

import asyncio
import json
from collections.abc import AsyncGenerator

HEARTBEAT_S = 15.0


class Hub:
    """Subscribers hold a set of changes still to be told, so a slow page never piles up repeats."""

    def __init__(self) -> None:
        self._subscribers: set[_Subscriber] = set()
        self._closed = False
        self._followed = asyncio.Event()

    async def followed(self) -> None:
        """Waits for the first page."""
        await self._followed.wait()

    def publish(self, topic: str, **where: str) -> None:
        """Topics: messages, views, crm, log, state, reset, demo. Must be called on the server's event loop."""
        line = json.dumps({"topic": topic, **{name: value for name, value in where.items() if value}})
        for subscriber in self._subscribers:
            subscriber.tell(line)

    async def stream(self) -> AsyncGenerator[str]:
        """`data:` frames until the hub closes; a comment line every 15 s keeps intermediaries awake."""
        subscriber = _Subscriber()
        self._subscribers.add(subscriber)
        self._followed.set()
        try:
            yield "retry: 1000\n\n"
            while not self._closed:
                lines = await subscriber.take()
                yield "".join(f"data: {line}\n\n" for line in lines) or ": toujours là\n\n"
        finally:
            self._subscribers.discard(subscriber)

    def close(self) -> None:
        """Ends every stream: a server that stops must not wait for pages to leave."""
        self._closed = True
        for subscriber in self._subscribers:
            subscriber.tell('{"topic": "closing"}')


class _Subscriber:
    def __init__(self) -> None:
        self._pending: dict[str, None] = {}
        self._some = asyncio.Event()

    def tell(self, line: str) -> None:
        self._pending[line] = None
        self._some.set()

    async def take(self) -> list[str]:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await self._some.wait()
        except TimeoutError:
            return []
        lines = list(self._pending)
        self._pending.clear()
        self._some.clear()
        return lines
