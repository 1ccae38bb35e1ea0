"""Two teams in one database and one index, with the same ids, places, people and moments wherever they may be the same:
nothing of one is read by the other, or goes with it. Generated from the tables: one without its row here fails."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from bot.installation.departures import Departures, forget_job
from bot.installation.stores import Installations
from bot.ports import AnswerId, Visitor
from bot.proposals import deciding
from bot.proposals.lifecycle import Terms
from bot.sealing import Sealing, new_key
from bot.store import (
    alerts,
    answers,
    audit,
    channels,
    compliance,
    costs,
    crm_accounts,
    digests,
    inbox,
    kept_answers,
    keys,
    proposals,
    snapshots,
    sources,
    spending,
    subscriptions,
    threads,
    watches,
    web_sources,
    workspaces,
)
from bot.store.database import Database
from bot.store.forgetting import Kind, added_by, forget
from bot.store.tables import metadata
from corpus.index.embedded import EmbeddedIndex
from corpus.types import PUBLIC_AUDIENCE, Filters, Passage
from tests.beginnings import migrated
from tests.contract.team_rows import (
    CHANNEL,
    EVERYBODYS,
    INSEE,
    KEY,
    LONG_AGO,
    NOW,
    OTHERS,
    OURS,
    PERSON,
    SECRET,
    SOON,
    TICKET,
    TS,
    held,
    row_of,
    seed,
    team_tables,
)

pytest_plugins = ["tests.contract.databases"]

READ = Callable[[sa.Connection, str], object]


def _answer(team: str) -> dict[str, Any]:
    """A message of this team in the same thread, later: what it would remember of it."""
    row = {"team_id": team, "answer_id": "msg:later", "thread_key": KEY, "channel": CHANNEL, "channel_type": "channel"}
    return {**row, "asked_at": SOON}


def _place(team: str) -> dict[str, str]:
    return {"team_id": team, "channel": CHANNEL}


def _who(team: str) -> dict[str, str]:
    return {"team_id": team, "person": PERSON}


def _said(team: str) -> inbox.Inbound:
    message = {"event_id": "Ev1", "channel": CHANNEL, "channel_type": "channel", "ts": TS, "thread_ts": TS}
    return inbox.Inbound(team_id=team, user_id=PERSON, text="", **message)


def _decided(connection: sa.Connection, team: str) -> object:
    by = Visitor("member", PERSON, team, shared_channel=False)
    more = {"name": "", "terms": Terms(), "enqueue": lambda *_: None}
    with connection.begin_nested() as point:
        verdict = deciding.approve(connection, f"proposal-{OURS}", team_id=team, by=by, **more).verdict  # type: ignore[arg-type]
        point.rollback()
    return verdict


def _bot(connection: sa.Connection, team: str) -> object:
    from bot.installation.stores import _Tokens

    found = _Tokens(connection, "app").find_bot(enterprise_id=None, team_id=team)
    return None if found is None else found.bot_token


def _installation(connection: sa.Connection, team: str) -> object:
    from bot.installation.stores import _Tokens

    found = _Tokens(connection, "app").find_installation(enterprise_id=None, team_id=team)
    return None if found is None else found.user_token


def _opens(connection: sa.Connection, team: str) -> object:
    """Whether the key speaks for this team; of one that has left, as these have, it opens nothing."""
    assert keys.holder(connection, SECRET) is None
    with connection.begin_nested() as point:
        connection.execute(metadata.tables["workspace"].update().values(left_at=None))
        found = keys.holder(connection, SECRET)
        point.rollback()
    return found is not None and found.team_id == team


def _forgets(kind: Kind, subject: str) -> READ:
    """How many rows `python -m bot forget --team` would take."""

    def read(connection: sa.Connection, team: str) -> object:
        with connection.begin_nested() as point:
            gone = forget(connection, kind, subject, team_id=team).rows
            point.rollback()
        return gone

    return read


DAY = date(2026, 11, 20)
MATRIX: Mapping[str, Sequence[READ]] = {
    "inbound_event": [lambda c, team: inbox.is_claimed(c, _said(team), kind="message")],
    "thread": [
        lambda c, team: threads.knows(c, team_id=team, thread_key=KEY),
        lambda c, team: threads.deal_of(c, team_id=team, thread_key=KEY),
        _forgets("thread", f"{CHANNEL}:{TS}"),
    ],
    "answer": [
        lambda c, team: answers.posted_as(c, **_place(team), ts=TS),
        lambda c, team: answers.last_of(c, **_place(team), limit=9),
        lambda c, team: answers.threads_of(c, **_who(team), limit=9),
        lambda c, team: answers.records_since(c, **_who(team), since=LONG_AGO),
        lambda c, team: answers.is_shared(c, **_place(team)),
        lambda c, team: threads.has_addressed(c, team_id=team, thread_key=KEY, user_id=PERSON),
        lambda c, team: threads.history(c, _answer(team)),
        lambda c, team: threads.memory(c, _answer(team)),
        lambda c, team: list(compliance.answered_between(c, LONG_AGO, SOON, team_id=team)),
        lambda c, team: list(costs.costs_between(c, LONG_AGO, SOON, team_id=team)),
        _forgets("user", PERSON),
    ],
    "proposal": [
        lambda c, team: proposals.find(c, f"proposal-{OURS}", team_id=team),
        lambda c, team: proposals.waiting_for(c, **_who(team), now=NOW, limit=9),
        lambda c, team: [each["proposals"] for each in compliance.answered_between(c, LONG_AGO, SOON, team_id=team)],
        _decided,
    ],
    "audit": [lambda c, team: audit.count(c, team_id=team, event="same", subject="same")],
    "kept_answer": [
        lambda c, team: kept_answers.get(c, f"{OURS} key", team_id=team, now=NOW),
        _forgets("user", PERSON),
    ],
    "feedback": [
        lambda c, team: [each["verdicts"] for each in compliance.answered_between(c, LONG_AGO, SOON, team_id=team)],
        _forgets("user", PERSON),
    ],
    "source": [
        lambda c, team: sources.find(c, "source-1", team_id=team),
        lambda c, team: sources.listed(c, team_id=team, audiences=[PUBLIC_AUDIENCE]),
        lambda c, team: sources.of_message(c, **_place(team), message_ts=TS),
        lambda c, team: web_sources.remembered(c, team_id=team),
        lambda c, team: web_sources.known(c, ["source-1"], team_id=team),
        lambda c, team: added_by(c, PERSON, team),
    ],
    "subscription": [
        lambda c, team: subscriptions.find(c, **_place(team)),
        lambda c, team: subscriptions.set_by(c, **_who(team)),
    ],
    "digest": [
        lambda c, team: digests.find(c, (team, CHANNEL, 2026, 47)),
        lambda c, team: digests.posted(c, **_place(team), before=SOON),
    ],
    "commune_snapshot": [
        lambda c, team: snapshots.of_week(c, team_id=team, communes=[INSEE], week=(2026, 47)),
        lambda c, team: snapshots.known(c, team_id=team, communes=[INSEE], week=(2026, 48)),
        lambda c, team: snapshots.history(c, team_id=team, insee=INSEE),
    ],
    "alert": [lambda c, team: alerts.of_watch(c, "watch-1", team_id=team)],
    "channel_setting": [
        lambda c, team: channels.find(c, **_place(team)),
        lambda c, team: channels.approvers_of(c, **_place(team)),
        lambda c, team: channels.deals_in(c, **_place(team)),
    ],
    "api_key": [_opens],
    "spending": [
        lambda c, team: spending.since(c, team_id=team, day=DAY),
        lambda c, team: spending.spent(c, team_id=team, day=DAY, person=PERSON),
        lambda c, team: costs.counted_for_budgets(c, DAY, DAY, team_id=team),
    ],
    "watch": [
        lambda c, team: watches.find(c, "watch-1", team_id=team),
        lambda c, team: watches.of_channel(c, **_place(team)),
        lambda c, team: watches.set_by(c, **_who(team)),
    ],
    "workspace": [
        lambda c, team: workspaces.find(c, team),
        lambda c, team: workspaces.departed(c, {team}),
        lambda c, team: [row for row in workspaces.due(c, now=NOW) if row["team_id"] == team],
    ],
    "slack_bot": [_bot],
    "slack_installation": [_installation],
    "crm_account": [lambda c, team: crm_accounts.find(c, team)],
    "crm_ticket": [lambda c, team: getattr(crm_accounts.holder(c, TICKET), "team_id", None) == team],
}


def test_every_table_of_a_team_has_its_row_here() -> None:
    """And every other one is named as everybody's."""
    assert {table.name for table in team_tables()} == set(MATRIX)
    assert all("team_id" in table.c for table in team_tables())
    assert set(metadata.tables) == set(MATRIX) | EVERYBODYS


