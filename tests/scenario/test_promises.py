"""Promises of DESIGN section 1, each tried by breaking on purpose what it rests on."""

import json
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.scenario.stage import CAMILLE, TOULON, Stage, shown, stage
from tests.scenario.traces import (
    NOTE,
    RULES,
    change,
    crm_writes,
    database_of,
    last_entry,
    lines,
    one_answer,
    rows,
    says,
    state_of,
    unacked,
    until_card_says,
)

pytestmark = pytest.mark.usefixtures("good_day")

MISSING_PRICES = re.compile(
    r"[^.\n]*(?:prix|Cerema|DVF)[^.\n]*(?:pas|aucun|indisponible|injoignable|saturé)", re.IGNORECASE
)
SECRETS = ("xoxb-bac-a-sable", "xapp-bac-a-sable", "pat-")


@pytest.fixture(scope="module", autouse=True)
def unconfirmed(on_stage: Stage) -> str:
    """A write that HubSpot answers with 500: the search for it takes 25 s, during which the other tests run."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 9003 : sans confirmation")
    card = on_stage.card(ts)
    on_stage.post("faults", hubspot={"mode": "500", "count": 1, "on": "write"})
    on_stage.click(card, "approve")
    on_stage.until(lambda: lines(on_stage, "click"), "decision")
    on_stage.until(lambda: any("POST /crm/v3/objects/notes" in w for w in crm_writes(on_stage)), "attempt")
    return ts


def slack(stage: Stage, method: str, **arguments: Any) -> Any:
    """A Web API call with the bot's own token, as an administrator's script would make it."""
    answer = httpx.post(
        f"{stage.http.base_url}/api/{method}",
        json=arguments,
        headers={"Authorization": "Bearer xoxb-bac-a-sable"},
        trust_env=False,
    ).json()
    assert answer["ok"], answer
    return answer


# 1. Never silent.


def test_never_silent_when_somebody_deletes_the_placeholder(on_stage: Stage) -> None:
    """The answer is still owed: it is posted anew, once."""
    on_stage.post("faults", opendata={"mode": "slow", "seconds": 3, "count": 1, "service": "dvf"})
    ts = on_stage.say("@bot Quels sont les prix des appartements à Nantes ?")
    placeholder = on_stage.until(lambda: next(iter(on_stage.thread(ts)), None), "placeholder")
    slack(on_stage, "chat.delete", channel=TOULON, ts=placeholder["ts"])
    assert "Nantes" in one_answer(on_stage, ts)


def test_never_silent_when_something_breaks_inside(on_stage: Stage) -> None:
    """The thread's memory is damaged: a plain sentence with a reference, and the error under it in the log."""
    ts = on_stage.say(RULES)
    one_answer(on_stage, ts)
    change(on_stage, "update answer set communes = ? where answer_id like ?", "{abîmé", f"%:{ts}")
    on_stage.say("approfondis ce point", thread=ts)
    told = on_stage.answer(ts, count=2)
    reference = re.search(r"QS-[0-9A-F]{8}", told)
    assert reference is not None
    assert "erreur technique" in told
    assert lines(on_stage, "reply_failed", reference=reference.group())


def test_never_silent_when_the_cards_cannot_be_shown(on_stage: Stage) -> None:
    """The answer that is out stays; a second message says that its proposal is missing, and nothing is written."""
    before = last_entry(on_stage)
    on_stage.post("faults", rate_limit={"chat.update": 2})
    ts = on_stage.say(NOTE)
    broken = "update proposal set action = '{}' where answer_id like ?"
    on_stage.until(lambda: change(on_stage, broken, f"%:{ts}"), "proposal row")
    told = on_stage.answer(ts, count=2)
    assert "Je propose" in shown(on_stage.answers(ts)[0])
    assert "QS-" in told
    assert "rien n'a été écrit" in told
    assert not crm_writes(on_stage, after=before)


# 2. Acked means kept.


@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.1, 0.3, 0.6])
def test_acked_means_kept_under_kill_9(on_stage: Stage, seconds: float) -> None:
    """Killed so long after the question, before or after the ack: answered exactly once."""
    on_stage.post("faults", retry_delays=[0.1] * 500, slow_api_ms=60)
    asked = [on_stage.say(RULES), on_stage.say("Qu'est-ce que le Denormandie ?", channel="D0CAMILLE")]
    time.sleep(seconds)  # the fault itself: where the kill strikes
    on_stage.post("process", action="kill")
    on_stage.post("process", action="start")
    one_answer(on_stage, asked[0])
    on_stage.answer(asked[1], channel="D0CAMILLE")
    on_stage.until(lambda: state_of(on_stage, asked[1]) == "published", "published row")
    assert len(on_stage.thread(asked[1], channel="D0CAMILLE")) == 1


def test_acked_means_kept_over_an_orderly_stop(on_stage: Stage) -> None:
    """SIGTERM in the middle of a reply: no apology flashes up, and the answer comes after the start."""
    on_stage.post("faults", opendata={"mode": "slow", "seconds": 20})
    ts = on_stage.say("@bot Quels sont les prix des maisons à Montpellier ?")
    on_stage.until(lambda: state_of(on_stage, ts) == "placed", "placed row")
    on_stage.post("process", action="stop")
    assert "QS-" not in "".join(shown(m) for m in on_stage.thread(ts))
    on_stage.post("faults")
    on_stage.post("process", action="start")
    assert "Montpellier" in one_answer(on_stage, ts)


