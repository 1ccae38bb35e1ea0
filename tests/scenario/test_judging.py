"""Under an answer: what it is worth, and why it says what it says, told in private to members who read it there."""

import io
import re
from typing import Any

import pytest
from pypdf import PdfReader

from tests.scenario.dropping import whispers
from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown
from tests.scenario.strangers import CLOSED, LEA, NO_MEMBER, press
from tests.scenario.test_choices import buttons
from tests.scenario.traces import RULES, rows

pytestmark = pytest.mark.usefixtures("good_day")


def answered(stage: Stage, text: str = RULES) -> tuple[str, dict[str, Any]]:
    """The thread, and its answer."""
    ts = stage.say(text)
    stage.answer(ts)
    return ts, stage.answers(ts)[-1]


def given(stage: Stage, ts: str) -> dict[str, str]:
    """Who said what of the thread's answers."""
    query = "select user_id, verdict from feedback join answer using (answer_id) where thread_ts = ?"
    return {row["user_id"]: row["verdict"] for row in rows(stage, query, ts)}


def test_an_answer_is_judged_and_the_judgement_changed(on_stage: Stage) -> None:
    """Each person for themselves, told in private what was kept."""
    ts, answer = answered(on_stage)
    assert list(buttons(answer))[-5:] == ["Utile", "Faux", "Incomplet", "Pourquoi ?", "PDF"]
    press(on_stage, answer, "feedback_useful", user=CAMILLE)
    press(on_stage, answer, "feedback_wrong", user=HUGO)
    on_stage.until(lambda: given(on_stage, ts) == {CAMILLE: "useful", HUGO: "wrong"}, "two verdicts")
    press(on_stage, answer, "feedback_incomplete", user=CAMILLE)
    on_stage.until(lambda: given(on_stage, ts)[CAMILLE] == "incomplete", "changed verdict")
    assert "noté : incomplet" in on_stage.until(lambda: whispers(on_stage, ts, user=CAMILLE), "whisper")
    assert "noté : incomplet" not in whispers(on_stage, ts, user=HUGO)


def test_why_is_told_in_private_in_the_thread(on_stage: Stage) -> None:
    """The plan, the sources with their prints, the model and the time."""
    ts, answer = answered(on_stage)
    press(on_stage, answer, "answer_why", user=CAMILLE)
    told = on_stage.until(lambda: whispers(on_stage, ts, user=CAMILLE), "explanation")
    for words in ("Pourquoi cette réponse", "Plan", "Recherche dans le corpus", "empreinte", "Modèle : aucun", "Temps"):
        assert words in told
    assert "Pourquoi cette réponse" not in whispers(on_stage, ts, user=HUGO)


def test_the_command_lists_the_last_answers_with_their_buttons(on_stage: Stage) -> None:
    """A command knows its channel and no thread."""
    answered(on_stage, "@bot Qu'est-ce que le dispositif Denormandie ?")
    on_stage.post("command", user=CAMILLE, channel=TOULON, command="/quartier", text="pourquoi")

    def listed() -> dict[str, Any] | None:
        found = on_stage.get("messages", channel=TOULON, user=CAMILLE)["messages"]
        return next((m for m in reversed(found) if "Mes dernières réponses ici" in shown(m)), None)

    message = on_stage.until(listed, "list")
    assert "Denormandie" in shown(message)
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=message["ts"], action_id="answer_why")

    def explained() -> bool:
        found = on_stage.get("messages", channel=TOULON, user=CAMILLE)["messages"]
        return any("Pourquoi cette réponse" in shown(m) for m in found)

    on_stage.until(explained, "explanation")


@NO_MEMBER
@pytest.mark.parametrize("action", ["feedback_wrong", "answer_why"])
def test_guests_and_outsiders_are_refused_in_private(on_stage: Stage, user: str, action: str) -> None:
    """Nothing is kept, nothing is told."""
    ts, answer = answered(on_stage)
    press(on_stage, answer, action, user=user)
    on_stage.until(lambda: CLOSED in whispers(on_stage, ts, user=user), "refusal")
    assert given(on_stage, ts) == {}
    assert "Pourquoi cette réponse" not in whispers(on_stage, ts, user=user)


def sheets(stage: Stage, ts: str) -> list[dict[str, Any]]:
    return [file for m in stage.thread(ts) for file in m.get("files") or [] if file["mimetype"] == "application/pdf"]


def test_an_answer_is_printed_once_with_its_sources(on_stage: Stage) -> None:
    """Asked for twice, it is there once; the pages say what the answer says, from where, and what they are not."""
    ts, answer = answered(on_stage)
    press(on_stage, answer, "answer_print", user=CAMILLE)
    (sheet,) = on_stage.until(lambda: sheets(on_stage, ts), "PDF")
    press(on_stage, answer, "answer_print", user=HUGO)
    on_stage.until(lambda: "déjà été demandé" in whispers(on_stage, ts, user=HUGO), "whisper")
    assert len(sheets(on_stage, ts)) == 1
    read = PdfReader(io.BytesIO(on_stage.http.get(sheet["permalink"]).content))
    said = " ".join(" ".join(page.extract_text() for page in read.pages).split())
    assert "Note d'information" in said
    assert "ni un conseil personnalisé" in said
    assert all(url in said.replace(" ", "") for url in re.findall(r"<(https://[^|>]+)\|", shown(answer))[:2])


def test_a_printed_answer_is_its_own_channels(on_stage: Stage) -> None:
    """The button's value forged into another channel's answer, and a guest's click: nothing is printed."""
    ts, answer = answered(on_stage)
    press(on_stage, answer, "answer_print", user=LEA)
    on_stage.until(lambda: "Seuls les membres" in whispers(on_stage, ts, user=LEA), "whisper")
    there = on_stage.say(RULES, channel="C0MARCHE")
    on_stage.answer(there, channel="C0MARCHE")
    forged = f"msg:T0AUBRAC1:C0MARCHE:{there}"
    click = {"user": CAMILLE, "channel": TOULON, "ts": answer["ts"], "action_id": "answer_print"}
    on_stage.post("click", **click, value=forged, forge=True)
    on_stage.until(lambda: "plus disponible" in whispers(on_stage, ts, user=CAMILLE), "whisper")
    assert not sheets(on_stage, ts)


def test_an_answer_is_stopped_while_it_is_made(on_stage: Stage) -> None:
    """Long before its slow source would have answered; nothing of it is published, and the thread goes on."""
    on_stage.post("faults", opendata={"mode": "slow", "count": 60, "seconds": 5, "service": "georisques"})
    try:
        ts = on_stage.say("@bot Quels risques à Hyères ? Note-le sur le dossier 9001")
        making = on_stage.until(
            lambda: next((m for m in on_stage.thread(ts) if "answer_stop" in shown(m)), None), "stop"
        )
        press(on_stage, making, "answer_stop", user=LEA)
        on_stage.until(lambda: "et les membres" in whispers(on_stage, ts, user=LEA), "whisper to a guest")
        press(on_stage, making, "answer_stop", user=HUGO)
        said = on_stage.answer(ts)
    finally:
        on_stage.post("faults")
    assert "arrêtée avant la fin" in said
    assert "answer_stopped" in on_stage.log.read_text(encoding="utf-8")  # given up, not waited for
    assert f"Arrêtée par <@{HUGO}>" in said
    on_stage.say("Mon client peut-il encore acheter en Pinel ?", thread=ts)
    assert "Pinel" in on_stage.answer(ts, count=2)
    assert not on_stage.cards(ts)
