"""What every part of the pretend Slack shares: the workspace, the way to the app, the page's hub, the log."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox import seed
from sandbox.faults import Faults
from sandbox.hub import Hub
from sandbox.log import Log
from sandbox.slack import connect
from sandbox.slack.delivery import Outbox
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Clock, Json, Workspace, fresh_id


@dataclass(slots=True)
class World:
    """One running pretend Slack. `base_url` has no trailing slash; `limited_until` is the replies fault's minute."""

    workspace: Workspace
    outbox: Outbox
    hub: Hub
    log: Log
    faults: Faults
    base_url: str
    clock: Clock = field(default_factory=Clock)
    limited_until: dict[str, float] = field(default_factory=dict)
    paced: dict[str, tuple[float, float]] = field(default_factory=dict)  # channel -> messages it still takes, since
    rooms: int = 0
    scopes: frozenset[str] | None = None  # what the manifest asks for; None: everything
    shortcuts: tuple[Json, ...] = ()  # those on messages
    seeded: Callable[[int], Workspace] = seed.workspace
    installed: bool = True  # an app hears of no workspace that has not installed it
    org: bool = False  # its whole organisation has
    holds: Callable[[str], bool] | None = None  # whose token it is, where each workspace has its own

    def accepts(self, token: str) -> bool:
        """Whether the token is the app's, for this workspace."""
        return token == self.workspace.app.bot_token if self.holds is None else self.holds(token)

    def channel(self, key: str) -> Channel:
        """By id, by name (`#` allowed) or, for a person's id, their direct conversation. Raises `SlackError`."""
        channels = self.workspace.channels
        if key in channels:
            return channels[key]
        for channel in channels.values():
            if channel.user == key or (channel.kind != "im" and channel.name == key.removeprefix("#")):
                return channel
        raise SlackError("channel_not_found")

    def known(self, key: str) -> Channel:
        """The channel, provided that the bot may know of it: a private one only as a member. Raises `SlackError`."""
        channel = self.channel(key)
        if channel.kind != "channel" and self.workspace.app.user_id not in channel.members:
            raise SlackError("channel_not_found")
        return channel

    def joined(self, key: str) -> Channel:
        """The channel, provided that the bot is a member. Raises `SlackError` not_in_channel."""
        channel = self.known(key)
        if self.workspace.app.user_id not in channel.members:
            raise SlackError("not_in_channel")
        return channel

    def emit(self, *events: Json) -> None:
        """Sends each event to the app, in an order that Slack does not promise either."""
        if not self.installed:
            return
        shuffled = random.sample(events, len(events))
        for event in shuffled:
            self.outbox.event(self.callback(event))

    def emit_in(self, channel: Channel, *events: Json) -> None:
        """As `emit`, if the bot is a member: an app hears only the conversations it is in."""
        if self.workspace.app.user_id in channel.members:
            self.emit(*events)

    def callback(self, event: Json) -> Json:
        """The `event_callback` around an event, with an event_id of its own."""
        app, team = self.workspace.app, self.workspace.team
        channel = self.workspace.channels.get(str(event.get("channel", "")))
        return {
            "token": app.verification_token,
            "team_id": connect.outer_team(channel, event, own=team),
            "context_team_id": team.id,
            "context_enterprise_id": self.workspace.enterprise,
            "enterprise_id": self.workspace.enterprise,
            "api_app_id": app.id,
            "event": event,
            "type": "event_callback",
            "event_id": fresh_id("Ev"),
            "event_time": int(time.time()),
            "authorizations": [
                {
                    "enterprise_id": self.workspace.enterprise,
                    "team_id": None if self.org else team.id,
                    "user_id": app.user_id,
                    "is_bot": True,
                    "is_enterprise_install": self.org,
                }
            ],
            "is_ext_shared_channel": channel is not None and channel.shared_with is not None,
            "event_context": fresh_id("4-", 24),
        }

    def show(self, channel: Channel, thread_ts: str | None = None) -> None:
        """Tells the page that messages changed there."""
        self.hub.publish("messages", channel=channel.id, thread_ts=thread_ts or "")

    def reset(self) -> None:
        """Back to the seed. Timestamps go on, connections stay."""
        self.outbox.forget()
        self.workspace = self.seeded(self.rooms)
        self.limited_until.clear()
        self.paced.clear()
