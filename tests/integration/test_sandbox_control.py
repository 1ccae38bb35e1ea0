"""The sandbox's own API: faults, the log, refusals, and events that only a script can cause."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from sandbox.slack.conversations import LIMITED_OBJECTS
from tests.integration.sandbox_rig import (
    CAMILLE,
    INES,
    MARCHE,
    PATIENCE_S,
    Json,
    Listener,
    Rig,
    listening,
    rigged,
    until,
)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """A sandbox without a bot."""
    async with rigged() as running:
        yield running


async def word(call: Any) -> str:
    """The error of a refused call."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


async def test_rate_limits_answer_429_with_retry_after(rig: Rig) -> None:
    """The opt-in handler of slack_sdk waits and tries again; without it the call fails."""
    await rig.post("faults", rate_limit={"chat.postMessage": 2}, retry_after_s=1)
    with pytest.raises(SlackApiError) as caught:
        await rig.slack.chat_postMessage(channel=MARCHE, text="un")
    assert (caught.value.response.status_code, caught.value.response.headers["Retry-After"]) == (429, "1")
    patient = AsyncWebClient(token=rig.slack.token, base_url=rig.slack.base_url)
    patient.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    await patient.chat_postMessage(channel=MARCHE, text="deux")
    assert await rig.texts() == ["deux"]


async def test_replies_can_be_limited_to_fifteen_a_minute(rig: Rig) -> None:
    """What a distributed app outside the Marketplace gets."""
    root = await rig.say("racine")
    for number in range(20):
        await rig.say(f"r{number}", thread_ts=root)
    await rig.post("faults", replies_limited=True)
    page = await rig.slack.conversations_replies(channel=MARCHE, ts=root, limit=100)
    assert (len(page["messages"]), page["has_more"]) == (LIMITED_OBJECTS, True)
    with pytest.raises(SlackApiError) as caught:
        await rig.slack.conversations_replies(channel=MARCHE, ts=root)
    assert caught.value.response.headers["Retry-After"] == "60"


async def test_blocks_can_be_refused_once_and_tokens_revoked(rig: Rig) -> None:
    """Two switches that test an app's ladder and its last words."""
    await rig.post("faults", invalid_blocks_once=1)
    blocks: list[Json] = [{"type": "divider"}]
    assert await word(rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=blocks)) == "invalid_blocks"
    assert (await rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=blocks))["ok"]
    await rig.post("faults", auth_error="token_revoked")
    assert await word(rig.slack.auth_test()) == "token_revoked"
    await rig.post("faults")
    assert (await rig.slack.auth_test())["ok"]


async def test_the_log_never_shows_a_token(rig: Rig) -> None:
    """Neither as an argument nor inside a text that a bot posts."""
    token = str(rig.slack.token)
    await rig.http.post("/api/chat.postMessage", data={"channel": MARCHE, "text": f"oups {token}", "token": token})
    assert token not in json.dumps(await rig.get("log"), ensure_ascii=False)


@pytest.mark.parametrize(
    ("path", "body", "status", "part"),
    [
        ("say", {"user": "Zoé", "channel": MARCHE, "text": "x"}, 404, "Camille Renaud (U0CAMILLE)"),
        ("say", {"user": CAMILLE, "channel": "ailleurs", "text": "x"}, 404, "#marche-residentiel"),
        ("say", {"user": CAMILLE, "channel": MARCHE, "text": "  "}, 400, "message vide"),
        ("say", {"user": CAMILLE, "channel": "D0HUGO", "text": "x"}, 403, "n'est pas membre"),
        ("say", {"user": CAMILLE, "channel": MARCHE, "text": "x", "thread_ts": "1.0"}, 404, "Aucun fil"),
        ("edit", {"user": CAMILLE, "channel": MARCHE, "ts": "1.0", "text": "x"}, 404, "Aucun message"),
        ("click", {"user": CAMILLE, "channel": MARCHE, "ts": "1.0", "action_id": "a"}, 404, "Aucun message"),
        ("submit", {"user": CAMILLE, "view_id": "V0", "values": {}}, 404, "Aucune fenêtre"),
        ("faults", {"panne": 1}, 400, "n'existe pas"),
        ("faults", {"slow_api_ms": "vite"}, 400, "nombre"),
        ("faults", {"hubspot": {"mode": "x"}}, 400, "hubspot.mode"),
        ("process", {"action": "danse"}, 400, "stop, start, restart, kill"),
    ],
)
async def test_a_wrong_request_gets_a_french_sentence(rig: Rig, path: str, body: Json, status: int, part: str) -> None:
    """4xx, and what to do instead."""
    response = await rig.http.post(f"/sandbox/{path}", json=body)
    assert response.status_code == status
    assert part in response.json()["error"]


