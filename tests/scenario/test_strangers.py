"""Promise 6: guests, outsiders and shared channels get public knowledge only. Their messages, read and answered."""

import pytest

from tests.scenario.dropping import about, add, note, said_of
from tests.scenario.stage import HUGO, Stage, shown
from tests.scenario.strangers import LEA, PAUL, REFUSAL, SHARED, UNTRUSTED, crm_calls, whole
from tests.scenario.traces import NOTE, RULES, last_entry, lines, one_answer, rows

pytestmark = pytest.mark.usefixtures("good_day")

DEAL = "@bot À quel stade est le dossier 9001 ?"
SECRETS = ("Martin", "au stade", "248 000")

# The message of an outsider and its twin.


@pytest.mark.parametrize("time", range(3))
def test_an_outsiders_message_is_answered_once(on_stage: Stage, time: int) -> None:
    """The outer team of his `message` is his own, that of its `app_mention` twin is ours, in any order: one claim."""
    ts = on_stage.say(RULES, user=PAUL, channel=SHARED)
    assert "Pinel" in whole(on_stage, ts, channel=SHARED)
    on_stage.until(lambda: lines(on_stage, "message_left_alone", ts=ts, reason="already claimed"), "twin left alone")
    assert len(on_stage.thread(ts, channel=SHARED)) == 1
    assert rows(on_stage, "select team_id, visitor, visitor_team from answer where answer_id like ?", f"%:{ts}") == [
        {"team_id": "T0AUBRAC1", "visitor": "outsider", "visitor_team": "T0VAUBAN1"}
    ]


def test_an_outsiders_file_gets_one_card_that_names_it(on_stage: Stage) -> None:
    """His event holds an id alone; `files.info` says what it is, and what it is not any more."""
    files = (note("Lavande", "acte.md"), {"name": "x.pdf", "mode": "tombstone"})
    ts = on_stage.drop(*files, text="@bot pour info", user=PAUL, channel=SHARED)
    named, gone = on_stage.until(
        lambda: found if len(found := on_stage.files(ts, channel=SHARED)) == 2 else None, "two cards"
    )
    assert "acte.md" in shown(named)
    assert "file_here" in shown(named)
    assert "n'est plus dans Slack" in shown(gone)
    assert "file_here" not in shown(gone)
    on_stage.until(lambda: lines(on_stage, "message_left_alone", ts=ts, reason="already claimed"), "twin left alone")
    assert len(on_stage.files(ts, channel=SHARED)) == 2


# Reading.


@UNTRUSTED
def test_the_crm_is_not_read(on_stage: Stage, user: str, channel: str) -> None:
    """A sentence says why; nothing of the deal, and HubSpot is not even asked."""
    before = last_entry(on_stage)
    ts = on_stage.say(DEAL, user=user, channel=channel)
    told = whole(on_stage, ts, channel=channel)
    assert REFUSAL in told
    assert not any(secret in told for secret in SECRETS)
    assert not crm_calls(on_stage, after=before)


def test_a_member_reads_it(on_stage: Stage) -> None:
    """The same question, and what the refusals above keep back."""
    ts = on_stage.say(DEAL)
    told = whole(on_stage, ts)
    assert all(secret in told for secret in SECRETS)
    assert REFUSAL not in told


@UNTRUSTED
def test_a_public_question_beside_it_is_answered(on_stage: Stage, user: str, channel: str) -> None:
    """Rules are for everybody; that HubSpot stays closed is said beside."""
    asked = "@bot Mon client peut-il encore acheter en Pinel ? Note la réponse sur le dossier 9001."
    ts = on_stage.say(asked, user=user, channel=channel)
    told = whole(on_stage, ts, channel=channel)
    assert "Pinel" in told
    assert told.count(REFUSAL) == 1


@UNTRUSTED
def test_prices_asked_together_with_a_deal_are_told(on_stage: Stage, user: str, channel: str) -> None:
    """Two questions in one message: the public one is answered, and why the other is not."""
    asked = f"{DEAL} Et quels sont les prix des appartements à Villeurbanne ?"
    told = whole(on_stage, on_stage.say(asked, user=user, channel=channel), channel=channel)
    assert "€/m²" in told
    assert told.count(REFUSAL) == 1
    assert not any(secret in told for secret in SECRETS)


