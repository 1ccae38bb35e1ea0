"""One suite for the tables on SQLite and on PostgreSQL: claims, compare-and-set, memory, migrations."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from bot.errors import StoreUnavailable
from bot.ports import AnswerId, Visitor
from bot.proposals import deciding
from bot.proposals import lifecycle as rules
from bot.proposals.lifecycle import Terms, payload_hash
from bot.store import answers, inbox, proposals, threads
from bot.store.database import Database
from bot.store.inbox import Inbound, utc_now
from bot.store.migrations import ROOT, migrate_database
from bot.store.tables import metadata
from pipeline.action_types import ProposedAction, Target
from pipeline.types import Answer, Route
from tests.beginnings import migrated

pytest_plugins = ("tests.contract.databases",)

MEMBER = Visitor("member", "U1", "T1", shared_channel=False)

Enqueued = list[tuple[str, str, str]]


def _message(**fields: Any) -> Inbound:
    values = {
        "team_id": "T1", "event_id": "Ev1", "channel": "C1", "channel_type": "channel", "ts": "1.1",
        "thread_ts": "1.1", "user_id": "U1", "text": "le Pinel ?",
    }  # fmt: skip
    return Inbound(**(values | fields))


async def _accept(database: Database, message: Inbound, enqueued: Enqueued) -> bool:
    def enqueue(_connection: sa.Connection, job: str, subject: str, partition: str) -> None:
        enqueued.append((job, subject, partition))

    return await database.write(lambda c: inbox.accept(c, message, enqueue=enqueue))


async def test_a_message_is_claimed_once_however_often_it_comes(database: Database) -> None:
    """The mention's twin has another event id, the redelivery the same: one job either way."""
    enqueued: Enqueued = []
    outcomes = [
        await _accept(database, _message(), enqueued),
        await _accept(database, _message(event_id="Ev2"), enqueued),
        await _accept(database, _message(), enqueued),
    ]
    assert outcomes == [True, False, False]
    assert enqueued == [("sign", "msg:T1:C1:1.1", "T1:C1")]


async def test_a_failed_enqueue_leaves_no_claim_behind(database: Database) -> None:
    """Inbox row and job are one transaction: after a failure, the redelivery must get through."""

    def broken(*_: object) -> None:
        raise RuntimeError("queue is down")

    with pytest.raises(RuntimeError):
        await database.write(lambda c: inbox.accept(c, _message(), enqueue=broken))
    assert await _accept(database, _message(), []) is True


async def test_one_failing_write_does_not_take_its_neighbours_along(database: Database) -> None:
    """Writes share a commit on SQLite; each keeps its own savepoint."""

    def failing(connection: sa.Connection) -> None:
        inbox.accept(connection, _message(ts="9.9", event_id="Ev9"), enqueue=lambda *_: None)
        raise ValueError

    good = [_accept(database, _message(ts=f"{n}.0", event_id=f"Ev{n}"), []) for n in range(20)]
    results = await asyncio.gather(database.write(failing), *good, return_exceptions=True)
    assert isinstance(results[0], ValueError)
    assert results[1:] == [True] * 20
    assert await database.read(lambda c: answers.find(c, "msg:T1:C1:9.9")) is None


async def _offer(database: Database, *, expires_in: timedelta = timedelta(hours=1)) -> None:
    await _accept(database, _message(), [])
    action = {"kind": "create_note", "target": {}, "fields": {"hs_note_body": "x"}, "summary": "s", "base": {}}
    await database.write(
        lambda c: proposals.offer(
            c, proposal_id="P1", team_id="T1", answer_id="msg:T1:C1:1.1", position=0, channel="C1", thread_ts="1.1",
            requested_by="U1", action=action, payload_hash=payload_hash(action),
            expires_at=(datetime.now(UTC) + expires_in).isoformat(timespec="milliseconds"),
        )
    )  # fmt: skip


