"""Everything a Slack workspace remembers here, in memory. Messages and views are Slack's own JSON objects."""

import secrets
import string
import time
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
ChannelKind = Literal["channel", "private", "im", "mpim"]

# What Slack calls each kind in an event's `channel_type`.
CHANNEL_TYPES: dict[ChannelKind, str] = {
    "channel": "channel",
    "private": "group",
    "im": "im",
    "mpim": "mpim",
}


@dataclass(frozen=True, slots=True)
class Team:
    """One workspace."""

    id: str
    name: str
    domain: str


@dataclass(frozen=True, slots=True)
class App:
    """The one installed app: its ids and the credentials that its process receives."""

    id: str
    name: str
    bot_id: str
    user_id: str
    bot_token: str
    app_token: str
    signing_secret: str
    verification_token: str


@dataclass(frozen=True, slots=True)
class User:
    """A person, or the bot's own user. `team`: None for this workspace; another company's in a shared channel.
    `guest`: invited into some channels of this workspace, no member of it."""

    id: str
    name: str  # as people read it
    handle: str
    title: str
    email: str
    color: str
    is_bot: bool = False
    team: Team | None = None
    guest: bool = False
    deleted: bool = False  # left the company


@dataclass(slots=True)
class Channel:
    """A conversation. `messages` is keyed by ts, in order; ephemeral ones carry `ephemeral_to`. `shared_with`: the
    other company of a Slack Connect channel."""

    id: str
    name: str
    kind: ChannelKind
    members: list[str]
    user: str | None = None  # the human of an im
    created: int = 0
    messages: dict[str, Json] = field(default_factory=dict)
    past_blocks: dict[str, list[list[Json]]] = field(default_factory=dict)  # what a stale screen still shows
    agent: Json = field(default_factory=dict)  # status, title, suggested prompts by thread
    shared_with: Team | None = None
    archived: bool = False  # read, and nothing posted any more

    def visible(self) -> list[Json]:
        """What the API may read: everything but ephemeral messages, oldest first."""
        return [message for message in self.messages.values() if "ephemeral_to" not in message]

    def thread(self, root_ts: str) -> list[Json]:
        """Replies of a thread, oldest first, without its root."""
        return [m for m in self.messages.values() if m.get("thread_ts") == root_ts and m["ts"] != root_ts]


@dataclass(slots=True)
class Upload:
    """A file: Slack's own object and its bytes; `complete` once shared or finished."""

    info: Json
    content: bytes = b""
    complete: bool = False


@dataclass(slots=True)
class ResponseUrl:
    """Where an interaction may be answered: 5 uses within 30 minutes."""

    channel: str
    user: str
    message_ts: str | None
    thread_ts: str | None
    expires: float
    uses: int = 0


@dataclass(slots=True)
class Trigger:
    """The right to open one modal for one person, for 3 seconds."""

    user: str
    expires: float
    view_id: str | None = None
    used: bool = False


@dataclass(slots=True)
class Workspace:
    """The whole state; a reset replaces it by a fresh one."""

    team: Team
    app: App
    users: dict[str, User]
    channels: dict[str, Channel]
    files: dict[str, Upload] = field(default_factory=dict)
    homes: dict[str, Json] = field(default_factory=dict)
    modals: dict[str, list[Json]] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    scheduled: dict[str, Json] = field(default_factory=dict)
    enterprise: str | None = None  # the organisation (Enterprise Grid) that it is of

    @property
    def bot(self) -> User:
        """The app's own user."""
        return self.users[self.app.user_id]

    def humans(self) -> list[User]:
        """Everybody but the bot."""
        return [user for user in self.users.values() if not user.is_bot]

    def im_of(self, user: str) -> Channel | None:
        """The direct conversation of that person with the bot; another company's people have none."""
        return next((channel for channel in self.channels.values() if channel.user == user), None)

    def team_of(self, user: str) -> Team:
        """The person's own workspace: this one, or another company's."""
        known = self.users.get(user)
        return known.team if known and known.team else self.team


class Clock:
    """Gives message timestamps: real time, microseconds, never the same twice, also across resets."""

    def __init__(self) -> None:
        self._last = 0

    def ts(self) -> str:
        """A fresh `1763730000.123456`."""
        self._last = max(self._last + 1, time.time_ns() // 1_000)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"


def fresh_id(prefix: str, length: int = 10) -> str:
    """`Ev0A1B2C3D4`: the look of Slack's ids."""
    return prefix + "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(length))
