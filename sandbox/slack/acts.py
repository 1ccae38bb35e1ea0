"""What a person does in Slack besides clicking: say, edit, delete, react, join, open, command."""

import base64
import binascii
from typing import Any

from sandbox.slack import connect, conversations, events, files, payloads, posting, reactions, response_url
from sandbox.slack.delivery import Reply
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json, ResponseUrl, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong


def say(
    world: World, user: User, channel: Channel, text: str, *, thread_ts: str | None = None, attached: Any = None
) -> Json:
    """Posts a person's message and returns it. Raises `Wrong` for an empty one or an unknown thread."""
    shared = [_file(world, user, channel, item) for item in attached or []]
    if not text.strip() and not shared:
        raise Wrong("Slack n'envoie pas de message vide : écrivez un texte ou joignez un fichier.")
    author = connect.author_fields(channel, world.workspace.team_of(user.id).id)
    message = events.human_message(user.id, events.wire_text(text), author=author, files=shared)
    return _posted(world, channel, message, thread_ts)


def say_as_bot(world: World, channel: Channel, name: str, text: str, *, thread_ts: str | None = None) -> Json:
    """Another application's message (subtype bot_message)."""
    message: Json = {"type": "message", "subtype": "bot_message", "bot_id": "B0AUTREBOT", "username": name}
    return _posted(world, channel, message | {"text": events.wire_text(text)}, thread_ts)


def edit(world: World, user: User, channel: Channel, ts: str, text: str) -> None:
    """Changes one's own message. Raises `Wrong`."""
    _own(user, channel, ts)
    wire = events.wire_text(text)
    edited = {"user": user.id, "ts": world.clock.ts()}
    posting.change(world, channel, ts, text=wire, blocks=events.rich_text(wire), edited=edited)


def delete(world: World, user: User, channel: Channel, ts: str) -> None:
    """Deletes one's own message. Raises `Wrong`."""
    _own(user, channel, ts)
    posting.remove(world, channel, ts)


def react(world: World, user: User, channel: Channel, ts: str, name: str) -> None:
    """Adds an emoji. Raises `Wrong`."""
    message = channel.messages.get(ts)
    if message is None:
        raise Wrong(f"Aucun message {ts} dans « {channel.name} ».", status=404)
    try:
        reactions.react(world, channel, message, user=user.id, name=name.strip(":"))
    except SlackError:
        raise Wrong(f"{user.name} a déjà réagi avec « {name} ».") from None


def join(world: World, user: User, channel: Channel) -> None:
    """Enters a channel; nothing happens for a member."""
    conversations.add_member(world, channel, user.id)


def open_tab(world: World, user: User, tab: str) -> Channel:
    """Opens the app's Home or its direct conversation (`messages`): app_home_opened. Raises `Wrong`."""
    direct = world.workspace.im_of(user.id)
    if direct is None:
        raise Wrong(f"{user.name} est d'une autre entreprise : l'application n'a ni accueil ni message direct là-bas.")
    event: Json = {"type": "app_home_opened", "user": user.id, "channel": direct.id, "tab": tab}
    home = world.workspace.homes.get(user.id)
    if tab == "home" and home is not None:
        event["view"] = home
    world.emit(event | {"event_ts": world.clock.ts()})
    return direct


async def command(world: World, user: User, channel: Channel, name: str, text: str) -> Reply:
    """A slash command; what the ack carries is shown at once, to the person or to all. `team_id` is the person's own.
    Raises `Wrong`."""
    app, team = world.workspace.app, world.workspace.team_of(user.id)
    payload = {
        "token": app.verification_token,
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": "directmessage" if channel.kind == "im" else channel.name,
        "user_id": user.id,
        "user_name": user.handle,
        "command": name if name.startswith("/") else f"/{name}",
        "text": text,
        "api_app_id": app.id,
        "enterprise_id": world.workspace.enterprise,
        "is_enterprise_install": "true" if world.org else "false",
        **payloads.response_url(world, channel, user),
        **payloads.trigger(world, user),
    }
    reply = await world.outbox.ask("slash_commands", payload)
    body = {"text": reply.body} if isinstance(reply.body, str) else reply.body
    if body:
        here = ResponseUrl(channel=channel.id, user=user.id, message_ts=None, thread_ts=None, expires=0.0)
        try:
            response_url.answer(world, here, body)
        except SlackError as error:
            raise Wrong(f"Slack refuserait la réponse à la commande : {error.body()}") from None
    return reply


def _posted(world: World, channel: Channel, message: Json, thread_ts: str | None) -> Json:
    try:
        return posting.post(world, channel, message, thread_ts=thread_ts)
    except SlackError:
        raise Wrong(f"Aucun fil {thread_ts} dans « {channel.name} ».", status=404) from None


def _own(user: User, channel: Channel, ts: str) -> Json:
    message = channel.messages.get(ts)
    if message is None:
        raise Wrong(f"Aucun message {ts} dans « {channel.name} ».", status=404)
    if message.get("user") != user.id:
        raise Wrong(f"Ce message n'est pas de {user.name} : chacun ne modifie que les siens.", status=403)
    return message


def _file(world: World, user: User, channel: Channel, item: Any) -> Json:
    """`{name, text}` or `{name, content_base64, mimetype?}`; for what only scripts do: `mode` (external, snippet,
    tombstone, hidden_by_limit), a `size` that Slack announces, a `download_url` that is not Slack's."""
    if not isinstance(item, dict) or not item.get("name"):
        raise Wrong("Un fichier s'écrit {name, text} ou {name, content_base64}.")
    try:
        encoded = item.get("content_base64")
        content = base64.b64decode(encoded, validate=True) if encoded else str(item.get("text", "")).encode()
    except (binascii.Error, TypeError):
        raise Wrong(f"Le contenu de « {item['name']} » n'est pas du base64.") from None
    announced = item.get("size")
    size = announced if isinstance(announced, int) and announced >= 0 else len(content)
    described = files.new_file(
        world,
        str(item["name"]),
        user=user.id,
        size=size,
        mimetype=str(item.get("mimetype", "")),
        mode=str(item.get("mode") or "hosted"),
    )
    if item.get("download_url"):
        described["url_private_download"] = str(item["download_url"])
    upload = world.workspace.files[described["id"]]
    upload.content, upload.complete = content, True
    return files.share(described, channel.id)
