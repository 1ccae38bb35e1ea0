"""Clicks on proposals, on SQLite and PostgreSQL: versions, batches, reasons, and what a person found out."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from bot.ports import AnswerId, Visitor
from bot.proposals import deciding, versions
from bot.proposals.batches import BatchDecision, batch_key, decide_all
from bot.proposals.lifecycle import Decision, Terms, rows_of
from bot.store import channels, inbox, proposals
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.migrations import ROOT
from bot.store.tables import Row
from pipeline.action_types import ProposedAction, Target

pytest_plugins = ("tests.contract.databases",)

ANSWER = AnswerId("msg:T1:C1:1.1")
ASKER = Visitor("member", "U1", "T1", shared_channel=False)
COLLEAGUE = Visitor("member", "U2", "T1", shared_channel=False)
WHO: dict[str, Any] = {"team_id": "T1", "terms": Terms()}


def note(text: str) -> ProposedAction:
    return ProposedAction("create_note", Target("deal", "9001", "Martin"), {"hs_note_body": text}, f"Note : {text}")


async def offered(database: Database, *texts: str, expires_in: timedelta = timedelta(hours=1)) -> list[str]:
    """The ids of a question's proposals, in order."""
    message = Inbound("T1", "Ev1", "C1", "channel", "1.1", "1.1", "U1", "note ça", visitor=ASKER)
    asked = {"team_id": "T1", "answer_id": ANSWER, "channel": "C1", "thread_ts": "1.1", "asked_by": "U1"}

    def work(connection: sa.Connection) -> None:
        inbox.accept(connection, message, enqueue=lambda *_: None)
        terms = Terms(lifetime=expires_in)
        actions = tuple(map(note, texts))
        for row in rows_of(actions, {**asked, "question": "note ça"}, terms=terms, now=datetime.now(UTC)):
            proposals.offer(connection, **row, card_ts=f"9.{row['position']}")

    await database.write(work)
    return [row["proposal_id"] for row in await current(database)]


async def current(database: Database) -> list[Row]:
    return await database.read(lambda c: proposals.of_answer(c, ANSWER))


async def trail(database: Database, proposal_id: str) -> list[tuple[str, str]]:
    """(event, actor) of everything that happened to it."""
    query = sa.text("select event, actor from audit where subject = :id order by id")
    rows = await database.read(lambda c: c.execute(query, {"id": proposal_id}).all())
    return [(str(event), str(actor)) for event, actor in rows]


class Jobs:
    """What was enqueued."""

    def __init__(self) -> None:
        self.subjects: list[tuple[str, str]] = []

    def __call__(self, _connection: sa.Connection, job: str, subject: str, _partition: str) -> None:
        self.subjects.append((str(job), subject))


def approve(jobs: Jobs, by: Visitor = ASKER) -> Callable[[sa.Connection, str], Decision]:
    return lambda c, proposal_id: deciding.approve(c, proposal_id, **WHO, by=by, name="camille", enqueue=jobs)


def revise(proposal_id: str, text: str, by: Visitor = ASKER) -> Callable[[sa.Connection], Decision]:
    now = datetime.now(UTC)
    return lambda c: versions.revise(c, proposal_id, **WHO, by=by, action=note(text), now=now)


async def test_an_edit_is_the_next_version_on_the_same_card(database: Database) -> None:
    """Another id and another hash; the old one is kept, dead, and leads to the new one; the audit has both."""
    (first,) = await offered(database, "un")
    made = await database.write(revise(first, "deux"))
    (row,) = await current(database)
    assert made.row == row
    assert (row["version"], row["edited_by"], row["card_ts"], row["state"]) == (2, "U1", "9.0", "offered")
    old = await database.read(lambda c: proposals.find(c, first))
    assert old is not None
    assert (old["state"], old["superseded_by"]) == ("superseded", row["proposal_id"])
    assert old["action"]["fields"] == {"hs_note_body": "un"}
    assert old["payload_hash"] != row["payload_hash"]
    assert await database.read(lambda c: proposals.newest(c, first)) == row
    assert await trail(database, first) == [("offered", "U1"), ("superseded", "U1")]
    assert await trail(database, row["proposal_id"]) == [("offered", "U1")]


async def test_the_button_of_an_older_version_writes_nothing(database: Database) -> None:
    """Whoever still sees it: nothing is enqueued, and the newer version stays open."""
    (first,) = await offered(database, "un")
    await database.write(revise(first, "deux"))
    jobs = Jobs()
    decision = await database.write(lambda c: approve(jobs)(c, first))
    assert (decision.verdict, jobs.subjects) == ("already", [])
    assert [row["state"] for row in await current(database)] == ["offered"]


async def test_two_edits_at_once_make_one_version(database: Database) -> None:
    """The second one is told; it would otherwise undo the first without having read it."""
    (first,) = await offered(database, "un")
    verdicts = [(await database.write(revise(first, text))).verdict for text in ("deux", "trois")]
    assert verdicts == ["accepted", "already"]
    assert [row["action"]["fields"]["hs_note_body"] for row in await current(database)] == ["deux"]