async def test_another_site_cannot_drive_the_sandbox(rig: Rig) -> None:
    """A page of elsewhere in the same browser is refused."""
    response = await rig.http.post("/sandbox/reset", json={}, headers={"Origin": "https://ailleurs.example"})
    assert response.status_code == 403


async def test_scripts_cause_the_events_that_people_rarely_do(rig: Rig) -> None:
    """Another application's message, a reaction, someone joining, an uninstallation."""
    listener = Listener()
    rig.sandbox.world.workspace.channels[MARCHE].members.remove(INES)
    async with listening(rig, listener):
        ts = (await rig.post("say", as_bot="Autre appli", channel=MARCHE, text="<@U0QUARTIER> bonjour"))["ts"]
        await rig.post("react", user=CAMILLE, channel=MARCHE, ts=ts, name="eyes")
        await rig.post("join", user=INES, channel=MARCHE)
        await rig.post("emit", event={"type": "app_uninstalled"})
        await until(lambda: len(listener.heard) == 5)
    events = [request.payload["event"] for request in listener.heard]
    kinds = [(event["type"], event.get("subtype")) for event in events]
    assert sorted(kinds[:2], key=str) == [("app_mention", None), ("message", "bot_message")]
    assert [kind for kind, _ in kinds[2:]] == ["reaction_added", "member_joined_channel", "app_uninstalled"]
    assert (events[2]["item"]["ts"], events[3]["user"]) == (ts, INES)


async def test_feedback_buttons_say_which_of_the_two(rig: Rig) -> None:
    """One action_id for both; the value tells them apart."""
    thumbs = {
        "type": "feedback_buttons",
        "action_id": "avis",
        "positive_button": {"text": {"type": "plain_text", "text": "Utile"}, "value": "oui"},
        "negative_button": {"text": {"type": "plain_text", "text": "Inutile"}, "value": "non"},
    }
    blocks = [{"type": "context_actions", "elements": [thumbs]}]
    listener = Listener()
    async with listening(rig, listener):
        ts = (await rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=blocks))["ts"]
        for value in ("oui", "non"):
            await rig.post("click", user=INES, channel=MARCHE, ts=ts, action_id="avis", value=value)
    clicked = [request.payload["actions"][0]["value"] for request in listener.heard if request.type == "interactive"]
    assert clicked == ["oui", "non"]


async def test_a_button_keeps_its_value_unless_a_script_forges_it(rig: Rig) -> None:
    """On Slack a person cannot change what a button carries."""
    button = {"type": "button", "action_id": "a", "value": "p1", "text": {"type": "plain_text", "text": "Oui"}}
    listener = Listener()
    async with listening(rig, listener):
        blocks = [{"type": "actions", "elements": [button]}]
        ts = (await rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=blocks))["ts"]
        body = {"user": INES, "channel": MARCHE, "ts": ts, "action_id": "a", "value": "p2"}
        refused = await rig.http.post("/sandbox/click", json=body)
        await rig.post("click", **body, forge=True)
    assert refused.status_code == 404
    assert "forge" in refused.json()["error"]
    [click] = [request.payload for request in listener.heard if request.type == "interactive"]
    assert click["actions"][0]["value"] == "p2"


async def test_the_stream_tells_what_changed(rig: Rig) -> None:
    """Server-Sent Events with a topic and a place."""
    topics = set[str]()
    async with asyncio.timeout(PATIENCE_S), rig.http.stream("GET", "/sandbox/stream") as stream:
        lines = stream.aiter_lines()
        await anext(lines)
        await rig.say("bonjour")
        await rig.slack.auth_test()
        while not {"messages", "log"} <= topics:
            line = await anext(lines)
            if line.startswith("data: "):
                told: Json = json.loads(line.removeprefix("data: "))
                topics.add(told["topic"])
                assert told["topic"] != "messages" or told["channel"] == MARCHE
