"""agents.sessions.* and assistant.threads.*: what the agent is doing, its title, the prompts it suggests."""

from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Channel, Json
from sandbox.slack.world import World

STATUSES = ("active", "processing", "suspended", "closed")
MAX_PROMPTS = 4


def set_session_status(world: World, args: Args) -> Json:
    """An enumeration; `processing` stays until it is changed."""
    status = args.text("status")
    if status not in STATUSES:
        raise SlackError("invalid_arguments", messages=[f"must be one of {', '.join(STATUSES)} [json-pointer:/status]"])
    return _keep(world, args, "session_status", status)


def rename_session(world: World, args: Args) -> Json:
    """The session's title."""
    return _keep(world, args, "title", args.text("title"))


def set_thread_status(world: World, args: Args) -> Json:
    """A line under the composer; empty text clears it, and so does the app's next message."""
    args.text("thread_ts")
    return _keep(world, args, "status", args.optional("status"))


def set_title(world: World, args: Args) -> Json:
    """The thread's title."""
    args.text("thread_ts")
    return _keep(world, args, "title", args.text("title"))


def set_suggested_prompts(world: World, args: Args) -> Json:
    """Up to four prompts of a title and a message; `thread_ts` is optional with agent_view."""
    prompts = args.parsed("prompts")
    if not isinstance(prompts, list) or not prompts:
        raise SlackError("invalid_arguments", messages=["missing required field: prompts"])
    if len(prompts) > MAX_PROMPTS:
        raise SlackError("too_many_prompts")
    if not all(isinstance(prompt, dict) and prompt.get("title") and prompt.get("message") for prompt in prompts):
        raise SlackError("invalid_arguments", messages=["title and message are required [json-pointer:/prompts]"])
    return _keep(world, args, "prompts", {"title": args.optional("title"), "prompts": prompts})


def _keep(world: World, args: Args, name: str, value: object) -> Json:
    channel: Channel = world.joined(args.text("channel_id", missing="channel_not_found"))
    thread = args.optional("thread_ts")
    channel.agent.setdefault(thread, {})[name] = value
    world.hub.publish("state")
    world.show(channel, thread)
    return {}


METHODS = {
    "agents.sessions.setStatus": set_session_status,
    "agents.sessions.rename": rename_session,
    "assistant.threads.setStatus": set_thread_status,
    "assistant.threads.setTitle": set_title,
    "assistant.threads.setSuggestedPrompts": set_suggested_prompts,
}