@pytest.mark.parametrize("by", [COLLEAGUE, Visitor("guest", "U1", "T1", shared_channel=False)], ids=["other", "guest"])
async def test_who_may_not_decide_may_not_edit(database: Database, by: Visitor) -> None:
    """An edit is worth an approval: what it says is what is written next."""
    (first,) = await offered(database, "un")
    assert (await database.write(revise(first, "deux", by))).verdict in {"not_allowed", "stranger"}
    assert [row["proposal_id"] for row in await current(database)] == [first]


async def test_an_edit_after_the_end_changes_nothing(database: Database) -> None:
    """A modal left open overnight."""
    (first,) = await offered(database, "un", expires_in=timedelta(seconds=-1))
    assert (await database.write(revise(first, "deux"))).verdict == "expired"
    (row,) = await current(database)
    assert (row["proposal_id"], row["state"]) == (first, "expired")


async def test_an_edit_that_changes_nothing_makes_no_version(database: Database) -> None:
    """The card stays as it is, and says so."""
    (first,) = await offered(database, "un")
    assert (await database.write(revise(first, "un"))).verdict == "same"
    assert [row["version"] for row in await current(database)] == [1]


@pytest.mark.parametrize("state", ["conflict", "failed"])
async def test_what_could_not_be_written_is_edited_into_what_can(database: Database, state: str) -> None:
    """The record had changed, or HubSpot refused: nothing was written, so another version may be offered."""
    (first,) = await offered(database, "un")
    await database.write(lambda c: proposals.move(c, first, old="offered", new=state, actor="engine"))
    assert (await database.write(revise(first, "deux"))).verdict == "accepted"


@pytest.mark.parametrize("state", ["approved", "executing", "done", "unknown", "undoing", "undone", "rejected"])
async def test_what_was_or_may_be_written_is_not_edited(database: Database, state: str) -> None:
    """A second write beside the first is what nobody clicked for."""
    (first,) = await offered(database, "un")
    await database.write(lambda c: proposals.move(c, first, old="offered", new=state, actor="engine"))
    assert (await database.write(revise(first, "deux"))).verdict == "already"


async def test_all_are_approved_by_one_click_each_with_its_job(database: Database) -> None:
    """In their order; a second click on all changes nothing."""
    ids = await offered(database, "un", "deux", "trois")
    key, jobs = batch_key(await current(database)), Jobs()
    made = await database.write(lambda c: decide_all(c, key, team_id="T1", decide=approve(jobs)))
    assert [one.verdict for one in made.each] == ["accepted"] * 3
    assert jobs.subjects == [("perform", proposal_id) for proposal_id in ids]
    again = await database.write(lambda c: decide_all(c, key, team_id="T1", decide=approve(jobs)))
    assert (again.verdict, len(jobs.subjects)) == ("already", 3)


async def test_one_click_on_all_takes_those_that_still_wait(database: Database) -> None:
    """One was rejected before, one is out of time: the third is written, and each has its own outcome."""
    ids = await offered(database, "un", "deux", "trois")
    key, jobs = batch_key(await current(database)), Jobs()
    await database.write(lambda c: deciding.reject(c, ids[0], **WHO, by=ASKER, name="camille"))
    late = sa.text("update proposal set expires_at = '2020-01-01' where proposal_id = :id")
    await database.write(lambda c: c.execute(late, {"id": ids[1]}))
    made = await database.write(lambda c: decide_all(c, key, team_id="T1", decide=approve(jobs)))
    assert made.verdict == "accepted"
    assert [one.verdict for one in made.each] == ["already", "expired", "accepted"]
    assert jobs.subjects == [("perform", ids[2])]


async def test_a_version_that_was_not_shown_is_not_approved_with_the_others(database: Database) -> None:
    """Somebody edited one of them while the list stood on the screen: nothing is decided."""
    ids = await offered(database, "un", "deux")
    key, jobs = batch_key(await current(database)), Jobs()
    await database.write(revise(ids[0], "autre"))
    made = await database.write(lambda c: decide_all(c, key, team_id="T1", decide=approve(jobs)))
    assert (made.verdict, made.each, jobs.subjects) == ("changed", (), [])
    assert {row["state"] for row in await current(database)} == {"offered"}


async def test_another_teams_list_is_unknown(database: Database) -> None:
    """Nothing crosses teams."""
    await offered(database, "un", "deux")
    key, jobs = batch_key(await current(database)), Jobs()
    made = await database.write(lambda c: decide_all(c, key, team_id="T2", decide=approve(jobs)))
    assert made == BatchDecision("unknown_card")


async def test_an_approver_of_the_channel_decides_and_edits(database: Database) -> None:
    """Named by a member for this channel; elsewhere the same person may not."""
    (first,) = await offered(database, "un")
    put: dict[str, Any] = {"team_id": "T1", "by": "U1", "deals": "auto", "approvers": ["U2"]}
    await database.write(lambda c: channels.put(c, channel="C9", **put))
    jobs = Jobs()
    assert (await database.write(lambda c: approve(jobs, COLLEAGUE)(c, first))).verdict == "not_allowed"
    await database.write(lambda c: channels.put(c, channel="C1", **put))
    made = await database.write(revise(first, "deux", COLLEAGUE))
    assert made.row is not None
    newest = str(made.row["proposal_id"])
    assert (await database.write(lambda c: approve(jobs, COLLEAGUE)(c, newest))).verdict == "accepted"


