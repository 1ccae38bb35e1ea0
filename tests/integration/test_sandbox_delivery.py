"""Redelivery, held events, duplicates, several sockets and cut connections, at Slack's own wire."""

import asyncio
import contextlib
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from sandbox.slack.socket_mode import MAX_CONNECTIONS
from tests.integration.sandbox_rig import (
    BOT,
    CAMILLE,
    MARCHE,
    Json,
    Listener,
    bolt_app,
    listening,
    over_http,
    rigged,
    until,
)


async def test_an_event_without_ack_is_redelivered_with_its_event_id() -> None:
    """Two missed acks, then one: three attempts of one event_id, numbered, with a reason."""
    async with rigged() as rig:
        await rig.post("faults", ack_ms=100)
        listener = Listener()
        listener.ignored = 2
        async with listening(rig, listener):
            await rig.say("bonjour")
            await until(lambda: ("message C0MARCHE, nouvel essai 2", "ok") in rig.logged("ack"))
    assert listener.attempts() == [(0, ""), (1, "timeout"), (2, "timeout")]
    assert len({request.payload["event_id"] for request in listener.heard}) == 1
    assert len({request.envelope_id for request in listener.heard}) == 3


async def test_slack_gives_up_after_the_last_delay() -> None:
    """One attempt and one a delay; then the event is dropped, and the log says so."""
    async with rigged(retry_delays=(0.01, 0.01)) as rig:
        await rig.post("faults", ack_ms=50)
        listener = Listener()
        listener.ignored = 99
        async with listening(rig, listener):
            await rig.say("bonjour")
            await until(lambda: ("message C0MARCHE : abandonné", "dropped") in rig.logged("event"))
    assert [attempt for attempt, _ in listener.attempts()] == [0, 1, 2]


async def test_an_ack_that_comes_late_counts_as_missed() -> None:
    """The app has done its work and sees the event again: what a dedupe is for."""
    async with rigged() as rig:
        await rig.post("faults", ack_ms=100, late_ack_ms=200)
        listener = Listener()
        async with listening(rig, listener):
            await rig.say("bonjour")
            await until(lambda: len(listener.heard) == 1)
            await rig.post("faults", late_ack_ms=0)
            await until(lambda: ("message C0MARCHE, nouvel essai 1", "ok") in rig.logged("ack"))
    assert listener.attempts() == [(0, ""), (1, "timeout")]


async def test_events_are_held_while_no_socket_is_open() -> None:
    """What was said while the bot was away reaches it in order when it connects."""
    async with rigged() as rig:
        said = [await rig.say(text) for text in ("un", "deux", "trois")]
        listener = Listener()
        async with listening(rig, listener):
            await until(lambda: len(listener.heard) == 3)
    assert [request.payload["event"]["ts"] for request in listener.heard] == said
    assert [attempt for attempt, _ in listener.attempts()] == [0, 0, 0]


async def test_a_duplicate_keeps_its_event_id() -> None:
    """The switch sends the next event twice in two envelopes, and only that one."""
    async with rigged() as rig:
        await rig.post("faults", duplicate_events=1)
        listener = Listener()
        async with listening(rig, listener):
            await rig.say("un")
            await rig.say("deux")
            await until(lambda: len(listener.heard) == 3)
    texts = [request.payload["event"]["text"] for request in listener.heard]
    assert sorted(texts) == ["deux", "un", "un"]
    assert len({request.payload["event_id"] for request in listener.heard}) == 2


async def test_each_event_goes_to_one_of_the_open_sockets() -> None:
    """Two connections share the events; no event reaches both."""
    async with rigged() as rig:
        one, other = Listener(), Listener()
        async with listening(rig, one), listening(rig, other):
            for number in range(24):
                await rig.say(f"message {number}")
            await until(lambda: len(one.heard) + len(other.heard) >= 24)
    heard = [request.payload["event_id"] for request in one.heard + other.heard]
    assert len(heard) == len(set(heard)) == 24
    assert one.heard
    assert other.heard