@pytest.mark.parametrize("name", MATRIX)
async def test_nothing_of_another_team_is_read(database: Database, name: str) -> None:
    """Each reader of the table finds its own team's row, and for the other team what it finds in an empty database."""

    def look(connection: sa.Connection) -> Iterator[tuple[object, object, object, object]]:
        for read in MATRIX[name]:
            with connection.begin_nested() as point:
                empty = read(connection, OTHERS)
                seed(connection, OURS, without=name)
                lacking = read(connection, OURS)
                point.rollback()
            with connection.begin_nested() as point:
                seed(connection, OURS)
                yield empty, read(connection, OTHERS), lacking, read(connection, OURS)
                point.rollback()

    for empty, other, lacking, own in await database.write(lambda c: list(look(c))):
        assert other == empty
        assert own != lacking, "the reader reads nothing of this table"


async def test_a_team_that_is_forgotten_leaves_one_line_and_takes_nothing_of_another(tmp_path: Path) -> None:
    """Every row and passage goes, but the audit's line that says so; the other team's stand as they stood."""
    database = Database(migrated(tmp_path / "store.sqlite3"), Sealing([new_key()]))
    index = EmbeddedIndex(tmp_path / "corpus.sqlite3")
    departures = Departures(database, Installations(database, client_id="app"), None, index, days=30)  # type: ignore[arg-type]
    for team in (OURS, OTHERS):
        await database.write(lambda c, team=team: seed(c, team))  # type: ignore[misc]
        said = f"bail de {team}"
        passage = Passage("p", "source-1", 0, "Bail", (), said, "", "regulation")
        await index.upsert("source-1", [passage], np.ones((1, 3), np.float32), tenant=team, digest="d")
    before = await database.read(lambda c: held(c, OTHERS))
    await forget_job(departures).run(_at_once, f"{OURS}:{SOON}")
    assert await database.read(lambda c: held(c, OURS)), "it has come back meanwhile: another departure's job"
    await forget_job(departures).run(_at_once, f"{OURS}:{LONG_AGO}")
    left = await database.read(lambda c: held(c, OURS))
    assert {name: len(rows) for name, rows in left.items()} == {"audit": 1}
    assert left["audit"][0]["event"] == "workspace_forgotten"
    assert await database.read(lambda c: held(c, OTHERS)) == before
    assert await index.digests(tenant=OURS) == {}
    found = await index.search("bail", vector=None, tenants=[OTHERS], filters=Filters(), limit=9)
    assert [each.text for each in found] == [f"bail de {OTHERS}"]
    await index.aclose()
    database.close()


class _AtOnce:
    """A step that is run where it stands."""

    async def __call__(self, _name: str, function: Callable[[str], Any], subject: str, **_more: object) -> Any:
        return await function(subject)


_at_once: Any = _AtOnce()


def test_ids_name_their_team() -> None:
    """So that a job, which has nothing but its subject, knows whose it is."""
    assert OURS in AnswerId(row_of(metadata.tables["answer"], OURS)["answer_id"]).split(":")  # type: ignore[arg-type]
