"""From a click to HubSpot and back, with the rows: written once, found again, undone, and true whatever happened."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import time_machine

from bot.ports import AnswerId, Visitor
from bot.proposals import deciding, execution
from bot.proposals.lifecycle import Terms, proposal_of, rows_of
from bot.store import inbox, proposals
from bot.store.database import Database
from bot.store.inbox import Inbound
from bot.store.tables import Row
from pipeline.action_types import ProposedAction
from tests.beginnings import migrated
from tests.hubspot_wire import MARTIN, Wire, action, hubspot_wire, notes, priority, update

ASKER = Visitor("member", "U1", "T1", shared_channel=False)
WHO: dict[str, Any] = {"team_id": "T1", "by": ASKER, "terms": Terms()}


@dataclass
class Office:
    """A database with one proposal, and the HubSpot that it is about."""

    database: Database
    wire: Wire
    jobs: list[tuple[str, str]]
    proposal_id: str = ""

    async def offer(self, said: ProposedAction) -> None:
        message = Inbound("T1", "Ev1", "C1", "channel", "1.1", "1.1", "U1", "note ça", visitor=ASKER)
        asked = {"team_id": "T1", "answer_id": message.answer_id, "channel": "C1", "thread_ts": "1.1"}
        asked |= {"asked_by": "U1", "question": "note ça"}

        def work(connection: sa.Connection) -> None:
            inbox.accept(connection, message, enqueue=lambda *_: None)
            for row in rows_of((said,), asked, terms=Terms(), now=datetime.now(UTC)):
                proposals.offer(connection, **row)

        await self.database.write(work)
        (row,) = await self.database.read(lambda c: proposals.of_answer(c, AnswerId("msg:T1:C1:1.1")))
        self.proposal_id = row["proposal_id"]

    async def approve(self) -> str:
        decision = await self.database.write(
            lambda c: deciding.approve(c, self.proposal_id, **WHO, name="Camille", enqueue=self.enqueue)
        )
        return decision.verdict

    async def resolve(self, *, there: bool) -> None:
        kept: dict[str, Any] = {"name": "Camille", "enqueue": self.enqueue, "seen_there": there}
        await self.database.write(lambda c: deciding.resolve(c, self.proposal_id, **WHO, **kept))

    async def undo(self) -> None:
        await self.database.write(lambda c: deciding.undo(c, self.proposal_id, **WHO, enqueue=self.enqueue))

    def enqueue(self, _connection: sa.Connection, job: str, subject: str, _partition: str) -> None:
        self.jobs.append((str(job), subject))

    async def work(self) -> Row:
        """Runs what was enqueued; the row as it stands then."""
        writer = self.wire.writer()
        for job, subject in self.jobs:
            run = execution.take_back if job == "undo" else execution.execute
            await run(self.database, writer, proposal_of(subject))
        self.jobs.clear()
        row = await self.database.read(lambda c: proposals.find(c, self.proposal_id))
        assert row is not None
        return row

    async def forget(self) -> None:
        """Last night's backup: offered, and nothing of what happened since."""
        values = {"state": "offered", "decided_by": None, "decided_at": None, "crm_id": None, "crm_url": None}
        await self.database.write(lambda c: c.execute(sa.update(proposals.t.proposal).values(**values)))
        await self.database.write(lambda c: c.execute(sa.text("delete from audit where event <> 'offered'")))


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
async def office(shared_wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setattr(execution, "RECONCILE_AFTER", (0.0, 0.0))
    shared_wire.reset()
    database = Database(migrated(tmp_path / "store.sqlite3"))
    yield Office(database, shared_wire, [])
    database.close()


async def test_a_restored_backup_writes_no_note_twice(office: Office) -> None:
    """The rows know nothing of the note that stands in HubSpot: a click on the old card finds it by its mark."""
    await office.offer(action())
    await office.approve()
    first = await office.work()
    await office.forget()
    assert await office.approve() == "accepted"
    row = await office.work()
    assert (row["state"], row["crm_id"]) == ("done", first["crm_id"])
    assert "rien n'a été écrit une seconde fois" in row["reason"]
    assert len(notes(office.wire)) == 1


async def test_a_restored_backup_sets_no_value_twice(office: Office) -> None:
    """The value stands already: said, and not written again."""
    await office.offer(await update(office.wire))
    await office.approve()
    await office.work()
    await office.forget()
    await office.approve()
    row = await office.work()
    assert row["state"] == "conflict"
    assert "vaut déjà" in row["reason"]
    assert office.wire.sent("PATCH") == 1


async def test_a_record_that_changed_since_is_a_conflict(office: Office) -> None:
    """Both values are told, nothing is written."""
    await office.offer(await update(office.wire))
    office.wire.crm.update("deals", MARTIN, {"hs_priority": "medium"}, source="CRM_UI")
    await office.approve()
    row = await office.work()
    assert row["state"] == "conflict"
    assert "medium" in row["reason"]
    assert priority(office.wire) == "medium"


async def test_an_undo_whose_answer_is_lost_is_read_back(office: Office) -> None:
    """HubSpot archived the note and breaks off, however often it is asked: it is undone, and says by whom."""
    await office.offer(action())
    await office.approve()
    await office.work()
    office.wire.crm.set_faults({"mode": "commit_then_drop", "count": 50})
    await office.undo()
    row = await office.work()
    assert (row["state"], row["undone_by"]) == ("undone", "U1")
    assert notes(office.wire) == []


async def test_an_undo_that_nobody_can_check_stays_written(office: Office) -> None:
    """Neither the archive nor a reading is answered well: the card says so, and its button stays."""
    await office.offer(action())
    await office.approve()
    await office.work()
    office.wire.crm.set_faults({"mode": "500", "count": 50, "on": "write"})
    await office.undo()
    row = await office.work()
    assert row["state"] == "done"
    assert "pas confirmé l'annulation" in row["reason"]
    assert len(notes(office.wire)) == 1


async def test_absent_is_looked_for_once_more_and_then_written(office: Office) -> None:
    """A 500 that wrote nothing: unknown, a person says so, one note."""
    await office.offer(action())
    office.wire.crm.set_faults({"mode": "500", "count": 1, "on": "write"})
    await office.approve()
    assert (await office.work())["state"] == "unknown"
    await office.resolve(there=False)
    row = await office.work()
    assert (row["state"], row["resolved_by"]) == ("done", "U1")
    assert len(notes(office.wire)) == 1


async def test_absent_said_of_what_is_there_writes_nothing(office: Office) -> None:
    """The person looked at the wrong deal, or too early."""
    await office.offer(action())
    office.wire.crm.set_faults({"mode": "500", "count": 1, "on": "write"})
    await office.approve()
    await office.work()
    approved = execution._approval(await office.work())
    await office.wire.writer().perform(action(), approved)  # HubSpot shows the first one at last
    await office.resolve(there=False)
    row = await office.work()
    assert (row["state"], bool(row["crm_id"])) == ("done", True)
    assert len(notes(office.wire)) == 1


@pytest.mark.parametrize("there", [True, False])
async def test_seen_is_done_and_located_where_it_can_be(office: Office, there: bool) -> None:
    """A person's word is taken; the link and the undo come where the note is found."""
    await office.offer(action())
    office.wire.crm.set_faults({"mode": "500", "count": 1, "on": "write"})
    await office.approve()
    row = await office.work()
    if there:
        await office.wire.writer().perform(action(), execution._approval(row))
    await office.resolve(there=True)
    row = await office.work()
    assert (row["state"], bool(row["crm_id"])) == ("done", there)
    assert len(notes(office.wire)) == int(there)


async def test_a_revoked_token_ends_at_once_and_is_named(office: Office) -> None:
    """Nobody waits for a token to come back: the setting is on the card."""
    await office.offer(action())
    office.wire.crm.set_faults({"mode": "401", "count": 50})
    await office.approve()
    row = await office.work()
    assert row["state"] == "failed"
    assert "HUBSPOT_TOKEN" in row["reason"]


@pytest.mark.parametrize("kind", ["note", "update"])
async def test_a_deal_that_was_deleted_is_said(office: Office, kind: str) -> None:
    """Between proposing and clicking."""
    await office.offer(action() if kind == "note" else await update(office.wire))
    office.wire.crm.archive("deals", MARTIN)
    await office.approve()
    row = await office.work()
    assert row["state"] == ("failed" if kind == "note" else "conflict")
    assert "n'existe p" in row["reason"]
    assert notes(office.wire) == []


async def test_an_option_that_vanished_is_said(office: Office) -> None:
    """An administrator took it away between proposing and clicking."""
    await office.offer(await update(office.wire))
    office.wire.crm.retire("deals", "hs_priority", "low")
    await office.approve()
    row = await office.work()
    assert row["state"] == "failed"
    assert "ne propose plus cette valeur" in row["reason"]
    assert priority(office.wire) == "high"


@pytest.mark.parametrize("kind", ["note", "update"])
async def test_nonsense_after_a_write_is_cleared_up_by_reading(office: Office, kind: str) -> None:
    """200 with something else: found where it was written, and once."""
    await office.offer(action() if kind == "note" else await update(office.wire))
    office.wire.crm.set_faults({"mode": "nonsense", "count": 1, "on": "write"})
    await office.approve()
    assert (await office.work())["state"] == "done"
    assert office.wire.sent("PATCH") + len(notes(office.wire)) == 1


@pytest.mark.parametrize(("hours", "verdict"), [(-1, "accepted"), (1, "accepted"), (25, "expired")])
async def test_a_clock_that_is_wrong_writes_once_or_not_at_all(office: Office, hours: int, verdict: str) -> None:
    """An hour off changes nothing but the moment that is told; beyond its end a proposal is expired."""
    await office.offer(action())
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=hours)):
        assert await office.approve() == verdict
    row = await office.work()
    assert row["state"] == ("done" if verdict == "accepted" else "expired")
    await office.approve()
    await office.work()
    assert len(notes(office.wire)) == (1 if verdict == "accepted" else 0)


@pytest.mark.parametrize("written", [True, False])
async def test_a_restored_proposal_ends_as_what_it_was(office: Office, written: bool) -> None:
    """Nobody clicks again: « expirée, rien n'a été écrit » would be false of one that was approved after the backup."""
    await office.offer(action())
    if written:
        await office.approve()
        await office.work()
        await office.forget()
    row = await office.work()
    assert await execution.expire(office.database, office.wire.writer(), row)
    row = await office.work()
    assert row["state"] == ("done" if written else "expired")
    assert not await execution.expire(office.database, office.wire.writer(), row)
