"""An answer as server-sent events: steps as they happen, sections as they pass the gate, then the answer itself."""

import json
from typing import Any, Final

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from bot.api.asking import Asking, UnderWay
from bot.api.problems import problem_of
from bot.errors import reference_of

HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]
STILL_THERE: Final = b": en cours\n\n"


class Events:
    """Each event is written when it comes; a client that goes or stops reading leaves the answer to end alone."""

    def __init__(self, asking: Asking, under_way: UnderWay) -> None:
        self._asking, self._under_way = asking, under_way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        under_way, told = self._under_way, False
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            async for event in under_way.news.until(under_way.task):
                written = STILL_THERE if event is None else _event(event[0], {"text": event[1]})
                await send({"type": "http.response.body", "body": written, "more_body": True})
            last = _last(under_way)
            told = not await Request(scope, receive).is_disconnected()
            await send({"type": "http.response.body", "body": last, "more_body": False})
        except OSError:
            told = False
            raise
        finally:
            if not told:
                await self._asking.left(under_way)


def _last(under_way: UnderWay) -> bytes:
    if error := under_way.task.exception():
        reference = reference_of(under_way.message.answer_id)
        return _event("problem", problem_of(error, where="/v1/ask", reference=reference).as_json())
    return _event("answer", under_way.task.result())


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