@UNTRUSTED
def test_a_files_content_is_not_told(on_stage: Stage, user: str, channel: str) -> None:
    """Not even one that the whole team may be answered from; a member of the team is."""
    subject = "Myosotis"
    if not on_stage.get("messages", channel="C0PRIVE")["messages"]:
        dropped = on_stage.drop(note(subject), text="@bot pour info", channel="C0PRIVE")
        add(on_stage, dropped, scope="team", channel="C0PRIVE")
    assert said_of(subject) in one_answer(on_stage, on_stage.say(about(subject)))
    ts = on_stage.say(about(subject), user=user, channel=channel)
    told = whole(on_stage, ts, channel=channel)
    assert "37 euros" not in told
    assert "note.md" not in told


def test_a_threads_deal_is_remembered_for_members_alone(on_stage: Stage) -> None:
    """Tied by a colleague, in the guest's own channel; the guest's words tie none."""
    ts = on_stage.say(DEAL)
    whole(on_stage, ts)
    before = last_entry(on_stage)
    on_stage.say("@bot où en est ce dossier ?", user=LEA, thread=ts)
    on_stage.answer(ts, count=2)
    on_stage.say("@bot ajoute une note : à relire", user=LEA, thread=ts)
    told = on_stage.answer(ts, count=3)
    assert REFUSAL in told
    assert not crm_calls(on_stage, after=before)
    assert not on_stage.cards(ts)
    lone = on_stage.say("@bot --deal 9002 Le Pinel est-il encore ouvert ?", user=LEA)
    whole(on_stage, lone)
    assert rows(on_stage, "select deal_id from thread where thread_ts = ?", lone) == [{"deal_id": None}]


# Writing.


@UNTRUSTED
def test_no_write_is_proposed(on_stage: Stage, user: str, channel: str) -> None:
    """No card, no row, and the reason; what was asked is not promised either."""
    before = last_entry(on_stage)
    ts = on_stage.say(NOTE, user=user, channel=channel)
    told = whole(on_stage, ts, channel=channel)
    assert REFUSAL in told
    assert "Demande reçue" not in told
    assert not on_stage.cards(ts, channel=channel)
    assert not rows(on_stage, "select 1 from proposal where thread_ts = ?", ts)
    assert not crm_calls(on_stage, after=before)


# Slack's word.


def test_who_cannot_be_known_is_no_member(on_stage: Stage) -> None:
    """`users.info` does not answer in time: the CRM stays closed for this message, and is open for the next."""
    on_stage.post("faults", rate_limit={"users.info": 50}, retry_after_s=1)
    ts = on_stage.say(DEAL, user=HUGO)
    assert REFUSAL in whole(on_stage, ts)
    assert lines(on_stage, "visitor_unknown", user=HUGO)
    on_stage.post("faults")
    again = on_stage.say(DEAL, user=HUGO)
    assert "au stade" in whole(on_stage, again)


def test_it_is_asked_once_for_many_messages(on_stage: Stage) -> None:
    """What Slack said of a person is kept for some minutes."""
    whole(on_stage, on_stage.say(RULES))
    before = last_entry(on_stage)
    whole(on_stage, on_stage.say(RULES))
    entries = on_stage.get("log", after=before)["entries"]
    assert not [e for e in entries if e["summary"].startswith("users.info")]


def test_it_is_still_known_after_a_restart(on_stage: Stage) -> None:
    """Killed between the ack and the answer: the job has it from the row."""
    on_stage.post("faults", slow_api_ms=100)
    ts = on_stage.say(NOTE, user=PAUL, channel=SHARED)
    on_stage.until(lambda: rows(on_stage, "select 1 from answer where answer_id like ?", f"%:{ts}"), "kept message")
    on_stage.post("process", action="kill")
    on_stage.post("faults")
    on_stage.post("process", action="start")
    assert REFUSAL in whole(on_stage, ts, channel=SHARED)
    assert not on_stage.cards(ts, channel=SHARED)
