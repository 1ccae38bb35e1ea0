"""How Slack says no: HTTP 200 with `ok: false` and one word, sometimes with pointers to what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any


class SlackError(Exception):
    """One refused Web API call: the error's word, the details of `response_metadata.messages`, the HTTP status, and
    what stands beside the word (`extra`)."""

    def __init__(
        self,
        error: str,
        *,
        messages: Sequence[str] = (),
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.error = error
        self.messages = tuple(messages)
        self.status = status
        self.headers = dict(headers or {})
        self.extra = dict(extra or {})

    def body(self) -> dict[str, Any]:
        """Slack repeats the details twice: bare under `errors`, marked [ERROR] under `response_metadata`."""
        answer: dict[str, Any] = {"ok": False, "error": self.error, **self.extra}
        if self.messages:
            answer["errors"] = list(self.messages)
            answer["response_metadata"] = {"messages": [f"[ERROR] {message}" for message in self.messages]}
        return answer
