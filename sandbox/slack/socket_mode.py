"""Socket Mode's server side: hello, envelopes, acks, several connections, `disconnect`."""

import asyncio
import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from starlette.websockets import WebSocket, WebSocketDisconnect

from sandbox.slack.cut import abort
from sandbox.slack.delivery import Delivery, Reply
from sandbox.slack.state import Json

MAX_CONNECTIONS = 10
CLOSE_AFTER_S = 10.0  # how long a socket that was told to leave may still linger


@dataclass(eq=False, slots=True)
class _Connection:
    websocket: WebSocket
    waiting: dict[str, asyncio.Future[Reply]] = field(default_factory=dict)
    leaving: bool = False

    async def send(self, message: Json) -> None:
        await self.websocket.send_text(json.dumps(message))


class SocketMode:
    """A `Transport`: each envelope goes to one of the app's open sockets, chosen at random."""

    mode: Literal["socket", "http"] = "socket"

    def __init__(self, *, app_id: str, changed: Callable[[], None]) -> None:
        self._app_id = app_id
        self._changed = changed
        self._tickets: set[str] = set()
        self._connections: list[_Connection] = []
        self._ready = asyncio.Event()

    @property
    def connected(self) -> bool:
        """True while at least one socket takes envelopes."""
        return any(not connection.leaving for connection in self._connections)

    async def ready(self) -> None:
        """Returns once a socket takes envelopes."""
        await self._ready.wait()

    def ticket(self) -> str:
        """A single-use ticket for the URL that apps.connections.open hands out."""
        ticket = secrets.token_urlsafe(12)
        self._tickets.add(ticket)
        return ticket

    async def send(self, delivery: Delivery) -> Reply:
        """Raises nothing: a socket that closes before the ack is a failed attempt."""
        open_ones = [connection for connection in self._connections if not connection.leaving]
        if not open_ones:
            return Reply(acked=False, reason="connection_failed")
        connection, envelope_id = secrets.choice(open_ones), str(uuid.uuid4())
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        connection.waiting[envelope_id] = future
        try:
            await connection.send(_envelope(envelope_id, delivery))
            return await future
        except (WebSocketDisconnect, RuntimeError):
            # Starlette raises RuntimeError for a send on a socket whose close it has already seen.
            return Reply(acked=False, reason="connection_failed")
        finally:
            connection.waiting.pop(envelope_id, None)

    async def endpoint(self, websocket: WebSocket) -> None:
        """One connection of the app, from the ticket to its end."""
        ticket = websocket.query_params.get("ticket", "")
        if ticket not in self._tickets:
            await websocket.close()  # before accept: HTTP 403
            return
        self._tickets.discard(ticket)
        await websocket.accept()
        connection = _Connection(websocket)
        if len(self._connections) >= MAX_CONNECTIONS:
            await connection.send(_disconnect("too_many_websockets"))
            await websocket.close()
            return
        await connection.send(self._hello())
        self._connections.append(connection)
        self._refresh()
        try:
            while True:
                _take_ack(connection, await websocket.receive_text())
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._connections.remove(connection)
            for future in connection.waiting.values():
                if not future.done():
                    future.set_result(Reply(acked=False, reason="connection_failed"))
            self._refresh()

    async def drop(self, mode: str) -> None:
        """`abrupt` cuts every socket; any other word is the reason of a `disconnect` message, then a close."""
        for connection in list(self._connections):
            connection.leaving = True
            if mode == "abrupt":
                abort(connection.websocket._receive)
                continue
            await connection.send(_disconnect(mode))
            asyncio.get_running_loop().call_later(CLOSE_AFTER_S, abort, connection.websocket._receive)
        self._refresh()

    def _refresh(self) -> None:
        if self.connected:
            self._ready.set()
        else:
            self._ready.clear()
        self._changed()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self._connections) + 1,
            "debug_info": {"host": "bac-a-sable", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": self._app_id},
        }


def _disconnect(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": {"host": "bac-a-sable"}}


def _envelope(envelope_id: str, delivery: Delivery) -> Json:
    envelope: Json = {
        "envelope_id": envelope_id,
        "type": delivery.kind,
        "payload": delivery.payload,
        # Only an answer to a command or a view submission may carry a body.
        "accepts_response_payload": delivery.kind != "events_api",
    }
    if delivery.kind == "events_api":
        envelope |= {"retry_attempt": delivery.attempt, "retry_reason": delivery.reason}
    return envelope


def _take_ack(connection: _Connection, text: str) -> None:
    try:
        message: Any = json.loads(text)
    except ValueError:
        return  # Slack ignores what it cannot read
    if not isinstance(message, dict):
        return
    future = connection.waiting.get(str(message.get("envelope_id")))
    if future is not None and not future.done():
        future.set_result(Reply(acked=True, body=message.get("payload")))