def _approve(connection: sa.Connection, enqueued: Enqueued, **who: Any) -> str:
    clicker: dict[str, Any] = {"team_id": "T1", "by": MEMBER, "name": "camille", "terms": Terms()} | who

    def enqueue(_connection: sa.Connection, job: str, subject: str, partition: str) -> None:
        enqueued.append((job, subject, partition))

    return deciding.approve(connection, "P1", enqueue=enqueue, **clicker).verdict


async def test_fifty_clicks_at_once_approve_once(database: Database) -> None:
    """The compare-and-set guards, not the buttons."""
    await _offer(database)
    enqueued: Enqueued = []
    verdicts = await asyncio.gather(*(database.write(lambda c: _approve(c, enqueued)) for _ in range(50)))
    assert sorted(verdicts) == ["accepted"] + ["already"] * 49
    assert enqueued == [("perform", "P1", "P1")]


@pytest.mark.parametrize(
    ("who", "verdict"),
    [
        ({"team_id": "T2"}, "unknown_card"),
        ({"by": replace(MEMBER, user_id="U2")}, "not_allowed"),
        ({"by": replace(MEMBER, user_id="U2"), "terms": Terms(approvers=frozenset({"U2"}))}, "accepted"),
        ({"by": replace(MEMBER, kind="guest")}, "stranger"),
        ({"by": replace(MEMBER, kind="outsider")}, "stranger"),
        ({"by": replace(MEMBER, team_id="T2")}, "stranger"),
        ({"by": replace(MEMBER, team_id="T2"), "terms": Terms(approvers=frozenset({"U1"}))}, "stranger"),
    ],
)
async def test_only_those_who_may_decide_do(database: Database, who: dict[str, Any], verdict: str) -> None:
    """Another team's card is unknown; a colleague may not; a configured approver may; nobody who is no member of the
    card's team, though it be who asked for it."""
    await _offer(database)
    assert await database.write(lambda c: _approve(c, [], **who)) == verdict


@pytest.mark.parametrize(
    ("visitor", "offered"),
    [
        (MEMBER, 1),
        (replace(MEMBER, shared_channel=True), 0),
        (replace(MEMBER, kind="guest"), 0),
        (replace(MEMBER, kind="outsider", team_id="T2"), 0),
        (None, 0),
    ],
    ids=["member", "shared channel", "guest", "outsider", "nobody looked"],
)
async def test_only_who_is_trusted_is_offered_a_write(
    database: Database, visitor: Visitor | None, offered: int
) -> None:
    """Whatever the answer holds: as known when the message came in, and kept with it."""
    await _accept(database, _message(visitor=visitor), [])
    action = ProposedAction("create_note", Target("deal", "9001"), {"hs_note_body": "x"}, "Ajouter une note")
    answer = Answer(text="x", route=Route("rag", "ask", "q"), actions=(action,))
    row = await database.read(lambda c: answers.get(c, AnswerId("msg:T1:C1:1.1")))
    assert len(list(rules.rows_for(answer, row, terms=Terms(), now=datetime.now(UTC)))) == offered


async def test_yesterdays_card_writes_nothing(database: Database) -> None:
    """An expired proposal ends as expired, even when the clock has not passed yet."""
    await _offer(database, expires_in=timedelta(seconds=-1))
    assert await database.write(lambda c: _approve(c, [])) == "expired"
    assert (await database.read(lambda c: proposals.find(c, "P1")))["state"] == "expired"  # type: ignore[index]


async def test_what_was_shown_is_what_is_approved(database: Database) -> None:
    """A payload that no longer matches the hash of the card is refused."""
    await _offer(database)
    await database.write(lambda c: c.execute(sa.text("update proposal set payload_hash = 'other'")))
    assert await database.write(lambda c: _approve(c, [])) == "changed"


