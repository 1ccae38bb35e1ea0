"""One call of the sandbox's JSON API: what it acts upon and how it reads its parameters."""

from dataclasses import dataclass
from typing import Any

from sandbox.hubspot import Crm, Portals
from sandbox.opendata import OpenData
from sandbox.process import BotProcess
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json, User
from sandbox.slack.world import World
from sandbox.slack.worlds import Worlds
from sandbox.wrong import Wrong


@dataclass(frozen=True, slots=True)
class Control:
    """What the calls act upon."""

    worlds: Worlds
    crm: Crm
    portals: Portals | None
    open_data: OpenData
    process: BotProcess

    @property
    def world(self) -> World:
        """The firm's own workspace."""
        return self.worlds.first


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of one call, from the query or the JSON body."""

    control: Control
    values: dict[str, Any]

    @property
    def world(self) -> World:
        """The pretend Slack: the firm's own workspace, or the one that `workspace` names. Raises `Wrong`."""
        named = self.optional("workspace")
        world = self.control.worlds.of(named) if named else self.control.world
        if world is None:
            raise Wrong(f"Il n'y a pas d'espace « {named} » ici.", status=404)
        return world

    def text(self, name: str) -> str:
        """Raises `Wrong` when it is missing."""
        value = self.values.get(name)
        if value is None or value == "":
            raise Wrong(f"Il manque « {name} ».")
        return str(value)

    def optional(self, name: str) -> str:
        """A text, or an empty one."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def user(self) -> User:
        """By id, name or handle. Raises `Wrong` with the names that exist."""
        key = self.text("user")
        for user in self.world.workspace.humans():
            if key.casefold() in (user.id.casefold(), user.name.casefold(), user.handle):
                return user
        names = ", ".join(f"{user.name} ({user.id})" for user in self.world.workspace.humans())
        raise Wrong(f"Personne ne s'appelle « {key} » ici ; il y a : {names}.", status=404)

    def channel(self) -> Channel:
        """By id or name. Raises `Wrong` with the names that exist."""
        try:
            return self.world.channel(self.text("channel"))
        except SlackError:
            rooms = ", ".join(f"#{c.name} ({c.id})" for c in self.world.workspace.channels.values() if c.kind != "im")
            raise Wrong(f"Il n'y a pas de canal « {self.text('channel')} » ; il y a : {rooms}.", status=404) from None

    def place(self) -> tuple[User, Channel]:
        """A person in a conversation that is theirs. Raises `Wrong`."""
        user, channel = self.user(), self.channel()
        if user.id not in channel.members:
            raise Wrong(f"{user.name} n'est pas membre de « {channel.name} ».", status=403)
        return user, channel

    def object(self, name: str) -> Json:
        """A JSON object, empty when missing. Raises `Wrong`."""
        value = self.values.get(name) or {}
        if not isinstance(value, dict):
            raise Wrong(f"« {name} » est un objet JSON.")
        return value
