"""Switches that make the pretend Slack behave as the real one does on a bad day."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sandbox.wrong import Wrong

USUAL_DELAYS = (0.0, 60.0, 300.0)
DROP_MODES = ("", "abrupt", "warning", "refresh_requested", "too_many_websockets", "link_disabled")


@dataclass(slots=True)
class Faults:
    """Counters count down; everything else stays until it is changed. The defaults are a good day."""

    rate_limit: dict[str, int] = field(default_factory=dict)  # method -> next N calls answer 429
    retry_after_s: int = 1  # the Retry-After that goes with them
    channel_burst: int = 0  # new messages: so many at once in a channel, then one a second; 0: any number
    slow_api_ms: int = 0  # every Web API call takes so much longer
    slow_files_ms: int = 0  # every download of a file takes so much longer
    files_sign_in: int = 0  # next N downloads answer Slack's sign-in page, as without the right files:read
    auth_error: str = ""  # every call answers this, e.g. token_revoked
    post_then_drop: int = 0  # next N new messages are kept, then the connection is cut without an answer
    invalid_blocks_once: int = 0  # next N calls that carry blocks are refused
    replies_limited: bool = False  # conversations.replies and history: 15 objects, one call a minute
    no_agent: bool = False  # agents.* and assistant.* are refused, as in a workspace without agent features
    without_scopes: list[str] = field(default_factory=list)  # rights that the app has lost
    no_streams: bool = False  # chat.startStream and its kin are unknown methods, as in a workspace without them
    expire_streams: bool = False  # appendStream and stopStream find no live stream
    ack_ms: int = 3_000  # how long Slack waits for an ack
    late_ack_ms: int = 0  # acks arrive so much later on Slack's side; beyond ack_ms they are missed
    duplicate_events: int = 0  # next N events are delivered twice, same event_id
    drop_sockets: str = ""  # once: "abrupt" cuts every socket; a reason sends Slack's own `disconnect`
    retry_delays: list[float] = field(default_factory=lambda: [*USUAL_DELAYS])  # seconds before each redelivery
    usual_delays: tuple[float, ...] = USUAL_DELAYS  # what retry_delays goes back to

    def strike(self, name: str) -> bool:
        """True when the counter `name` was above zero; it is then one lower."""
        left = int(getattr(self, name))
        if left > 0:
            setattr(self, name, left - 1)
        return left > 0

    def limits(self, method: str) -> bool:
        """True when this call of `method` is to answer 429."""
        left = self.rate_limit.get(method, 0)
        if left > 0:
            self.rate_limit[method] = left - 1
        return left > 0

    def as_dict(self) -> dict[str, Any]:
        """Every switch, for the page."""
        return {name: value for name, value in asdict(self).items() if name != "usual_delays"}

    def clear(self) -> None:
        """Back to a good day; the redelivery delays stay as they were started with."""
        fresh = Faults(retry_delays=list(self.usual_delays), usual_delays=self.usual_delays)
        for known in fields(self):
            setattr(self, known.name, getattr(fresh, known.name))

    def set(self, name: str, value: Any) -> None:
        """Raises `Wrong` naming the switch and what it accepts."""
        readers = {"rate_limit": _counts, "retry_delays": _seconds, "drop_sockets": _drop_mode, "auth_error": _word}
        readers["without_scopes"] = _words
        if name not in self.as_dict():
            raise Wrong(f"La panne « {name} » n'existe pas ; il y a : {', '.join(self.as_dict())}, hubspot, opendata.")
        reader = readers.get(name, _flag if isinstance(getattr(self, name), bool) else _whole)
        setattr(self, name, reader(name, value))


def _whole(name: str, value: Any) -> int:
    if isinstance(value, int | float) and value >= 0:
        return int(value)
    raise Wrong(f"La panne « {name} » attend un nombre positif ou nul.")


def _flag(name: str, value: Any) -> bool:
    if isinstance(value, bool | int):
        return bool(value)
    raise Wrong(f"La panne « {name} » attend true ou false.")


def _word(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise Wrong(f"La panne « {name} » attend un mot, par exemple « token_revoked ».")


def _drop_mode(name: str, value: Any) -> str:
    mode = ("abrupt" if value else "") if isinstance(value, bool) else value
    if mode in DROP_MODES:
        return str(mode)
    raise Wrong(f"La panne « {name} » attend true ou l'un de ces mots : {', '.join(DROP_MODES[1:])}.")


def _seconds(name: str, value: Any) -> list[float]:
    if isinstance(value, list) and all(isinstance(item, int | float) and item >= 0 for item in value):
        return [float(item) for item in value]
    raise Wrong(f"La panne « {name} » attend une liste de secondes, par exemple [0, 60, 300].")


def _words(name: str, value: Any) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [str(item) for item in value]
    raise Wrong(f'La panne « {name} » attend une liste de mots, par exemple ["users:read"].')


def _counts(name: str, value: Any) -> dict[str, int]:
    if isinstance(value, Mapping) and all(isinstance(item, int) and item >= 0 for item in value.values()):
        return {str(method): int(count) for method, count in value.items()}
    raise Wrong(f'La panne « {name} » attend des méthodes et des nombres, par exemple {{"chat.update": 2}}.')
