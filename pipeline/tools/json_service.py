"""One foreign JSON service: deadline, size limit, circuit breaker, short memory; each failure a French sentence."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from pipeline.errors import PipelineError
from pipeline.metering.breaker import Breaker

SECONDS: Final = 6.0
BIGGEST: Final = 2_000_000
FAILURES: Final = 5
"""Runs in a row without any answer, after which the service is left alone for a while."""
KEPT: Final = 256
"""Answers kept at most."""


class SourceFailed(PipelineError):
    """La source n'a pas répondu."""


class Malformed(ValueError):
    """The service's answer cannot be trusted; nothing of it becomes a figure."""


@dataclass(frozen=True, slots=True)
class Request:
    """A GET with `params`, or a POST when there is a `body` (sent as JSON)."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return json.dumps((self.path, dict(self.params), self.body), sort_keys=True)


class JsonService:
    """`client` carries the service's address and follows no redirect; `label` names it in French sentences
    ("Géorisques", "le service de l'ADEME"). An answer is given again for `keep` seconds; 0: never."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        label: str,
        clock: Callable[[], float] = time.monotonic,
        keep: float = 0.0,
        seconds: float = SECONDS,
    ) -> None:
        self._client = client
        self.label = label
        self._clock = clock
        self._keep = keep
        self._seconds = seconds
        self._breaker = Breaker(clock, most=FAILURES)
        self._kept: dict[str, tuple[float, Any]] = {}

    async def ask(self, *requests: Request) -> tuple[Any, ...]:
        """For each request, its JSON value or the `SourceFailed` that says why there is none; all at once."""
        found = {request.key: value for request in requests if (value := self._known(request)) is not None}
        left = [request for request in requests if request.key not in found]
        if left:
            found |= dict(zip((r.key for r in left), await self._asked(left), strict=True))
        return tuple(found[request.key] for request in requests)

    async def _asked(self, requests: list[Request]) -> list[Any]:
        if not self._breaker.admits():
            return [SourceFailed(f"{_capital(self.label)} ne répondait plus : nouvel essai dans un instant.")] * len(
                requests
            )
        try:
            answers = await asyncio.gather(*map(self._one, requests))
            if any(not isinstance(answer, SourceFailed) for answer in answers):
                self._breaker.succeeded()
            else:
                self._breaker.failed()
        finally:
            self._breaker.left()
        return list(answers)

    async def _one(self, request: Request) -> Any:
        name = _capital(self.label)
        try:
            async with asyncio.timeout(self._seconds):
                value = json.loads(await self._body(request))
        except (TimeoutError, httpx.TimeoutException):
            return SourceFailed(f"{name} n'a pas répondu à temps.")
        except httpx.HTTPStatusError as error:
            busy = error.response.status_code == 429
            why = "limite le nombre de demandes" if busy else "est indisponible"
            return SourceFailed(f"{name} {why} pour le moment.")
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
            return SourceFailed(f"{name} est indisponible pour le moment.")
        except (Malformed, ValueError, RecursionError):
            return SourceFailed(unusable(self.label))
        if self._keep:
            self._kept[request.key] = (self._clock() + self._keep, value)
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        return value

    async def _body(self, request: Request) -> bytes:
        """Raises httpx's errors, and `Malformed` for a body over the size limit."""
        method = "GET" if request.body is None else "POST"
        async with self._client.stream(
            method,
            request.path,
            params=dict(request.params) or None,
            json=request.body,
            headers=dict(request.headers),
            timeout=self._seconds,
        ) as response:
            response.raise_for_status()
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > BIGGEST:
                    raise Malformed
            return bytes(body)

    def _known(self, request: Request) -> Any:
        until, value = self._kept.get(request.key, (0.0, None))
        return value if self._clock() < until else None


def unusable(label: str) -> str:
    return f"{_capital(label)} a renvoyé une réponse inexploitable : je n'en tire aucun chiffre."


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]


def plain(value: object, *, most: int = 80) -> str:
    """A foreign label as words: letters and punctuation, so that no figure, link or markup comes through it."""
    if not isinstance(value, str):
        return ""
    letters = re.sub(r"https?:\S*|[^\w\s,:;'’()-]|[\d_]", " ", value[:1_000])
    return " ".join(letters.split())[:most].strip(" ,:;-")


def origin(*answers: object) -> str:
    """What a service says of itself in `source`, as " (words)": test services say that their figures are invented."""
    said = (plain(answer.get("source")) for answer in answers if isinstance(answer, dict))
    first = next(filter(None, said), "")
    return f" ({first})" if first else ""


def whole(value: object, *, most: int = 10_000_000) -> int:
    """A count from a foreign number or its text. Raises `Malformed`."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value, re.ASCII):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Malformed
    return value


def decimal(value: object, *, least: float, most: float) -> float:
    """A number, also with a decimal comma, within bounds. Raises `Malformed`."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,12}([.,]\d{1,18})?", value, re.ASCII):
        value = float(value.replace(",", "."))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed
    if not least <= value <= most:
        raise Malformed
    return float(value)


def rows_of(value: object, name: str = "data") -> list[Mapping[str, Any]]:
    """The list of objects under `name`. Raises `Malformed`."""
    rows = value.get(name) if isinstance(value, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Malformed
    return rows