@pytest.mark.parametrize("mode", ["warning", "refresh_requested"])
async def test_a_client_told_to_disconnect_connects_again(mode: str) -> None:
    """slack_sdk fetches a new address by itself, and events flow on the new socket."""
    async with rigged() as rig:
        listener = Listener()
        async with listening(rig, listener):
            await rig.post("faults", drop_sockets=mode)
            await until(lambda: rig.sandbox.world.outbox.transport.connected)
            await rig.say("bonjour")
            await until(lambda: len(listener.heard) == 1)
    assert rig.logged("api").count(("apps.connections.open", "ok")) == 2


async def test_an_abrupt_drop_fails_the_attempt_that_was_waiting() -> None:
    """A socket cut before the ack is a failed delivery, redelivered on the next connection."""
    async with rigged() as rig:
        first, second = Listener(), Listener()
        first.ignored = 1
        async with listening(rig, first) as client:
            client.auto_reconnect_enabled = client.default_auto_reconnect_enabled = False
            await rig.say("bonjour")
            await until(lambda: len(first.heard) == 1)
            await rig.post("faults", drop_sockets=True)
            await until(lambda: not rig.sandbox.world.outbox.transport.connected)
            async with listening(rig, second):
                await until(lambda: len(second.heard) == 1)
    assert second.attempts() == [(1, "connection_failed")]


async def test_a_ticket_opens_one_socket_only() -> None:
    """The address of apps.connections.open is single-use, hello comes first, pings are answered."""
    async with rigged() as rig, aiohttp.ClientSession() as session:
        app_token = rig.sandbox.world.workspace.app.app_token
        url = str((await rig.slack.apps_connections_open(app_token=app_token))["url"])
        async with session.ws_connect(url, autoping=False) as socket:
            hello = await socket.receive_json()
            await socket.ping(b"sdk-ping-pong:1.0")
            pong = await socket.receive()
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(url)
    assert (hello["type"], hello["num_connections"]) == ("hello", 1)
    assert (pong.type, bytes(pong.data)) == (aiohttp.WSMsgType.PONG, b"sdk-ping-pong:1.0")


async def test_the_eleventh_socket_is_refused() -> None:
    """Slack allows about ten connections an app."""
    async with rigged() as rig, aiohttp.ClientSession() as session, contextlib.AsyncExitStack() as stack:
        app_token = rig.sandbox.world.workspace.app.app_token
        greetings: list[Json] = []
        for _ in range(MAX_CONNECTIONS + 1):
            url = str((await rig.slack.apps_connections_open(app_token=app_token))["url"])
            socket = await stack.enter_async_context(session.ws_connect(url))
            greetings.append(await socket.receive_json())
    assert [greeting["type"] for greeting in greetings] == ["hello"] * MAX_CONNECTIONS + ["disconnect"]
    assert greetings[-1]["reason"] == "too_many_websockets"


async def test_http_retries_carry_slacks_headers() -> None:
    """An unhandled event is a 404 of Bolt's: tried again with X-Slack-Retry-Num until a listener takes it."""
    async with rigged(http=True) as rig:
        app, seen = bolt_app(rig), list[tuple[str, str]]()

        @app.middleware
        async def note(req: Any, next_: Any) -> None:
            seen.append(tuple(req.headers.get(f"x-slack-retry-{name}", [""])[0] for name in ("num", "reason")))
            await next_()

        async with over_http(rig, app):
            seen.clear()
            await rig.say("bonjour")
            await until(lambda: ("message C0MARCHE : abandonné", "dropped") in rig.logged("event"))
    assert seen == [("", ""), ("1", "http_error"), ("2", "http_error"), ("3", "http_error")]


