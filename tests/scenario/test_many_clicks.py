"""Two people click on the same cards at once, over and over: one write each, and everybody is told."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.speed.clicks import measured
from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, stage
from tests.scenario.traces import NOTE, button, calls, last_entry, rows, until_card_says

CLICKS = 50


@pytest.fixture(scope="module")
def approving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Hugo may approve what Camille asks for."""
    with stage(tmp_path_factory.mktemp("clicks"), CRM_APPROVERS=HUGO) as ready:
        yield ready


def whispered(on: Stage, ts: str, user: str) -> int:
    messages = on.get("messages", channel=TOULON, thread_ts=ts, user=user)["messages"]
    return sum(message.get("ephemeral_to") == user for message in messages)


def test_fifty_clicks_of_two_people_write_once(approving: Stage) -> None:
    """One note; the 49 others are told who was first; the card is brought up to date a few times, not fifty."""
    ts, before = approving.say(NOTE), len(approving.notes())
    card, since = approving.card(ts), last_entry(approving)
    with ThreadPoolExecutor(CLICKS) as people:
        clicks = [
            people.submit(approving.click, card, "approve", user=(CAMILLE, HUGO)[n % 2], value=button(card))
            for n in range(CLICKS)
        ]
    assert all(click.result()["acked"] for click in clicks)
    until_card_says(approving, ts, "écrite, validée")
    approving.until(lambda: sum(whispered(approving, ts, u) for u in (CAMILLE, HUGO)) == CLICKS - 1, "49 whispers")
    assert len(approving.notes()) == before + 1
    trail = rows(approving, "select event from audit where subject = ? order by id", button(card))
    assert [line["event"] for line in trail] == ["offered", "approved", "executing", "done"]
    updates = [call for call in calls(approving, "chat.update", after=since) if card["ts"] in str(call)]
    assert len(updates) < 10


def test_approve_and_reject_at_once_end_as_one_of_them(approving: Stage) -> None:
    """Whoever was first; the CRM agrees with the card."""
    ts, before = approving.say(NOTE), len(approving.notes())
    card = approving.card(ts)
    with ThreadPoolExecutor(CLICKS) as people:
        for n in range(CLICKS):
            action, user = (("approve", CAMILLE), ("reject", HUGO))[n % 2]
            people.submit(approving.click, card, action, user=user, value=button(card))
    (row,) = approving.until(
        lambda: rows(approving, "select state from proposal where thread_ts = ? and state in ('done', 'rejected')", ts),
        "end",
    )
    assert len(approving.notes()) == before + (row["state"] == "done")


@pytest.mark.servers
def test_two_workers_write_each_proposal_once(tmp_path: Path) -> None:
    """The same over two whole bots on PostgreSQL; `python -m bench clicks` does it with a hundred proposals."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    figures = measured(tmp_path, url=url, count=6, clicks=20)
    assert figures["bots"] == 2
    assert (figures["written_once"], figures["acked"]) == (6, 120)
    assert figures["verdicts"] == {"accepted": 6, "already": 114}
