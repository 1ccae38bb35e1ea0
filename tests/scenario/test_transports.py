"""The main journey, word for word the same, over every way in: signed HTTP events, and a model behind the API."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from slack_sdk.signature import SignatureVerifier

from tests.loopback import served
from tests.scenario.stage import Stage, shown, stage
from tests.scenario.traces import RULES, button, lines, rows, until_card_says
from tests.scripted_openai import Log, application


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The bot serves signed events; it never opens a socket to Slack. Nothing stands there before it."""
    with stage(tmp_path_factory.mktemp("http"), options=("--http",), first=True) as ready:
        yield ready


@pytest.fixture(scope="module")
def model() -> Iterator[tuple[str, Log]]:
    """A scripted provider on loopback: its address, and what it was asked."""
    log = Log()
    with served(application(log)) as url:
        yield f"{url}/v1", log


@pytest.fixture(scope="module")
def with_model(tmp_path_factory: pytest.TempPathFactory, model: tuple[str, Log]) -> Iterator[Stage]:
    """The bot in Socket Mode with OPENAI_BASE_URL, and no key: local servers want none."""
    with stage(tmp_path_factory.mktemp("model"), OPENAI_BASE_URL=model[0], OPENAI_MODEL="scripted") as ready:
        yield ready


def journey(on: Stage) -> str:
    """Question, follow-up without mention, note on a deal, click, note in the CRM, second click; the thread's ts."""
    before = len(on.notes())
    ts = on.say("@bot Un T3 en LMNP à Villeurbanne : quels prix, et quelle fiscalité à la revente ?")
    first = on.answer(ts)
    assert re.search(r"\[\d+\]", first)
    assert "Sources" in first
    assert "Villeurbanne" in first
    on.say("approfondis ce point", thread=ts)
    assert "LMNP" in on.answer(ts, count=2)
    on.say("note ce résultat sur le dossier 9002", thread=ts)
    card = on.card(ts)
    assert len(on.notes()) == before, "no click, no write"
    assert on.click(card, "approve")["acked"]
    until_card_says(on, ts, "écrite, validée")
    assert len(on.notes()) == before + 1
    assert "9002" in on.notes()[-1]["associations"]["deals"]
    assert on.click(card, "approve", value=button(card), forge=True)["acked"]
    on.until(lambda: any("déjà été" in shown(m) for m in on.thread(ts)), "whisper")
    assert len(on.notes()) == before + 1
    return ts


def test_the_journey_over_signed_http_events(over_http: Stage) -> None:
    """Events, clicks and their acks travel as signed requests."""
    assert over_http.get("state")["transport"]["mode"] == "http"
    journey(over_http)


def test_an_http_event_with_a_wrong_signature_has_no_effect(over_http: Stage) -> None:
    """A stranger who knows the address: 401, no row, no answer; a replay of an old signature likewise."""
    url, _ = _events_url(over_http)
    event = {"type": "message", "channel": "D0CAMILLE", "user": "U0CAMILLE", "ts": "99.1", "text": "bonjour"}
    body = {"type": "event_callback", "team_id": "T0AUBRAC1", "event_id": "EvFaux", "event": event}
    for headers in ({}, {"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1"}):
        assert httpx.post(url, json=body, headers=headers, trust_env=False).status_code == 401
    assert not rows(over_http, "select 1 from inbound_event where event_id = ?", "EvFaux")


