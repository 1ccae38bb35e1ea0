"""What nobody should send, and somebody will: each ends in a plain sentence or deliberate silence, and in the log."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, is_card, shown, stage
from tests.scenario.traces import change, crm_writes, last_entry, left_alone, lines, rows

PINGS = ("<!channel>", "<!here>", "<!everyone>", f"<@{CAMILLE}>", f"<@{HUGO}>")
OTHER_TEAM = "T0AUTRE"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@bot", "vide"),
        ("@bot \u200b\u2060", ""),
        ("@bot 😀 🎉 :house:", "émojis"),
        ("@bot ```\nrm -rf /\n```", "code"),
        ("@bot " + "prix à Toulon ? " * 2_500, "caractères"),
        ("@bot " + "é" * 40_000, "caractères"),
    ],
    ids=["empty", "invisible", "emoji", "code", "40,000 characters", "one word of 40,000"],
)
def test_a_message_that_asks_nothing_gets_a_plain_sentence(on_stage: Stage, text: str, expected: str) -> None:
    """One sentence that says what is missing; neither sources nor search, and one line in the log."""
    ts = on_stage.say(text)
    answer = on_stage.answer(ts)
    assert expected in answer
    assert "Sources" not in answer
    assert "QS-" not in answer, "an expected outcome is no technical error"
    on_stage.until(lambda: _answered(on_stage, ts), "log line")


def test_another_bots_message_is_left_alone(on_stage: Stage) -> None:
    """Two assistants that answer each other would never stop: silence, also when we are named."""
    ts = _say_as_bot(on_stage, f"<@{on_stage.bot}> quels sont les prix à Toulon ?")
    on_stage.until(lambda: left_alone(on_stage, ts, channel=TOULON, reason="subtype bot_message"), "log line")
    _assert_never_answered(on_stage, ts)


def test_an_edited_message_is_not_answered_twice(on_stage: Stage) -> None:
    """People correct their spelling; the answer that stands is the one to the question as it was asked."""
    ts = on_stage.say("@bot Qu'est-ce que le Denormandie ?")
    on_stage.answer(ts)
    on_stage.post("edit", user=CAMILLE, channel=TOULON, ts=ts, text=f"<@{on_stage.bot}> Et le Pinel ?")
    _until_left_alone(on_stage, ts, "message_changed")
    assert len(on_stage.thread(ts)) == 1
    assert "Denormandie" in shown(on_stage.thread(ts)[0])


def test_a_mention_added_by_an_edit_is_no_question(on_stage: Stage) -> None:
    """Slack itself sends no mention for it: silence."""
    ts = on_stage.say("Une remarque entre nous")
    on_stage.post("edit", user=CAMILLE, channel=TOULON, ts=ts, text=f"<@{on_stage.bot}> et le Pinel ?")
    _until_left_alone(on_stage, ts, "message_changed")
    _assert_never_answered(on_stage, ts)


def test_a_deleted_message_is_left_alone(on_stage: Stage) -> None:
    """The deletion is an event too, and asks for nothing."""
    ts = on_stage.say("Finalement non")
    on_stage.post("delete", user=CAMILLE, channel=TOULON, ts=ts)
    _until_left_alone(on_stage, ts, "message_deleted")
    assert not rows(on_stage, "select 1 from answer where answer_id like ?", f"%:{ts}")


def test_a_question_deleted_before_its_answer_still_ends_somewhere(on_stage: Stage) -> None:
    """The thread is gone before anything stands in it: the answer goes to the channel, and goes there once."""
    on_stage.post("process", action="stop")
    ts = on_stage.say("@bot Quel avenir pour le Denormandie ?")
    on_stage.post("delete", user=CAMILLE, channel=TOULON, ts=ts)
    on_stage.post("process", action="start")
    on_stage.until(lambda: _answered(on_stage, ts), "answer")
    (row,) = rows(on_stage, "select placeholder_ts, state from answer where answer_id like ?", f"%:{ts}")
    assert row["state"] == "published"
    posted = [m for m in _roots(on_stage) if m["ts"] == row["placeholder_ts"]]
    assert len(posted) == 1
    assert "Denormandie" in shown(posted[0])


def test_a_thread_whose_first_message_is_gone_goes_on(on_stage: Stage) -> None:
    """The root is a tombstone; memory is in our rows, so the follow-up knows what it follows."""
    ts = on_stage.say("@bot Qu'est-ce que le Denormandie ?")
    on_stage.answer(ts)
    on_stage.post("delete", user=CAMILLE, channel=TOULON, ts=ts)
    on_stage.say("approfondis ce point", thread=ts)
    assert "Denormandie" in on_stage.answer(ts, count=2)


def test_a_button_of_another_team_writes_nothing(on_stage: Stage) -> None:
    """The proposal of another workspace does not exist for this one, whoever clicks."""
    _card_then(on_stage, "update proposal set team_id = ? where proposal_id = ?", OTHER_TEAM, says="ne connais pas")


def test_a_button_of_yesterday_writes_nothing_and_loses_its_buttons(on_stage: Stage) -> None:
    """Expired at the click even before the clock has come round."""
    card = _card_then(
        on_stage,
        "update proposal set expires_at = ? where proposal_id = ?",
        "2026-01-01T00:00:00.000+00:00",
        says="expiré",
    )
    assert "expirée" in shown(card)
    assert "proposal_approve" not in shown(card)


def test_a_button_whose_content_was_tampered_with_writes_nothing(on_stage: Stage) -> None:
    """What was shown is what is executed: the stored hash no longer fits the stored content."""
    tampered = "update proposal set action = replace(action, 'balcon', ?) where proposal_id = ?"
    _card_then(on_stage, tampered, "piscine", says="ne correspond plus")


def test_a_button_that_never_was_is_answered(on_stage: Stage) -> None:
    """A made-up id is as good as none."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : un T3 avec balcon")
    before = last_entry(on_stage)
    on_stage.click(on_stage.card(ts), "approve", value="inventé", forge=True)
    on_stage.until(lambda: _whispered(on_stage, ts, "ne connais pas"), "whisper")
    assert not crm_writes(on_stage, after=before)


