"""Slack's own limit on posting: about one message a second and channel, short bursts allowed."""

import math
import time

from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.world import World

PACED = frozenset({"chat.postMessage", "chat.startStream"})


def check(world: World, method: str, args: Args) -> None:
    """A bucket a channel, of `channel_burst` messages, which gains one a second. Raises `SlackError` ratelimited."""
    burst = world.faults.channel_burst
    if not burst or method not in PACED:
        return
    channel, now = args.optional("channel"), time.monotonic()
    left, at = world.paced.get(channel, (float(burst), now))
    left = min(burst, left + now - at)
    if left < 1:
        raise SlackError("ratelimited", status=429, headers={"Retry-After": str(math.ceil(1 - left))})
    world.paced[channel] = (left - 1, now)
