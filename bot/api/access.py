"""Before a request reaches anything: its key, how often that asks, and a body that is short and comes in time."""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.api.problems import Problem, problem_of
from bot.errors import StoreUnavailable
from bot.store import keys
from bot.store.database import Database
from bot.store.keys import Key

log = structlog.get_logger()

MOST_BYTES: Final = 65_536
BODY_SECONDS: Final = 10.0
SEND_SECONDS: Final = 30.0
"""So long a client may leave what it is sent unread."""
NO_KEY: Final = "Il faut une clé : en-tête « Authorization: Bearer qs_… » (python -m bot keys add NOM)."
WRONG_KEY: Final = "Cette clé n'est pas connue, ou elle a été révoquée."
TOO_OFTEN: Final = "Cette clé demande trop souvent : au plus {rate} demandes par minute. Réessayez dans {wait} s."
TOO_LONG: Final = "Cette demande est trop longue : 64 ko au plus."
TOO_SLOW: Final = "Cette demande n'est pas arrivée en entier en 10 s."


Said = Callable[[Problem], Response]
"""How a refusal is written."""


class Unread(OSError):
    """The client reads no more of what it asked for."""


@dataclass(slots=True)
class Rates:
    """A bucket a key, in this process: `per_minute` at once at most, filling again evenly. 0: no limit."""

    per_minute: int
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, key_id: str) -> int:
        """Seconds until it may ask; 0 where it may now."""
        if not self.per_minute:
            return 0
        left, at = self._left.get(key_id, (float(self.per_minute), self.clock()))
        now = self.clock()
        left = min(float(self.per_minute), left + (now - at) * self.per_minute / 60)
        if left < 1:
            self._left[key_id] = (left, now)
            return math.ceil((1 - left) * 60 / self.per_minute)
        self._left[key_id] = (left - 1, now)
        return 0


class Guarded:
    """The application for those with a key alone; it finds the key in the scope's state, and the whole body waiting."""

    def __init__(self, app: ASGIApp, *, database: Database, rates: Rates, said: Said = Problem.response) -> None:
        self._app, self._database, self._rates, self._said = app, database, rates, said

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            key = await self._holder(scope)
            if wait := self._rates.take(key.key_id):
                said = TOO_OFTEN.format(rate=self._rates.per_minute, wait=wait)
                raise Problem(429, said, retry_after=wait)
            body = await _whole(scope, receive)
        except (Problem, StoreUnavailable) as error:
            await self._said(problem_of(error, where=scope["path"]))(scope, receive, send)
            return
        scope.setdefault("state", {})["key"] = key
        await self._app(scope, _again(body, receive), send)

    async def _holder(self, scope: Scope) -> Key:
        said = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        kind, _, shown = said.partition(" ")
        if kind.lower() != "bearer" or not shown.strip():
            raise Problem(401, NO_KEY)
        key = await self._database.read(lambda c: keys.holder(c, shown.strip()))
        if key is None:
            raise Problem(401, WRONG_KEY)
        return key


class Patient:
    """The application for clients that read: who does not, within `SEND_SECONDS`, is let go."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def within(message: Message) -> None:
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(message)
            except TimeoutError:
                raise Unread from None

        try:
            await self._app(scope, receive, within)
        except* OSError as group:
            log.warning("api_client_left", path=scope["path"], error=repr(group.exceptions[0]))


async def _whole(scope: Scope, receive: Receive) -> bytes:
    """Raises `Problem` for a body over the limit, or that does not come."""
    told = dict(scope["headers"]).get(b"content-length", b"")
    if told.isdigit() and int(told) > MOST_BYTES:
        raise Problem(413, TOO_LONG)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Problem(400, TOO_SLOW)
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > MOST_BYTES:
                    raise Problem(413, TOO_LONG)
    except TimeoutError:
        raise Problem(408, TOO_SLOW) from None
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever comes."""
    given = False

    async def first() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return first