@pytest.mark.parametrize(
    "text",
    [
        "@bot ajoute une note sur le dossier 9001 : prévenir <!channel> et <!here> et @here, <b>vite</b> & bien",
        f"@bot ajoute une note sur le dossier 9001 : prévenir <@{HUGO}> < !channel> <https://exemple.fr|ici>",
        "@bot Le Pinel <!channel> <!here> @channel <b>existe</b>-t-il encore ?",
    ],
    ids=["pings", "a person and a link", "question"],
)
def test_nothing_that_is_repeated_pings_anybody(on_stage: Stage, text: str) -> None:
    """Neither the card, nor the answer, nor the note holds a live mention; HubSpot's HTML holds no tag of theirs."""
    before = len(on_stage.notes())
    ts = on_stage.say(text)
    on_stage.answer(ts)
    if "note" in text:
        card = on_stage.card(ts)
        on_stage.click(card, "approve")
        on_stage.until(lambda: len(on_stage.notes()) > before, "note")
        body = on_stage.notes()[-1]["properties"]["hs_note_body"]
        assert "<b>" not in body
        assert "<!" not in body
        assert "prévenir" in body.lower()
    for message in on_stage.thread(ts):
        said = shown(message) if not is_card(message) else shown(message).replace(f"par <@{CAMILLE}>", "")
        assert not [ping for ping in PINGS if ping in said]


def test_a_wrong_hubspot_token_is_said_and_offers_nothing(on_stage: Stage, good_day: None) -> None:
    """The sentence names the setting; no card, nothing written."""
    on_stage.post("faults", hubspot={"mode": "401", "count": 100})
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : bonjour")
    answer = on_stage.answer(ts)
    assert "HUBSPOT_TOKEN" in answer
    assert "aucune écriture" in answer
    assert not on_stage.cards(ts)


