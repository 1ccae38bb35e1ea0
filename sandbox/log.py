"""What happened, in order: events sent, acks received, calls of every pretend service, lines of the bot."""

from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Literal

Kind = Literal["event", "ack", "api", "hubspot", "opendata", "bot", "fault"]

KEPT = 2_000
_MASK = "•••"


class Log:
    """Numbered entries, the last 2,000. Known secrets are masked on the way in, so none can be read back."""

    def __init__(self, *, published: Callable[[str], None] = lambda topic: None, secrets: Iterable[str] = ()) -> None:
        self._entries: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._last = 0
        self._published = published
        self._secrets = sorted({secret for secret in secrets if len(secret) >= 8}, key=len, reverse=True)

    def add(self, kind: Kind, summary: str, *, status: str = "", ms: float | None = None, detail: Any = None) -> None:
        """`status` is "ok" or the error's word; `ms` is a duration in milliseconds; `detail` any JSON value."""
        self._last += 1
        entry = {
            "n": self._last,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "kind": kind,
            "summary": self.masked(summary),
            "status": status,
            "ms": None if ms is None else round(ms, 1),
            "detail": self._masked_deep(detail),
        }
        self._entries.append(entry)
        self._published("log")

    def after(self, n: int) -> list[dict[str, Any]]:
        """Entries numbered above n, oldest first."""
        return [entry for entry in self._entries if entry["n"] > n]

    def clear(self) -> None:
        """Forgets the entries; numbers go on, so that a page's cursor stays valid."""
        self._entries.clear()

    def masked(self, text: str) -> str:
        """The text with each known secret replaced."""
        for secret in self._secrets:
            text = text.replace(secret, _MASK)
        return text

    def _masked_deep(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, dict):
            return {key: self._masked_deep(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._masked_deep(item) for item in value]
        return value
