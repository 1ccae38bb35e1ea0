"""Getting an event or an interaction to the app: 3 seconds to ack, redelivery, events held while nobody listens."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sandbox.faults import Faults
from sandbox.log import Log
from sandbox.slack.state import Json

DeliveryKind = Literal["events_api", "interactive", "slash_commands"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt. `reason` says why the attempt before failed: timeout, http_error, connection_failed."""

    kind: DeliveryKind
    payload: Json
    attempt: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back in time: the ack's own body (a dict, a plain text or nothing), or why there was none."""

    acked: bool
    body: Json | str | None = None
    reason: str = ""
    ms: float = 0.0
    no_retry: bool = False  # the app sent X-Slack-No-Retry: 1


class Transport(Protocol):
    """How payloads travel: Socket Mode or signed HTTP."""

    mode: Literal["socket", "http"]

    @property
    def connected(self) -> bool:
        """True when an attempt has somebody to go to."""

    async def ready(self) -> None:
        """Returns once `connected` is true."""

    async def send(self, delivery: Delivery) -> Reply:
        """Waits for the ack without a limit of its own; the caller's timeout cancels it."""


@dataclass(slots=True)
class Tally:
    """Attempts since the start: how many, how many were not acked in time, and the slowest ack of those that were."""

    attempts: int = 0
    unacked: int = 0
    slowest_ms: float = 0.0

    def count(self, reply: Reply, ms: float) -> None:
        self.attempts += 1
        self.unacked += not reply.acked
        self.slowest_ms = max(self.slowest_ms, round(ms, 1))


class Outbox:
    """Everything on its way to the app."""

    def __init__(self, transport: Transport, *, faults: Faults, log: Log) -> None:
        self.transport = transport
        self.faults = faults
        self.tally = Tally()
        self._log = log
        self._tasks: set[asyncio.Task[None]] = set()

    def event(self, payload: Json) -> None:
        """Sends an Events API payload in the background, again and again as Slack would."""
        copies = 2 if self.faults.strike("duplicate_events") else 1
        for _ in range(copies):
            self._start(self._deliver(payload))

    async def ask(self, kind: DeliveryKind, payload: Json) -> Reply:
        """Sends an interaction once: Slack tells the user when it is not acked, it does not try again."""
        if not self.transport.connected:
            self._log.add("event", _summary(payload), status="not_connected", detail=payload)
            return Reply(acked=False, reason="not_connected")
        return await self._attempt(Delivery(kind, payload))

    def forget(self) -> None:
        """Drops what is still to be delivered: after a reset nobody waits for it."""
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, payload: Json) -> None:
        attempt, reason = 0, ""
        while True:
            await self.transport.ready()
            reply = await self._attempt(Delivery("events_api", payload, attempt, reason))
            delays = self.faults.retry_delays
            if reply.acked:
                return
            if reply.no_retry or attempt >= len(delays):
                self._log.add("event", f"{_summary(payload)} : abandonné", status="dropped", detail=payload)
                return
            await asyncio.sleep(delays[attempt])
            attempt, reason = attempt + 1, reply.reason

    async def _attempt(self, delivery: Delivery) -> Reply:
        summary = _summary(delivery.payload) + (f", nouvel essai {delivery.attempt}" if delivery.attempt else "")
        self._log.add("event", summary, status=delivery.reason or "sent", detail=delivery.payload)
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self.faults.ack_ms / 1000):
                reply = await self.transport.send(delivery)
                await asyncio.sleep(self.faults.late_ack_ms / 1000)
        except TimeoutError:
            reply = Reply(acked=False, reason="timeout")
        ms = (time.perf_counter() - started) * 1000
        self.tally.count(reply, ms)
        self._log.add("ack", summary, status="ok" if reply.acked else reply.reason, ms=ms, detail=reply.body)
        return Reply(reply.acked, reply.body, reply.reason, ms, reply.no_retry)


def _summary(payload: Json) -> str:
    event = payload.get("event")
    if isinstance(event, dict):
        words = [event.get("type"), event.get("subtype"), event.get("tab"), event.get("channel")]
        return " ".join(word for word in words if isinstance(word, str))
    actions = payload.get("actions") or [{}]
    words = [payload.get("type"), payload.get("command"), actions[0].get("action_id")]
    return " ".join(word for word in words if isinstance(word, str))