def test_a_token_revoked_between_card_and_click_ends_on_the_card(on_stage: Stage, good_day: None) -> None:
    """The click is kept, the refusal is told, nothing was written."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : bonjour")
    card, before = on_stage.card(ts), len(on_stage.notes())
    on_stage.post("faults", hubspot={"mode": "401", "count": 100})
    on_stage.click(card, "approve")
    on_stage.until(lambda: "non écrite" in shown(on_stage.cards(ts)[0]), "failed card")
    assert "HUBSPOT_TOKEN" in shown(on_stage.cards(ts)[0])
    assert len(on_stage.notes()) == before


def test_an_unreachable_model_falls_back_and_says_so(tmp_path: Path) -> None:
    """The provider's port is closed: the answer comes from the sources alone, and the footer names the reason."""
    with stage(tmp_path, OPENAI_BASE_URL="http://127.0.0.1:9/v1", OPENAI_API_KEY="sk-invalide") as ready:
        ts = ready.say("@bot Mon client peut-il encore acheter en Pinel ?")
        answer = ready.answer(ts)
        assert "Sources" in answer
        assert "odèle" in answer
        assert "QS-" not in answer
        assert "sk-invalide" not in ready.log.read_text()


def test_a_bot_without_hubspot_token_offers_no_write_and_says_so(tmp_path: Path) -> None:
    """An empty HUBSPOT_TOKEN switches the CRM off; the footer names it."""
    command = ("--", "env", "HUBSPOT_TOKEN=", sys.executable, "-m", "bot", "run")
    with stage(tmp_path, options=command) as ready:
        ts = ready.say("@bot Mon client peut-il encore acheter en Pinel ?")
        assert "HubSpot non connecté" in ready.answer(ts)
        ready.say("note ce résultat sur le dossier 9002", thread=ts)
        ready.answer(ts, count=2)
        assert not ready.cards(ts)


def _card_then(on_stage: Stage, statement: str, value: str, *, says: str) -> dict[str, object]:
    """Offers a note, changes its row, clicks: the sentence that comes, nothing written; the card as it stands then."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : un T3 avec balcon")
    card = on_stage.card(ts)
    button = _button(on_stage, card)
    on_stage.until(
        lambda: rows(on_stage, "select 1 from proposal where proposal_id = ? and card_ts <> ''", button), "row"
    )
    assert change(on_stage, statement, value, button) == 1
    before = last_entry(on_stage)
    on_stage.click(card, "approve")
    on_stage.until(lambda: _whispered(on_stage, ts, says), f"whisper « {says} »")
    assert not crm_writes(on_stage, after=before)
    assert lines(on_stage, "click", by=CAMILLE)
    return on_stage.cards(ts)[0]


def _button(on_stage: Stage, card: dict[str, object]) -> str:
    blocks = card["blocks"]
    assert isinstance(blocks, list)
    return next(str(e["value"]) for b in blocks if b["type"] == "actions" for e in b["elements"])


def _whispered(on_stage: Stage, ts: str, words: str) -> bool:
    return any(words in shown(m) for m in on_stage.thread(ts) if m.get("ephemeral_to") == CAMILLE)


def _answered(on_stage: Stage, ts: str) -> bool:
    done = "select 1 from answer where answer_id like ? and state = 'published'"
    return bool(rows(on_stage, done, f"%:{ts}")) and bool(
        [line for line in lines(on_stage, "answered") if line["answer_id"].endswith(ts)]
    )


def _roots(on_stage: Stage) -> list[dict[str, object]]:
    return list(on_stage.get("messages", channel=TOULON)["messages"])


def _say_as_bot(on_stage: Stage, text: str) -> str:
    return str(on_stage.post("say", as_bot="Autre assistant", channel=TOULON, text=text)["ts"])


def _until_left_alone(on_stage: Stage, ts: str, subtype: str) -> None:
    """Slack told of a change of the message `ts`; the bot's log says that this event was left alone."""

    def look() -> bool:
        sent = [e["detail"]["event"] for e in on_stage.get("log")["entries"] if e["kind"] == "event"]
        about = [e for e in sent if e.get("subtype") == subtype and ts in (e.get("deleted_ts"), _message_ts(e))]
        return any(left_alone(on_stage, e["ts"], channel=TOULON, reason=f"subtype {subtype}") for e in about)

    on_stage.until(look, f"log line « {subtype} »")


def _message_ts(event: dict[str, Any]) -> str:
    return str((event.get("message") or {}).get("ts"))


def _assert_never_answered(on_stage: Stage, ts: str) -> None:
    """A later question in the same channel is answered; this one has left neither row nor reply."""
    on_stage.answer(on_stage.say("@bot bonjour"))
    assert not rows(on_stage, "select 1 from answer where answer_id like ?", f"%:{ts}")
    assert not [m for m in on_stage.thread(ts) if m["ts"] != ts]
