"""One middleware that writes every request of a pretend service to the log."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.log import Kind, Log


class Logged:
    """Writes every request of a pretend service to the log, with its status and duration."""

    def __init__(self, kind: Kind, log: Log, app: ASGIApp) -> None:
        self._kind: Kind = kind
        self._log = log
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
            query = scope.get("query_string", b"").decode()
            ms = (time.perf_counter() - started) * 1000
            summary = f"{scope['method']} {path}" + (f"?{query}" if query else "")
            self._log.add(self._kind, summary, status=str(status or "coupée"), ms=ms)
