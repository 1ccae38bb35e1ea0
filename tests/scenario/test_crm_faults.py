"""No write without a click, and never two: each test lets HubSpot fail in one of its ways."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.scenario.stage import CAMILLE, Stage, shown
from tests.scenario.traces import NOTE, button, crm_writes, database_of, last_entry, rows, until_card_says

pytestmark = pytest.mark.usefixtures("good_day")


def test_no_write_without_a_click(on_stage: Stage) -> None:
    """From question to card, nothing but reads goes to the CRM; nor does a rejection write."""
    before = last_entry(on_stage)
    ts = on_stage.say(NOTE)
    card = on_stage.card(ts)
    on_stage.click(card, "reject")
    until_card_says(on_stage, ts, "rejetée")
    assert crm_writes(on_stage, after=before) == []
    on_stage.click(card, "approve", value=button(card), forge=True)
    on_stage.until(lambda: any("déjà été rejetée" in shown(m) for m in on_stage.thread(ts)), "whisper")
    assert crm_writes(on_stage, after=before) == []


def test_a_write_that_hubspot_kept_without_telling_is_done_once(on_stage: Stage) -> None:
    """commit_then_drop: found again by its mark, so the card says done and there is one note."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    on_stage.post("faults", hubspot={"mode": "commit_then_drop", "count": 1})
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.notes()) == before + 1


def test_a_busy_hubspot_is_waited_for(on_stage: Stage) -> None:
    """Two 429 with Retry-After on the write: done, once."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    on_stage.post("faults", hubspot={"mode": "429", "count": 2, "on": "write"})
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.notes()) == before + 1


def test_an_undo_that_failed_can_be_tried_again(on_stage: Stage) -> None:
    """HubSpot refuses the first one: the card says so, and its button still works."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    on_stage.click(on_stage.card(ts), "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    on_stage.post("faults", hubspot={"mode": "401", "count": 1, "on": "write"})
    on_stage.click(on_stage.cards(ts)[0], "undo")
    until_card_says(on_stage, ts, "annulation impossible")
    on_stage.click(on_stage.cards(ts)[0], "undo")
    until_card_says(on_stage, ts, "écrite puis annulée")
    assert len(on_stage.notes()) == before


def test_every_decision_leaves_an_audit(on_stage: Stage) -> None:
    """Offered, approved by whom, executing, done: in that order."""
    ts = on_stage.say(NOTE)
    card = on_stage.card(ts)
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    trail = rows(on_stage, "select actor, event from audit where subject = ? order by id", button(card))
    assert [line["event"] for line in trail] == ["offered", "approved", "executing", "done"]
    assert trail[1]["actor"] == CAMILLE


def test_a_restored_backup_is_true_and_writes_nothing_twice(on_stage: Stage) -> None:
    """Approved after the backup: the old row offers it again, the card follows it, and a click finds the note."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    on_stage.until(lambda: rows(on_stage, "select 1 from proposal where thread_ts = ? and card_ts <> ''", ts), "row")
    backup = on_stage.log.parent / "backup.sqlite3"
    with closing(sqlite3.connect(database_of(on_stage))) as live, closing(sqlite3.connect(backup)) as kept:
        live.backup(kept)
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    on_stage.post("process", action="stop")
    for left in ("-wal", "-shm"):
        Path(database_of(on_stage) + left).unlink(missing_ok=True)
    backup.replace(database_of(on_stage))
    on_stage.post("process", action="start")
    on_stage.click(on_stage.cards(ts)[0], "undo")
    on_stage.until(lambda: any("attend encore une décision" in shown(m) for m in on_stage.thread(ts)), "whisper")
    until_card_says(on_stage, ts, "rien n'est écrit sans validation")
    on_stage.click(on_stage.cards(ts)[0], "approve")
    until_card_says(on_stage, ts, "rien n'a été écrit une seconde fois")
    assert len(on_stage.notes()) == before + 1
    on_stage.click(on_stage.cards(ts)[0], "undo")
    until_card_says(on_stage, ts, "écrite puis annulée")
    assert len(on_stage.notes()) == before
