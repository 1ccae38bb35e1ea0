"""What the journeys of guests, outsiders and shared channels have in common."""

from typing import Any

import pytest

from tests.scenario.stage import CAMILLE, TOULON, Stage, shown
from tests.scenario.traces import change, state_of

PAUL, LEA = "U0PAUL", "U0LEA"
"""A notary of another company; a guest of one channel."""
SHARED = "C0VAUBAN"
REFUSAL = "lis ni n'écris HubSpot"
CLOSED = "Seuls les membres de cet espace Slack"

UNTRUSTED = pytest.mark.parametrize(
    ("user", "channel"),
    [(PAUL, SHARED), (LEA, TOULON), (LEA, "D0LEA"), (CAMILLE, SHARED)],
    ids=["outsider", "guest", "guest in a direct message", "member in a shared channel"],
)
NO_MEMBER = pytest.mark.parametrize("user", [PAUL, LEA], ids=["outsider", "guest"])


def crm_calls(stage: Stage, *, after: int) -> list[str]:
    """Everything that was asked of HubSpot."""
    return [e["summary"] for e in stage.get("log", after=after)["entries"] if e["kind"] == "hubspot"]


def whole(stage: Stage, ts: str, *, channel: str = TOULON) -> str:
    """The one answer of the thread, with all that stands beside it, once it is recorded as published."""
    stage.answer(ts, channel=channel)
    stage.until(lambda: state_of(stage, ts) == "published", "published row")
    return " ".join(shown(message) for message in stage.thread(ts, channel=channel))


def owned_by(stage: Stage, ts: str, user: str) -> None:
    """The thread's proposals as if this person had asked for them: then only who they are can refuse a click."""
    assert change(stage, "update proposal set requested_by = ? where thread_ts = ?", user, ts)


def press(stage: Stage, message: dict[str, Any], action: str, *, user: str, channel: str = TOULON) -> None:
    """A click by somebody who, for this, is let into the channel."""
    stage.post("join", user=user, channel=channel)
    stage.post("click", user=user, channel=channel, ts=message["ts"], action_id=action)
