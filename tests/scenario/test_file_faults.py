"""What goes wrong with a dropped file: unreadable, not Slack's, killed in the middle, heard of by half."""

import time

import pytest

from tests.scenario.dropping import about, note, said_of
from tests.scenario.stage import CAMILLE, TOULON, Stage, shown
from tests.scenario.traces import button, left_alone, lines, rows

pytestmark = pytest.mark.usefixtures("good_day")


def test_a_file_that_cannot_be_read_says_so_with_a_reference(on_stage: Stage) -> None:
    """A PDF that is none, Slack's sign-in page, a file deleted meanwhile: one sentence each, nothing indexed."""
    broken = on_stage.drop({"name": "abîmé.pdf", "text": "%PDF-1.4 rien"}, text="@bot pour info")
    locked = on_stage.drop(note("Pivoine"), text="@bot pour info")
    on_stage.post("faults", files_sign_in=1)
    for ts, words in ((locked, "files:read"), (broken, "abîmé.pdf")):
        card = on_stage.file(ts, "pas encore lu")
        on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
        told = shown(on_stage.file(ts, "Rien n'a été ajouté"))
        assert words in told
        assert "QS-" in told
        assert ("Réessayer" in told) == (ts == locked)
    assert said_of("Pivoine") not in on_stage.answer(on_stage.say(about("Pivoine")))
    assert len(lines(on_stage, "file_not_added")) >= 2
    card = on_stage.file(locked)
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_again")
    on_stage.file(locked, "Ajouté à mes sources")


def test_the_token_is_never_sent_to_another_host(on_stage: Stage) -> None:
    """A file whose address leads elsewhere is refused before any request."""
    elsewhere = {**note("Quetsche"), "download_url": "http://127.0.0.1:9/vol"}
    ts = on_stage.drop(elsewhere, text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
    assert "pas hébergé par Slack" in shown(on_stage.file(ts, "Rien n'a été ajouté"))


@pytest.mark.parametrize("seconds", [0.0, 0.4, 1.2])
def test_a_file_being_added_survives_kill_9(on_stage: Stage, seconds: float) -> None:
    """Killed so long after the click: one card, one source, and its passages are there."""

    subject = f"Réséda {seconds}".replace(".", "")
    ts = on_stage.drop(note(subject), text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    on_stage.post("faults", slow_files_ms=600)
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
    time.sleep(seconds)  # the fault itself: where the kill strikes
    on_stage.post("process", action="kill")
    on_stage.post("process", action="start")
    on_stage.file(ts, "Ajouté à mes sources")
    assert len(on_stage.files(ts)) == 1
    assert len(rows(on_stage, "select 1 from source where source_id = ? and state = 'ready'", button(card))) == 1
    assert not list((on_stage.log.parent / "uploads").glob("*"))
    assert said_of(subject) in on_stage.answer(on_stage.say(about(subject)))


def test_a_lone_mention_is_looked_up_for_its_files(on_stage: Stage) -> None:
    """An installation that hears mentions only: the message is loaded again, its file offered once."""
    ts = on_stage.drop(note("Sauge"), text="le règlement de la résidence Sauge")
    on_stage.until(lambda: left_alone(on_stage, ts, channel=TOULON, reason="not addressed"), "reason")
    mention = {
        "type": "app_mention", "user": CAMILLE, "ts": ts, "channel": TOULON, "team": "T0AUBRAC1",
        "text": f"<@{on_stage.bot}> Qu'est-ce que le Denormandie ?",
    }  # fmt: skip
    on_stage.post("emit", event=mention)
    on_stage.file(ts, "pas encore lu")
    assert "Denormandie" in on_stage.answer(ts)
    assert len(on_stage.files(ts)) == 1