async def test_every_step_of_a_proposal_leaves_an_audit_row(database: Database) -> None:
    """Who did what, in order."""
    await _offer(database)
    await database.write(lambda c: _approve(c, []))
    rows = await database.read(lambda c: c.execute(sa.text("select event, actor from audit order by id")).all())
    assert [tuple(row) for row in rows] == [("offered", "U1"), ("approved", "U1")]


async def test_memory_is_the_threads_own_and_six_turns_long(database: Database) -> None:
    """Another thread and another team stay out; of five exchanges the last three remain."""
    for n in range(5):
        message = _message(ts=f"1.{n}", thread_ts="1.0", event_id=f"Ev{n}", text=f"question {n}")
        await _accept(database, message, [])
        await database.write(lambda c, i=message.answer_id, n=n: answers.thought(c, i, text=f"réponse {n}"))  # type: ignore[misc]
    await _accept(database, _message(ts="7.7", thread_ts="7.7", event_id="Ev77", text="autre fil"), [])
    await _accept(database, _message(team_id="T2", ts="1.3", thread_ts="1.0", event_id="EvT2", text="autre équipe"), [])
    last = _message(ts="1.9", thread_ts="1.0", event_id="Ev9", text="et donc ?")
    await _accept(database, last, [])
    turns = await database.read(lambda c: threads.history(c, answers.get(c, last.answer_id)))
    assert [turn.text for turn in turns] == [f"{what} {n}" for n in (2, 3, 4) for what in ("question", "réponse")]


async def test_a_migrated_database_has_exactly_the_declared_tables(database: Database) -> None:
    """The migrations and tables.py say the same."""
    found = set(sa.inspect(database.engine).get_table_names()) - {"alembic_version"}
    assert set(metadata.tables) <= found


async def test_a_second_migration_changes_nothing(url: str, database: Database) -> None:
    """Starting twice keeps every row."""
    await _accept(database, _message(), [])
    migrate_database(url)
    assert await database.read(lambda c: answers.find(c, "msg:T1:C1:1.1")) is not None
    assert utc_now() > "2026"


async def test_a_database_of_an_older_version_gets_the_newest_tables(tmp_path: Path) -> None:
    """And one that has them all is left as it is."""
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["url"] = url
    command.upgrade(config, "0004")
    engine = sa.create_engine(url, poolclass=sa.NullPool)

    def columns() -> set[str]:
        return {column["name"] for column in sa.inspect(engine).get_columns("answer")}

    assert "visitor" not in columns()
    migrate_database(url)
    assert "visitor" in columns()
    with engine.begin() as connection:
        connection.exec_driver_sql("alter table answer drop column visitor")
    migrate_database(url)
    assert "visitor" not in columns()


async def test_the_writer_outlives_a_locked_database_and_callers_who_left(tmp_path: Path) -> None:
    """Who waited is told, who left is forgotten, and the next write is kept: without its thread nothing would be."""
    url = migrated(tmp_path / "locked.sqlite3")
    database = Database(url)
    lock = sa.create_engine(url, poolclass=sa.NullPool)
    with lock.connect() as holder:
        holder.exec_driver_sql("BEGIN IMMEDIATE")
        waiting = [asyncio.create_task(database.write(lambda c: c.execute(sa.text("select 1")))) for _ in range(20)]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} <= {StoreUnavailable, asyncio.CancelledError}
    assert await asyncio.wait_for(_accept(database, _message(), []), timeout=60)
    database.close()
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(_accept(database, _message(event_id="Ev2", ts="2.2"), []), timeout=60)


async def test_what_was_remembered_first_stays(database: Database) -> None:
    """An answer that is ready and somebody who stops it, at once: one of them is told that it came too late."""
    message = _message()
    await _accept(database, message, [])
    first = await database.write(lambda c: answers.thought(c, message.answer_id, text="arrêtée"))
    second = await database.write(lambda c: answers.thought(c, message.answer_id, text="prête"))
    row = await database.read(lambda c: answers.get(c, message.answer_id))
    assert (first, second, row["text"]) == (True, False, "arrêtée")