async def test_a_reason_is_kept_with_who_gave_it(database: Database) -> None:
    """After the rejection, in the row and in the audit; not on anything that was not rejected."""
    first, other = await offered(database, "un", "deux")
    await database.write(lambda c: deciding.reject(c, first, **WHO, by=ASKER, name="camille"))

    def explain(connection: sa.Connection, proposal_id: str) -> Decision:
        return deciding.explain(connection, proposal_id, **WHO, by=ASKER, reason="Déjà fait")

    assert (await database.write(lambda c: explain(c, first))).verdict == "accepted"
    assert (await database.write(lambda c: explain(c, other))).verdict == "already"
    row = await database.read(lambda c: proposals.find(c, first))
    assert row is not None
    assert (row["state"], row["reason"]) == ("rejected", "Déjà fait")
    assert await trail(database, first) == [("offered", "U1"), ("rejected", "U1"), ("reason_given", "U1")]


@pytest.mark.parametrize(
    ("there", "state", "event"), [(True, "done", "seen_in_crm"), (False, "approved", "not_in_crm")]
)
async def test_what_nobody_knows_is_decided_by_a_person(
    database: Database, there: bool, state: str, event: str
) -> None:
    """Either way a job of its own follows: to find the link, or to look once more and write."""
    (first,) = await offered(database, "un")
    await database.write(lambda c: proposals.move(c, first, old="offered", new="unknown", actor="engine"))
    jobs = Jobs()

    def resolve(connection: sa.Connection, by: Visitor) -> Decision:
        kept: dict[str, Any] = {"name": "camille", "enqueue": jobs, "seen_there": there}
        return deciding.resolve(connection, first, **WHO, by=by, **kept)

    assert (await database.write(lambda c: resolve(c, COLLEAGUE))).verdict == "not_allowed"
    assert (await database.write(lambda c: resolve(c, ASKER))).verdict == "accepted"
    assert (await database.write(lambda c: resolve(c, ASKER))).verdict == "already"
    row = await database.read(lambda c: proposals.find(c, first))
    assert row is not None
    assert (row["state"], row["resolved_by"]) == (state, "U1")
    assert jobs.subjects == [("perform", f"{first}~1")]
    assert await trail(database, first) == [("offered", "U1"), ("unknown", "engine"), (event, "U1")]


async def test_who_takes_a_write_back_is_remembered(database: Database) -> None:
    """Not who approved it."""
    (first,) = await offered(database, "un")
    await database.write(lambda c: proposals.move(c, first, old="offered", new="done", actor="U7", decided_by="U7"))
    await database.write(lambda c: deciding.undo(c, first, **WHO, by=ASKER, enqueue=Jobs()))
    row = await database.read(lambda c: proposals.find(c, first))
    assert row is not None
    assert (row["decided_by"], row["undone_by"], bool(row["undone_at"])) == ("U7", "U1", True)


def test_older_proposals_survive_the_migration_both_ways(tmp_path: Path) -> None:
    """One from before is version 1; on the way back, the newest version of an edited one is what stays."""
    url = f"sqlite:///{tmp_path}/store.sqlite3"
    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["url"] = url
    command.upgrade(config, "0009")
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    answer = {"answer_id": "A1", "team_id": "T1", "thread_key": "C1:1", "channel": "C1", "channel_type": "channel"}
    answer |= {"thread_ts": "1", "asked_by": "U1", "question": "q", "asked_at": "x", "state": "published"}
    offer = {"team_id": "T1", "answer_id": "A1", "position": 0, "channel": "C1", "thread_ts": "1", "requested_by": "U1"}
    offer |= {"action": "{}", "payload_hash": "h", "state": "offered", "offered_at": "x", "expires_at": "x"}

    def insert(connection: sa.Connection, table: str, values: dict[str, Any]) -> None:
        names = ", ".join(values)
        connection.execute(sa.text(f"insert into {table} ({names}) values (:{', :'.join(values)})"), values)

    def kept(columns: str) -> list[tuple[Any, ...]]:
        with engine.connect() as connection:
            rows = connection.execute(sa.text(f"select {columns} from proposal order by proposal_id"))
            return [tuple(row) for row in rows]

    with engine.begin() as connection:
        insert(connection, "answer", answer)
        insert(connection, "proposal", {"proposal_id": "P1", **offer})
    command.upgrade(config, "0011")
    assert kept("proposal_id, version, superseded_by") == [("P1", 1, None)]
    with engine.begin() as connection:
        connection.execute(sa.text("update proposal set superseded_by = 'P2', state = 'superseded'"))
        insert(connection, "proposal", {"proposal_id": "P2", "version": 2, **offer})
    command.downgrade(config, "0009")
    assert kept("proposal_id, position") == [("P2", 0)]
