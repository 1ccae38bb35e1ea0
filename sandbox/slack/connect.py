"""Slack Connect: what differs in a channel that another company reads. Shapes as in Bolt's own tests."""

from sandbox.slack.state import Channel, Json, Team

WITHHELD = ("id", "created", "timestamp", "user")


def author_fields(channel: Channel, team: str) -> Json:
    """What a person's message says of its writer's team: `user_team` and `source_team` in a shared channel alone."""
    return {"team": team} | ({"user_team": team, "source_team": team} if channel.shared_with else {})


def outer_team(channel: Channel | None, event: Json, *, own: Team) -> str:
    """The `team_id` around an event: the writer's for a `message` of a shared channel, ours for everything else, also
    for the `app_mention` twin of that same message."""
    if channel is None or channel.shared_with is None or event["type"] != "message":
        return own.id
    return str(event.get("user_team") or (event.get("message") or {}).get("user_team") or own.id)


def as_told(message: Json, *, own: Team) -> Json:
    """The message as the app gets it: a file of another company is an id only, `files.info` says the rest."""
    if not any(_is_foreign(file, own) for file in message.get("files") or ()):
        return message
    return message | {"files": [_withheld(file) if _is_foreign(file, own) else file for file in message["files"]]}


def described(channel: Channel, *, own: Team) -> Json:
    """What `conversations.info` says of the sharing."""
    other = channel.shared_with
    teams = [own.id, other.id] if other else [own.id]
    return {
        "is_shared": other is not None,
        "is_ext_shared": other is not None,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "shared_team_ids": teams,
        "connected_team_ids": teams[1:],
        "conversation_host_id": own.id,
    }


def _is_foreign(file: Json, own: Team) -> bool:
    return bool(file.get("user_team", own.id) != own.id)


def _withheld(file: Json) -> Json:
    kept = {name: file[name] for name in WITHHELD if name in file}
    return {**kept, "mode": "file_access", "file_access": "check_file_info"}
