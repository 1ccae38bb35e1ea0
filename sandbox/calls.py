"""What people do and see through the sandbox's JSON API: one function a call, named as its path."""

from dataclasses import replace

from sandbox.asked import Asked
from sandbox.slack import acts, clicks, modals, shortcuts
from sandbox.slack.conversations import is_shown_in_channel
from sandbox.slack.delivery import Reply
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Json
from sandbox.wrong import Wrong


async def say(asked: Asked) -> Json:
    """`as_bot` gives the name of another application instead of a person. `files`: see acts.say."""
    thread_ts, text = asked.optional("thread_ts") or None, asked.optional("text")
    if asked.optional("as_bot"):
        channel = asked.channel()
        message = acts.say_as_bot(asked.world, channel, asked.text("as_bot"), text, thread_ts=thread_ts)
    else:
        user, channel = asked.place()
        attached = asked.values.get("files")
        message = acts.say(asked.world, user, channel, text, thread_ts=thread_ts, attached=attached)
    return {"channel": channel.id, "ts": message["ts"]}


async def edit(asked: Asked) -> Json:
    """One's own message."""
    user, channel = asked.place()
    acts.edit(asked.world, user, channel, asked.text("ts"), asked.text("text"))
    return {"ok": True}


async def delete(asked: Asked) -> Json:
    """One's own message."""
    user, channel = asked.place()
    acts.delete(asked.world, user, channel, asked.text("ts"))
    return {"ok": True}


async def react(asked: Asked) -> Json:
    """An emoji under a message."""
    user, channel = asked.place()
    acts.react(asked.world, user, channel, asked.text("ts"), asked.text("name"))
    return {"ok": True}


async def join(asked: Asked) -> Json:
    """Into a channel."""
    acts.join(asked.world, asked.user(), asked.channel())
    return {"ok": True}


async def emit(asked: Asked) -> Json:
    """Any event as it is, for what people cannot do here: app_uninstalled, tokens_revoked, agent_session_stopped.
    `team`: about that workspace instead of ours. `payload`: all of it as it is, for what is no event: app_rate_limited.
    """
    world, event, payload = asked.world, asked.values.get("event"), asked.object("payload")
    if payload:
        world.outbox.event(payload)
        return {"ok": True}
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise Wrong('Il manque « event », par exemple {"type": "app_uninstalled"}.')
    told = world.callback({"event_ts": world.clock.ts(), **event})
    if team := asked.optional("team"):
        told |= {"team_id": team, "context_team_id": team}
        told["authorizations"] = [{**told["authorizations"][0], "team_id": team}]
    world.outbox.event(told)
    return {"ok": True}


async def installation(asked: Asked) -> Json:
    """`act`: uninstall, expire (its access tokens end now), or nothing, to see who has installed the app; `seconds`:
    how long the next tokens live, 0 for ever; `crm_seconds`: HubSpot's;
    `revoke_portal`: a portal that takes its yes back. About `workspace`, else the firm's own."""
    worlds, world, act = asked.control.worlds, asked.world, asked.optional("act")
    team = world.workspace.team.id
    if asked.optional("seconds").isdecimal():
        worlds.grants.seconds = int(asked.optional("seconds"))
    if asked.control.portals and asked.optional("crm_seconds").isdecimal():
        asked.control.portals.seconds = int(asked.optional("crm_seconds"))
    if asked.control.portals and asked.optional("revoke_portal"):
        asked.control.portals.revoke(asked.optional("revoke_portal"))
    if act == "uninstall":
        try:
            worlds.uninstall(world)
        except SlackError as error:
            raise Wrong(f"Rien à désinstaller ({error.error}).") from None
    elif act == "expire":
        worlds.grants.expire(team)
    elif act:
        raise Wrong("« act » vaut uninstall ou expire.")
    teams = [(each.workspace.team, each.installed) for each in worlds]
    return {"teams": [{"id": team.id, "name": team.name, "installed": installed} for team, installed in teams]}


async def person(asked: Asked) -> Json:
    """What somebody is here: `guest`, or `deleted` for who has left; what is not named stays."""
    user, users = asked.user(), asked.world.workspace.users
    users[user.id] = replace(
        user,
        guest=bool(asked.values.get("guest", user.guest)),
        deleted=bool(asked.values.get("deleted", user.deleted)),
    )
    asked.world.hub.publish("state")
    return {"ok": True}


async def click(asked: Asked) -> Json:
    """In a message (`channel`, `ts`) or in a view (`view_id`)."""
    clicked = clicks.Click(
        action_id=asked.text("action_id"),
        value=asked.values.get("value"),
        block_id=asked.optional("block_id"),
        team=asked.optional("team"),
        forge=bool(asked.values.get("forge")),
    )
    if asked.optional("view_id"):
        values = asked.object("values")
        reply = await clicks.in_view(asked.world, asked.user(), asked.text("view_id"), clicked, values)
        return _outcome(reply)
    user, channel = asked.place()
    reply, stale = await clicks.on_message(asked.world, user, channel, asked.text("ts"), clicked)
    return _outcome(reply) | ({"stale": True} if stale else {})


async def shortcut(asked: Asked) -> Json:
    """One of the app's, on anybody's message."""
    user, channel = asked.place()
    return _outcome(await shortcuts.take(asked.world, user, channel, asked.text("ts"), asked.text("callback_id")))


async def submit(asked: Asked) -> Json:
    """A modal, with its values."""
    return await modals.submit(asked.world, asked.user(), asked.text("view_id"), asked.object("values"))


async def close(asked: Asked) -> Json:
    """A modal."""
    return await modals.close(asked.world, asked.user(), asked.text("view_id"))


async def command(asked: Asked) -> Json:
    """A slash command."""
    user, channel = asked.place()
    return _outcome(await acts.command(asked.world, user, channel, asked.text("command"), asked.optional("text")))


async def open_home(asked: Asked) -> Json:
    """The Home tab."""
    acts.open_tab(asked.world, asked.user(), "home")
    return {"ok": True}


async def open_dm(asked: Asked) -> Json:
    """The direct conversation."""
    return {"ok": True, "channel": acts.open_tab(asked.world, asked.user(), "messages").id}


async def messages(asked: Asked) -> Json:
    """Roots, or one thread; ephemeral ones of other people left out when `user` is given."""
    channel, thread_ts = asked.channel(), asked.optional("thread_ts")
    viewer = asked.user().id if asked.optional("user") else ""
    shown = [
        message
        for message in channel.messages.values()
        if not viewer or message.get("ephemeral_to", viewer) == viewer
        if (message["ts"] == thread_ts or message.get("thread_ts") == thread_ts)
        or (not thread_ts and is_shown_in_channel(message))
    ]
    if thread_ts and not shown:
        raise Wrong(f"Aucun fil {thread_ts} dans « {channel.name} ».", status=404)
    return {"messages": shown}


async def views(asked: Asked) -> Json:
    """What is open for a person."""
    user, workspace = asked.user(), asked.world.workspace
    return {"home": workspace.homes.get(user.id), "modals": workspace.modals.get(user.id, [])}


def _outcome(reply: Reply) -> Json:
    outcome: Json = {"ok": reply.acked, "acked": reply.acked, "ms": round(reply.ms, 1)}
    return outcome if reply.acked else outcome | {"reason": reply.reason}


READS = (messages, views)
WRITES = (
    say,
    edit,
    delete,
    react,
    join,
    emit,
    installation,
    person,
    click,
    shortcut,
    submit,
    close,
    command,
    open_home,
    open_dm,
)