async def test_no_retry_header_stops_redelivery() -> None:
    """X-Slack-No-Retry: 1 on the refusal."""
    async with rigged(http=True) as rig:
        served = aiohttp.web.Application()

        async def refuse(request: aiohttp.web.Request) -> aiohttp.web.Response:
            body = await request.json()
            if body["type"] == "url_verification":
                return aiohttp.web.json_response({"challenge": body["challenge"]})
            return aiohttp.web.Response(status=500, headers={"X-Slack-No-Retry": "1"})

        served.router.add_post("/slack/events", refuse)
        runner = aiohttp.web.AppRunner(served)
        await runner.setup()
        await aiohttp.web.TCPSite(runner, "127.0.0.1", rig.sandbox.options.events_port).start()
        await rig.say("bonjour")
        await until(lambda: ("message C0MARCHE : abandonné", "dropped") in rig.logged("event"))
        await runner.cleanup()
    assert rig.logged("ack") == [("message C0MARCHE", "http_error")]


async def test_a_wrong_signing_secret_never_connects() -> None:
    """Bolt refuses url_verification (401) when it does not know the secret, and the state says so."""
    async with rigged(http=True) as rig:
        client = AsyncWebClient(token=rig.slack.token, base_url=rig.slack.base_url)
        server = AsyncApp(client=client, signing_secret="autre").server(port=1, host="127.0.0.1")
        runner = aiohttp.web.AppRunner(server.web_app)
        await runner.setup()
        await aiohttp.web.TCPSite(runner, "127.0.0.1", rig.sandbox.options.events_port).start()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await rig.sandbox.world.outbox.transport.ready()
        state = await rig.get("state")
        await runner.cleanup()
    assert state["transport"] == {"mode": "http", "connected": False}


async def test_a_post_can_be_kept_and_its_answer_lost() -> None:
    """slack_sdk's default retry handler then posts again: two messages, which is what an outbox key prevents."""
    async with rigged() as rig:
        await rig.post("faults", post_then_drop=1)
        await rig.slack.chat_postMessage(channel=MARCHE, text="une fois ?")
        assert await rig.texts() == ["une fois ?", "une fois ?"]
    assert [status for summary, status in rig.logged("api") if "postMessage" in summary] == ["coupée", "ok"]


async def test_reset_forgets_everything_but_the_connection() -> None:
    """Messages, faults and pending deliveries are gone; the bot stays connected and timestamps go on."""
    async with rigged() as rig:
        listener = Listener()
        async with listening(rig, listener):
            before = await rig.say(f"{BOT} bonjour")
            await rig.post("faults", slow_api_ms=10, hubspot={"mode": "500", "count": 3})
            await rig.post("reset")
            assert await rig.texts() == []
            state = await rig.get("state")
            after = await rig.say("après")
    assert (state["transport"]["connected"], state["faults"]["slow_api_ms"]) == (True, 0)
    assert state["faults"]["retry_delays"] == [0.02, 0.02, 0.02]
    assert float(after) > float(before)


async def test_reset_drops_what_was_still_to_be_delivered() -> None:
    """A bot that connects after a reset hears nothing of the world before it."""
    async with rigged() as rig:
        await rig.say("avant")
        await rig.post("reset")
        await rig.say("après")
        listener = Listener()
        async with listening(rig, listener):
            await until(lambda: ("message C0MARCHE", "ok") in rig.logged("ack"))
    assert [request.payload["event"]["text"] for request in listener.heard] == ["après"]


async def test_an_ephemeral_message_is_no_event_not_even_when_replaced() -> None:
    """Slack tells the app nothing about messages that only one person sees."""
    async with rigged() as rig:
        listener = Listener()
        async with listening(rig, listener):
            button = {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "Partager"}}
            blocks = [{"type": "actions", "elements": [button]}]
            post_privately = await rig.slack.chat_postEphemeral(channel=MARCHE, user=CAMILLE, text="x", blocks=blocks)
            await rig.post("click", user=CAMILLE, channel=MARCHE, ts=post_privately["message_ts"], action_id="a")
            payload = listener.heard[-1].payload
            answer = {"text": "partagé", "replace_original": True}
            assert (await rig.http.post(payload["response_url"], json=answer)).text == "ok"
            await rig.say("fin")
            await until(lambda: len(listener.heard) == 2)
        assert await rig.texts(user=CAMILLE) == ["partagé", "fin"]
    assert (payload["container"]["is_ephemeral"], "message" in payload) == (True, False)
    assert listener.heard[1].payload["event"]["text"] == "fin"
