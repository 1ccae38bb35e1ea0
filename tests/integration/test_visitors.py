"""Who clicks, found out with the sandbox's `users.info`: asked once, kept for a while, a failure never kept."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.visitors import KEPT_SECONDS, Visitors
from bot.ports import Visitor
from tests.integration.sandbox_rig import CAMILLE, Rig, rigged
from tests.integration.test_delivery import slack_at

OURS, THEIRS = "T0AUBRAC1", "T0VAUBAN1"
PAUL, LEA = "U0PAUL", "U0LEA"


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
def clock() -> list[float]:
    """Its one value is the time."""
    return [0.0]


@pytest.fixture
def visitors(rig: Rig, clock: list[float]) -> Visitors:
    return Visitors(slack_at(f"{rig.sandbox.options.base_url}/api", str(rig.slack.token)), now=lambda: clock[0])


def context(*, payload: str = OURS, authorized: str = OURS) -> AsyncBoltContext:
    """As Bolt fills it: from the payload, and from `auth.test` with our token."""
    found = AsyncBoltContext({"team_id": payload})
    found["authorize_result"] = AuthorizeResult(enterprise_id=None, team_id=authorized)
    return found


def click(user: str, *, home: str = OURS) -> dict[str, Any]:
    return {"user": {"id": user, "team_id": home}, "team": {"id": OURS}}


def asked(rig: Rig) -> int:
    """How often Slack was asked who somebody is."""
    return sum(summary.startswith("users.info") for summary, _ in rig.logged("api"))


@pytest.mark.parametrize(
    ("user", "home", "kind"),
    [(CAMILLE, OURS, "member"), (LEA, OURS, "guest"), (PAUL, THEIRS, "outsider"), (PAUL, OURS, "outsider")],
    ids=["member", "guest", "outsider", "outsider whose click hides it"],
)
async def test_a_click_tells_who_clicked(visitors: Visitors, user: str, home: str, kind: str) -> None:
    """The payload's own field first, then what Slack says of the person."""
    by = await visitors.of_click(click(user, home=home), context())
    assert by == Visitor(kind, user, home, shared_channel=False)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", [{"user": {"id": CAMILLE}}, {"user": {"id": CAMILLE}, "team": {"id": OURS}}, {}])
async def test_a_click_without_a_home_team_is_nobodys(visitors: Visitors, body: dict[str, Any]) -> None:
    """`team` is the app's: it says nothing of the person."""
    assert (await visitors.of_click(body, context())).kind == "outsider"


async def test_a_command_of_another_team_is_an_outsiders(visitors: Visitors) -> None:
    """Its one `team_id` is the person's, and Bolt takes it for the installed one: our token says which is ours."""
    body = {"user_id": PAUL, "team_id": THEIRS, "command": "/quartier"}
    assert (await visitors.of_click(body, context(payload=THEIRS))).kind == "outsider"
    ours = {"user_id": CAMILLE, "team_id": OURS, "command": "/quartier"}
    assert (await visitors.of_click(ours, context())).kind == "member"


@pytest.mark.parametrize(
    ("user", "payload", "kind"),
    [(CAMILLE, OURS, "member"), (LEA, OURS, "guest"), (PAUL, OURS, "outsider"), (CAMILLE, THEIRS, "outsider")],
)
async def test_the_home_tab_asks_slack_who_opened_it(visitors: Visitors, user: str, payload: str, kind: str) -> None:
    """The event names the person alone."""
    assert (await visitors.of_home(user, context(payload=payload))).kind == kind


async def test_slack_is_asked_once_for_all_who_wait_and_again_after_a_while(
    rig: Rig, visitors: Visitors, clock: list[float]
) -> None:
    """Twins arrive together; a member who becomes a guest is one for us after some minutes."""
    await asyncio.gather(*(visitors.of_home(CAMILLE, context()) for _ in range(20)))
    clock[0] = KEPT_SECONDS - 1
    await visitors.of_home(CAMILLE, context())
    assert asked(rig) == 1
    people = rig.sandbox.world.workspace.users
    people[CAMILLE] = replace(people[CAMILLE], guest=True)
    clock[0] = KEPT_SECONDS
    assert (await visitors.of_home(CAMILLE, context())).kind == "guest"
    assert asked(rig) == 2


async def test_who_is_deactivated_between_asking_and_clicking_decides_nothing(rig: Rig, visitors: Visitors) -> None:
    """A message may go by what Slack said some minutes ago, a click may not; clicks at once ask once."""
    assert (await visitors.of_home(CAMILLE, context())).kind == "member"
    people = rig.sandbox.world.workspace.users
    people[CAMILLE] = replace(people[CAMILLE], deleted=True)
    assert (await visitors.of_home(CAMILLE, context())).kind == "member"
    clicks = await asyncio.gather(*(visitors.of_click(click(CAMILLE), context()) for _ in range(20)))
    assert {by.kind for by in clicks} == {"guest"}
    assert asked(rig) == 2


async def test_a_click_goes_by_the_last_minutes_where_slack_is_silent(
    rig: Rig, visitors: Visitors, clock: list[float]
) -> None:
    """A bad minute of Slack's stops nobody whom it knew just before; after that nobody is a member."""
    await visitors.of_click(click(CAMILLE), context())
    await rig.post("faults", auth_error="internal_error")
    clock[0] = KEPT_SECONDS - 1
    assert (await visitors.of_click(click(CAMILLE), context())).kind == "member"
    clock[0] = KEPT_SECONDS
    assert (await visitors.of_click(click(CAMILLE), context())).kind == "unknown"


@pytest.mark.parametrize("fault", [{"auth_error": "missing_scope"}, {"slow_api_ms": 5_000}], ids=["refused", "late"])
async def test_a_failure_makes_nobody_a_member_and_is_not_kept(
    rig: Rig, visitors: Visitors, fault: dict[str, Any]
) -> None:
    """Not for this click; the next one asks again."""
    await rig.post("faults", **fault)
    assert (await visitors.of_click(click(CAMILLE), context())).kind == "unknown"
    await rig.post("faults")
    assert (await visitors.of_click(click(CAMILLE), context())).kind == "member"