def test_a_click_is_kept_under_kill_9(on_stage: Stage) -> None:
    """Approved, then killed: the note is written once, and the card says so."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    on_stage.post("faults", slow_api_ms=100)
    assert on_stage.click(card, "approve")["acked"]
    on_stage.post("process", action="kill")
    on_stage.post("process", action="start")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.notes()) == before + 1


def test_a_write_under_way_survives_kill_9(on_stage: Stage) -> None:
    """Killed while HubSpot, which has written already, is still answering: found by its mark, not written again."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    on_stage.post("faults", hubspot={"mode": "slow", "count": 1, "on": "write", "seconds": 4})
    on_stage.click(card, "approve")
    on_stage.until(lambda: len(on_stage.notes()) == before + 1, "note")
    on_stage.post("process", action="kill")
    on_stage.post("process", action="start")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.notes()) == before + 1


def test_nothing_is_acked_while_the_database_is_locked(on_stage: Stage) -> None:
    """No row, no ack: Slack delivers again, and the question is answered once when the lock is gone."""
    on_stage.post("faults", retry_delays=[0.2] * 500)
    lock = sqlite3.connect(database_of(on_stage), isolation_level=None, timeout=30)
    lock.execute("begin immediate")
    try:
        before = last_entry(on_stage)
        ts = on_stage.say(RULES)
        on_stage.until(lambda: unacked(on_stage, after=before), "delivery without ack")
        assert not on_stage.thread(ts)
    finally:
        lock.execute("rollback")
        lock.close()
    one_answer(on_stage, ts)


# 7. Degrade honestly.


@pytest.mark.parametrize(
    ("mode", "commune"),
    [
        ("down", "Toulon"),
        ("429", "Villeurbanne"),
        ("html", "Nantes"),
        ("half_json", "Bordeaux"),
        ("empty", "Lille"),
        ("slow", "Saint-Étienne"),
    ],
)
def test_degrade_honestly_when_the_price_service_fails(on_stage: Stage, mode: str, commune: str) -> None:
    """The rest of the answer comes, without a price, and the missing source is named."""
    on_stage.post("faults", opendata={"mode": mode, "count": 50, "seconds": 600})
    ts = on_stage.say(f"@bot Acheter en LMNP à {commune} : quels prix, et quelle fiscalité à la revente ?")
    answer = one_answer(on_stage, ts)
    assert "LMNP" in answer
    assert "€/m²" not in answer
    assert MISSING_PRICES.search(answer), answer


def test_a_record_that_shares_the_words_of_what_nobody_holds_is_no_answer(on_stage: Stage) -> None:
    """The boxes of a tax form: the ceiling of the same regime is no answer to that."""
    answer = on_stage.answer(on_stage.say("@bot Donne-moi les cases exactes de la 2042-C-PRO pour un LMNP"))
    assert "[1]" not in answer
    assert "€" not in answer


def test_degrade_honestly_when_the_index_cannot_be_opened(tmp_path: Path) -> None:
    """The bot starts, answers what needs no article, and names what is missing."""
    (tmp_path / "corpus.sqlite3").mkdir()
    with stage(tmp_path) as ready:
        conceptual = ready.answer(ready.say(RULES))
        assert "base documentaire" in conceptual
        assert "QS-" not in conceptual
        assert "€/m²" in ready.answer(ready.say("@bot Quels sont les prix à Toulon ?"))


def test_a_damaged_index_is_begun_anew_beside_its_copy(tmp_path: Path) -> None:
    """A file that is no database costs its articles no restart and no hand; what it held is not deleted."""
    (tmp_path / "corpus.sqlite3").write_bytes(b"abime" * 5_000)
    with stage(tmp_path) as ready:
        assert "[1]" in ready.answer(ready.say(RULES))
    (aside,) = tmp_path.glob("corpus.sqlite3.illisible-*")
    assert aside.read_bytes() == b"abime" * 5_000


# 9. Every answer leaves a record.


def test_every_answer_leaves_a_record(on_stage: Stage) -> None:
    """Question, route, evidence with hashes, model, time, who asked; and the audit of who clicked what."""
    ts = on_stage.say("@bot Quels sont les prix à Nantes, et que dit le PPRI ?")
    one_answer(on_stage, ts)
    (row,) = rows(on_stage, "select * from answer where answer_id like ?", f"%:{ts}")
    record = json.loads(row["record"])
    assert row["question"] == "Quels sont les prix à Nantes, et que dit le PPRI ?"
    assert row["asked_by"] == CAMILLE
    assert record["route"]["mode"] == "rag+tools"
    assert {e["source"].split(":")[0] for e in record["evidence"]} == {"passage", "tool"}
    assert all(len(e["sha256"]) == 64 for e in record["evidence"])
    assert row["model"]
    assert row["seconds"] > 0
    assert record["figures_checked"] > 0


# 4. No write without a click: the other tests are in test_crm_faults.


def test_a_hubspot_error_ends_honestly_and_is_never_written_twice(on_stage: Stage, unconfirmed: str) -> None:
    """500 may come from a proxy that passed the request on: looked for, not found, said so. A second attempt would
    have met no fault and left a note; only a person who looked may ask for one."""
    on_stage.until(lambda: says(on_stage, unconfirmed, "regardez dans HubSpot"), "unknown outcome")

    def written() -> int:
        return sum("Sans confirmation" in note["properties"]["hs_note_body"] for note in on_stage.notes())

    assert written() == 0
    on_stage.click(on_stage.cards(unconfirmed)[0], "absent")
    until_card_says(on_stage, unconfirmed, "écrite, validée")
    assert written() == 1


def test_no_secret_reaches_the_log(on_stage: Stage) -> None:
    """After all of the above, faults included."""
    written = on_stage.log.read_text()
    assert not [secret for secret in SECRETS if secret in written]
    assert "relire le bail" not in written