SIGNED: dict[str, tuple[str, str]] = {
    "no JSON": ("application/json", "{"),
    "a list": ("application/json", "[1]"),
    "an event that is a number": ("application/json", '{"type": "event_callback", "event": 3}'),
    "no payload's JSON": ("application/x-www-form-urlencoded", "payload=%7B"),
    "actions that are none": (
        "application/x-www-form-urlencoded", "payload=" + quote('{"type": "block_actions", "actions": [{"value": 1}]}')
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNED)
def test_what_slack_would_never_send_gets_a_400(over_http: Stage, name: str) -> None:
    """Rightly signed: a 500 would have Slack send the same again."""
    kind, body = SIGNED[name]
    url, values = _events_url(over_http)
    headers = SignatureVerifier(values["SLACK_SIGNING_SECRET"])
    moment = str(int(time.time()))
    signature = headers.generate_signature(timestamp=moment, body=body) or ""
    signed = {"X-Slack-Request-Timestamp": moment, "X-Slack-Signature": signature}
    answer = httpx.post(url, content=body, headers={"Content-Type": kind, **signed}, trust_env=False)
    assert answer.status_code == 400
    late = {**signed, "X-Slack-Request-Timestamp": "hier"}
    assert httpx.post(url, content="{}", headers=late, trust_env=False).status_code == 400
    assert httpx.post(url, content=b"x" * 1_100_000, headers=signed, trust_env=False).status_code == 413


@pytest.mark.parametrize("action", ["stop", "kill"])
def test_http_events_said_while_the_bot_is_away_are_answered(over_http: Stage, action: str) -> None:
    """Slack's redelivery and our rows: the follow-up knows its thread after the restart."""
    ts = over_http.say("@bot Que dit le dispositif Denormandie sur les travaux ?")
    over_http.answer(ts)
    over_http.post("process", action=action)
    over_http.say("approfondis ce point", thread=ts)
    over_http.post("process", action="start")
    assert "Denormandie" in over_http.answer(ts, count=2)


def test_the_journey_with_a_model(with_model: Stage, model: tuple[str, Log]) -> None:
    """Streamed drafts pass the same gate; the record names the model, and no footer says that there is none."""
    asked_before = len(model[1].requests)
    ts = journey(with_model)
    assert len(model[1].requests) > asked_before
    (row,) = rows(with_model, "select model from answer where answer_id like ?", f"%:{ts}")
    assert "scripted" in row["model"]
    assert "Sans modèle" not in shown(with_model.answers(ts)[0])


def test_a_model_sees_no_personal_data_it_does_not_need(with_model: Stage, model: tuple[str, Log]) -> None:
    """An IBAN, an e-mail address and a telephone number in the question are masked on their way out."""
    private = ("FR76 3000 6000 0112 3456 7890 189", "jean.martin@exemple.fr", "06 12 34 56 78")
    ts = with_model.say(f"@bot Le Pinel existe-t-il encore pour mon client ({', '.join(private)}) ?")
    with_model.answer(ts)
    sent = str(model[1].requests)
    assert not [text for text in private if text in sent]
    assert not [text for text in private if text in with_model.log.read_text()]


@pytest.mark.parametrize("misbehaviour", ["fail-429", "fail-500", "malformed", "empty", "cut", "obedient"])
def test_a_model_that_misbehaves_costs_the_model_not_the_answer(
    with_model: Stage, model: tuple[str, Log], misbehaviour: str
) -> None:
    """The sources answer in its place, or its sentences fall at the gate; nobody sees a technical error. The next
    question is the model's again."""
    log = model[1]
    asked_before, log.misbehaves = len(log.requests), misbehaviour
    answer = with_model.answer(with_model.say(RULES))
    log.misbehaves = ""
    assert len(log.requests) > asked_before
    assert "Pinel" in answer
    assert "Sources" in answer
    assert "QS-" not in answer
    assert not lines(with_model, "reply_failed")
    ts = with_model.say(RULES)
    with_model.answer(ts)
    (row,) = rows(with_model, "select model from answer where answer_id like ?", f"%:{ts}")
    assert "scripted" in row["model"]


def _events_url(on: Stage) -> tuple[str, dict[str, str]]:
    """Where the bot listens, and its environment: the sandbox chose the port and the secret and told only the bot."""
    pid = on.get("state")["process"]["pid"]
    environment = Path(f"/proc/{pid}/environ")
    if not environment.exists():
        pytest.skip(f"no /proc on {sys.platform}: the bot's port is unknown")
    values = dict(pair.split("=", 1) for pair in environment.read_text().split("\0") if "=" in pair)
    return f"http://127.0.0.1:{values['PORT']}/slack/events", values
