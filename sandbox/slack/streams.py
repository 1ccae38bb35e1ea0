"""chat.startStream, appendStream, stopStream: a message that grows, for 5 minutes and 12,000 characters at most."""

import time
from typing import Any

from sandbox.slack import limits, posting
from sandbox.slack.arguments import Args
from sandbox.slack.chat import own_message, shown, signed
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json
from sandbox.slack.world import World

STREAM_S = 300.0
STREAM_TEXT = 12_000
_STATE = "streaming_state"
_STARTED = "stream_started"
_BODY = "stream"
_TASK_STATES = ("pending", "in_progress", "complete", "error")


def start(world: World, args: Args) -> Json:
    """Always a reply; in a channel the recipient must be named."""
    channel = world.joined(args.text("channel", missing="channel_not_found"))
    thread_ts = args.text("thread_ts", missing="invalid_thread_ts")
    if channel.kind != "im" and not (args.optional("recipient_user_id") and args.optional("recipient_team_id")):
        raise SlackError("missing_recipient_user_id")
    marks: Json = {_STATE: "in_progress", _STARTED: time.time()}
    message = signed(world, {"text": "", **marks, **_grown({}, args)}, username=args.optional("username"))
    posted = posting.post(world, channel, message, thread_ts=thread_ts)
    return {"channel": channel.id, "ts": posted["ts"]}


def append(world: World, args: Args) -> Json:
    """Raises `SlackError` message_not_in_streaming_state after 5 minutes or a stop."""
    channel, message = _live(world, args)
    message |= _grown(message, args)
    world.show(channel, message.get("thread_ts"))
    return {"channel": channel.id, "ts": message["ts"]}


def stop(world: World, args: Args) -> Json:
    """Adds the last text and the final blocks, then the message is an ordinary one."""
    channel, message = _live(world, args)
    fields = _grown(message, args)
    body = [block for block in fields["blocks"] if block.get("block_id") == _BODY]
    blocks = args.parsed("blocks", wrong="invalid_blocks_format")
    if blocks:
        fields["blocks"] = limits.checked_blocks(body + blocks)
        fields["text"] = "".join(block["text"] for block in body) or fields["text"]
    metadata = args.parsed("metadata", wrong="invalid_metadata_format")
    if metadata is not None:
        fields["metadata"] = limits.checked_metadata(metadata)
    if args.optional("session_status"):
        channel.agent.setdefault(message["thread_ts"], {})["session_status"] = args.optional("session_status")
    final = posting.change(world, channel, message["ts"], **fields, **{_STATE: "completed", _STARTED: None})
    return {"channel": channel.id, "ts": message["ts"], "message": shown(final)}


def _live(world: World, args: Args) -> tuple[Channel, Json]:
    channel, message = own_message(world, args, refused="message_not_owned_by_app")
    expired = time.time() - message.get(_STARTED, 0.0) > STREAM_S
    if message.get(_STATE) != "in_progress" or expired or world.faults.expire_streams:
        message[_STATE] = "completed"  # Slack has ended it by itself
        raise SlackError("message_not_in_streaming_state")
    return channel, message


def _grown(message: Json, args: Args) -> Json:
    """Blocks after this call's markdown, plan and task chunks, and the plain text beside them: the step that runs, as
    long as there is one. Raises `SlackError` msg_too_long."""
    before: list[Json] = message.get("blocks", [])
    text = "".join(block["text"] for block in before if block.get("block_id") == _BODY) + args.optional("markdown_text")
    kept = [block for block in before if block.get("block_id") != _BODY]
    chunks: Any = args.parsed("chunks") or []
    if not isinstance(chunks, list) or not all(isinstance(chunk, dict) for chunk in chunks):
        raise SlackError("invalid_chunks")
    for chunk in chunks:
        kind = chunk.get("type")
        if kind == "markdown_text":
            text += str(chunk.get("text", ""))
        elif kind in ("task_update", "plan_update"):
            kept = _with_step(kept, chunk)
        elif kind == "blocks":
            kept += limits.checked_blocks(chunk.get("blocks", []))
        else:
            raise SlackError("invalid_chunks", messages=[f"unsupported type: {kind} [json-pointer:/chunks]"])
    if len(text) > STREAM_TEXT:
        raise SlackError("msg_too_long")
    markdown = [{"type": "markdown", "block_id": _BODY, "text": text}] if text else []
    running = [block["title"] for block in kept if block["type"] == "task_card" and block["status"] == "in_progress"]
    return {"text": f"_{running[-1]}…_" if running else text, "blocks": kept + markdown}


def _with_step(blocks: list[Json], chunk: Json) -> list[Json]:
    """A task keeps its place when it is updated; a plan is the title above the tasks."""
    if chunk["type"] == "plan_update":
        card: Json = {"type": "plan", "block_id": "plan", "title": chunk.get("title", "")}
        return [card, *(block for block in blocks if block["type"] != "plan")]
    if not chunk.get("id") or not chunk.get("title") or chunk.get("status") not in _TASK_STATES:
        raise SlackError("invalid_chunks", messages=["a task has an id, a title and a status [json-pointer:/chunks]"])
    told = {name: item for name, item in chunk.items() if name not in ("type", "id")}
    card = {"type": "task_card", "block_id": f"task-{chunk['id']}"[:255], "task_id": chunk["id"], **told}
    if any(block.get("task_id") == chunk["id"] for block in blocks):
        return [block | card if block.get("task_id") == chunk["id"] else block for block in blocks]
    return [*blocks, card]


METHODS = {"chat.startStream": start, "chat.appendStream": append, "chat.stopStream": stop}
