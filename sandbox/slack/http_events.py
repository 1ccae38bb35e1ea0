"""Events and interactions over HTTP: signed with the v0 scheme, url_verification first, retry headers."""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlencode

import httpx

from sandbox.slack.delivery import Delivery, Reply
from sandbox.slack.state import App, Json

PROBE_EVERY_S = 0.25
VERIFY_S = 3.0


class HttpEvents:
    """A `Transport` that posts to the app's request URL once that has passed url_verification."""

    mode: Literal["socket", "http"] = "http"

    def __init__(self, *, url: str, app: App, changed: Callable[[], None]) -> None:
        self.url = url
        self._app = app
        self._changed = changed
        self._ready = asyncio.Event()
        # Local addresses must not go through a proxy of the environment. The outbox sets the limit of an ack.
        self._client = httpx.AsyncClient(trust_env=False, timeout=60.0)

    @property
    def app_url(self) -> str:
        """Where the app's own pages are."""
        return self.url.removesuffix("/slack/events")

    @property
    def connected(self) -> bool:
        """True since the URL answered its challenge, until a connection to it fails."""
        return self._ready.is_set()

    async def ready(self) -> None:
        """Returns once the URL has answered its challenge."""
        await self._ready.wait()

    async def run(self) -> None:
        """Verifies the URL at start and again after each loss; cancel it to stop."""
        try:
            while True:
                if not self.connected and await self._verify():
                    self._ready.set()
                    self._changed()
                await asyncio.sleep(PROBE_EVERY_S)
        finally:
            await self._client.aclose()

    def lost(self) -> None:
        """Nobody listens any more; the URL has to be verified again."""
        if self.connected:
            self._ready.clear()
            self._changed()

    async def send(self, delivery: Delivery) -> Reply:
        """Acked means HTTP 2xx. Raises nothing."""
        body, content_type = _encoded(delivery)
        headers = {"Content-Type": content_type}
        if delivery.attempt:
            reason = {"timeout": "http_timeout"}.get(delivery.reason, delivery.reason)
            headers |= {"X-Slack-Retry-Num": str(delivery.attempt), "X-Slack-Retry-Reason": reason}
        try:
            response = await self._client.post(self.url, content=body, headers=headers | self._signature(body))
        except httpx.TransportError:
            self.lost()
            return Reply(acked=False, reason="connection_failed")
        no_retry = response.headers.get("x-slack-no-retry") == "1"
        if not response.is_success:
            return Reply(acked=False, reason="http_error", no_retry=no_retry)
        return Reply(acked=True, body=_answer(response), no_retry=no_retry)

    async def _verify(self) -> bool:
        challenge = secrets.token_urlsafe(16)
        question = {"type": "url_verification", "token": self._app.verification_token, "challenge": challenge}
        body = json.dumps(question).encode()
        headers = {"Content-Type": "application/json"} | self._signature(body)
        try:
            response = await self._client.post(self.url, content=body, headers=headers, timeout=VERIFY_S)
        except httpx.TransportError:
            return False
        return response.is_success and challenge in response.text

    def _signature(self, body: bytes) -> dict[str, str]:
        timestamp = str(int(time.time()))
        signed = b"v0:" + timestamp.encode() + b":" + body
        digest = hmac.new(self._app.signing_secret.encode(), signed, hashlib.sha256).hexdigest()
        return {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": f"v0={digest}",
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        }


def _encoded(delivery: Delivery) -> tuple[bytes, str]:
    """JSON for events, `payload=` for interactions, plain fields for commands."""
    if delivery.kind == "events_api":
        return json.dumps(delivery.payload).encode(), "application/json"
    fields = {"payload": json.dumps(delivery.payload)} if delivery.kind == "interactive" else delivery.payload
    return urlencode(fields).encode(), "application/x-www-form-urlencoded"


def _answer(response: httpx.Response) -> Json | str | None:
    if not response.content:
        return None
    if response.headers.get("content-type", "").startswith("application/json"):
        answer = response.json()
        return answer if isinstance(answer, dict) else None
    return response.text
