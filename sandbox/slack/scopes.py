"""Which OAuth scopes a Web API method asks for, and which of them the app's manifest was granted."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import ChannelKind
from sandbox.slack.world import World

# Of a conversation's kind: what reads about it, what reads its messages.
_KINDS: Final[Mapping[ChannelKind, str]] = {"channel": "channels", "private": "groups", "im": "im", "mpim": "mpim"}
_ABOUT: Final = {"conversations.info": "read", "conversations.members": "read"}
_MESSAGES: Final = {"conversations.history": "history", "conversations.replies": "history"}

# From each method's page in Slack's documentation; the methods of agents are said to share assistant:write.
NEEDED: Final[Mapping[str, str]] = {
    "chat.postMessage": "chat:write",
    "chat.update": "chat:write",
    "chat.delete": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.scheduleMessage": "chat:write",
    "chat.deleteScheduledMessage": "chat:write",
    "chat.startStream": "chat:write",
    "chat.appendStream": "chat:write",
    "chat.stopStream": "chat:write",
    "conversations.join": "channels:join",
    "conversations.open": "im:write",
    "users.info": "users:read",
    "users.list": "users:read",
    "users.lookupByEmail": "users:read.email",
    "bots.info": "users:read",
    "team.info": "team:read",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
    "files.getUploadURLExternal": "files:write",
    "files.completeUploadExternal": "files:write",
    "files.info": "files:read",
    "agents.sessions.setStatus": "assistant:write",
    "agents.sessions.rename": "assistant:write",
    "assistant.threads.setStatus": "assistant:write",
    "assistant.threads.setTitle": "assistant:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
}
AGENTS: Final = ("agents.", "assistant.")


def scopes_in(manifest: Path) -> frozenset[str]:
    """The bot's scopes that the manifest asks for. Raises `OSError`, `ValueError`, `KeyError`."""
    return frozenset(json.loads(manifest.read_text("utf-8"))["oauth_config"]["scopes"]["bot"])


def check(world: World, method: str, args: Args) -> None:
    """Raises `SlackError` missing_scope, with what was needed and what the app has; feature_not_enabled for agents
    where the workspace has none (which word Slack has for that is not known)."""
    if world.faults.no_agent and method.startswith(AGENTS):
        raise SlackError("feature_not_enabled")
    granted = granted_in(world)
    needed = _needed(world, method, args)
    if granted is None or not needed or needed in granted:
        return
    raise SlackError("missing_scope", extra={"needed": needed, "provided": ",".join(sorted(granted))})


def granted_in(world: World) -> frozenset[str] | None:
    """What the app may do; None: everything, for an app without a manifest of ours."""
    taken = frozenset(world.faults.without_scopes)
    if world.scopes is None:
        of_kinds = {f"{kind}:{right}" for kind in _KINDS.values() for right in ("read", "history")}
        return frozenset({*NEEDED.values(), *of_kinds}) - taken if taken else None
    return world.scopes - taken


def has_email(world: World) -> bool:
    """Whether a person's profile shows the address."""
    granted = granted_in(world)
    return granted is None or "users:read.email" in granted


def _needed(world: World, method: str, args: Args) -> str:
    right = _ABOUT.get(method) or _MESSAGES.get(method)
    if right is None:
        return NEEDED.get(method, "")
    channel = world.workspace.channels.get(args.optional("channel"))
    return f"{_KINDS[channel.kind]}:{right}" if channel else ""
