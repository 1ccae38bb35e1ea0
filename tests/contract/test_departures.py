"""Teams come and go, tokens end: what a second process, a late event and a failed renewal make of it."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.errors import SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot, Installation

from bot.engine import Job
from bot.errors import StepFailed, WorkspaceGone
from bot.installation.departures import Departures, quiet, wake_due
from bot.installation.stores import Installations, States
from bot.installation.tokens import Tokens
from bot.ports import JobName
from bot.sealing import Sealing, new_key
from bot.store import workspaces
from bot.store.database import Database
from corpus.index.embedded import EmbeddedIndex
from tests.beginnings import migrated

TEAM, LONG_AGO, TOMORROW = "T0COMES", 1_000_000_000, 4_000_000_000
GONE_EVENT = {"team_id": TEAM, "event": {"type": "app_uninstalled"}}


class Rotator:
    """Stands for slack_sdk's, which asks Slack: gives what it is told to."""

    def __init__(self) -> None:
        self.gives: Bot | None = None
        self.fails = False
        self.asked = 0

    async def perform_bot_token_rotation(self, *, bot: Bot, minutes_before_expiration: int) -> Bot | None:
        self.asked += 1
        if self.fails:
            raise SlackTokenRotationError("invalid_refresh_token")  # type: ignore[arg-type]
        return self.gives


class Desk:
    def __init__(self, folder: Path) -> None:
        self.database = Database(migrated(folder / "store.sqlite3"), Sealing([new_key()]))
        self.installations = Installations(self.database, client_id="app")
        self.rotator: Any = Rotator()
        self.tokens = Tokens(self.database, self.installations, self.rotator)
        index = EmbeddedIndex(folder / "corpus.sqlite3")
        self.departures = Departures(self.database, self.installations, self.tokens, index, days=30)

    async def install(self, token: str) -> None:
        given: dict[str, Any] = {"app_id": "A", "user_id": "U", "team_id": TEAM, "team_name": "Cabinet"}
        await self.installations.async_save(Installation(**given, bot_token=token, bot_id="B", bot_user_id="UB"))


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    await made.departures.index.aclose()
    made.database.close()


async def test_a_departure_of_an_earlier_installation_is_left_alone(desk: Desk) -> None:
    """Slack delivers again, also after somebody has come back."""
    await desk.install("xoxb-1")
    await desk.departures.uninstalled({**GONE_EVENT, "event_time": LONG_AGO})
    assert (await desk.tokens.bot_of(TEAM)).bot_token == "xoxb-1"
    await desk.departures.uninstalled({**GONE_EVENT, "event_time": TOMORROW})
    with pytest.raises(WorkspaceGone):
        await desk.tokens.bot_of(TEAM)
    await desk.departures.uninstalled({**GONE_EVENT, "event_time": TOMORROW})
    await desk.install("xoxb-2")
    assert (await desk.tokens.bot_of(TEAM)).bot_token == "xoxb-2"


async def test_who_has_not_come_back_is_forgotten_by_one_job(desk: Desk) -> None:
    """Named by the team and the departure: whoever wakes it, and however often."""
    await desk.install("xoxb-1")
    queued: list[Sequence[object]] = []

    def enqueue(_connection: object, *job: object) -> None:
        queued.append(job)

    await desk.departures.uninstalled({**GONE_EVENT, "event_time": TOMORROW})
    assert await wake_due(desk.departures, enqueue) == 0
    row = await desk.database.write(lambda c: workspaces.find(c, TEAM))
    assert row is not None
    left = row["left_at"]
    await desk.database.write(lambda c: workspaces.leave(c, TEAM, now=left, forget_at=left))
    assert await wake_due(desk.departures, enqueue) == 1
    assert queued == [(JobName.FORGET_TEAM, f"{TEAM}:{left}", "forget")]


async def test_a_token_that_another_process_has_renewed_is_taken(desk: Desk) -> None:
    await desk.install("xoxb-old")
    old = await desk.tokens.bot_of(TEAM)
    old.bot_token = "xoxb-new"
    await desk.installations.async_save_bot(old)
    asked = desk.rotator.asked
    other = await desk.tokens.after_refusal(TEAM, "xoxb-old")
    assert other is not None
    assert (other.bot_token, desk.rotator.asked) == ("xoxb-new", asked)
    assert await desk.tokens.after_refusal(TEAM, "xoxb-new") is None, "there is no other"


async def test_a_renewal_that_fails_leaves_the_old_token_to_its_end(desk: Desk) -> None:
    await desk.install("xoxb-1")
    desk.rotator.fails = True
    assert (await desk.tokens.bot_of(TEAM)).bot_token == "xoxb-1"


async def test_jobs_of_a_team_that_has_left_end_without_a_word(desk: Desk) -> None:
    """Before anything is asked; or where the token goes in between, also as another process remembers it."""
    await desk.install("xoxb-1")
    seen: list[str] = []
    raised: list[Exception] = []

    async def run(_step: object, subject: str) -> None:
        seen.append(subject)
        for error in raised:
            raise error

    async def failed(_subject: str, _error: BaseException) -> None:
        raise AssertionError("it is told of nothing")

    job = quiet({JobName.REPLY: Job(run=run, failed=failed)}, desk.departures)[JobName.REPLY]
    nowhere: Any = None
    raised[:] = [StepFailed(WorkspaceGone())]
    await job.run(nowhere, f"msg:{TEAM}:C1:1")
    raised[:] = [StepFailed(ValueError())]
    with pytest.raises(StepFailed):
        await job.run(nowhere, f"msg:{TEAM}:C1:2")
    await desk.departures.uninstalled({**GONE_EVENT, "event_time": TOMORROW})
    await job.run(nowhere, f"msg:{TEAM}:C1:3")
    assert seen == [f"msg:{TEAM}:C1:1", f"msg:{TEAM}:C1:2"]


async def test_a_state_serves_once(desk: Desk) -> None:
    states = States(desk.database)
    state = await states.async_issue()
    assert [await states.async_consume(state) for _ in range(2)] == [True, False]
