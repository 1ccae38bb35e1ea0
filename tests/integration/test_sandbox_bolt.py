"""Unmodified Bolt apps run against the sandbox, in Socket Mode and over signed HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from tests.integration.sandbox_cards import CARD, MODAL
from tests.integration.sandbox_rig import (
    BOT,
    CAMILLE,
    DIRECT,
    INES,
    MARCHE,
    Json,
    Rig,
    bolt_app,
    in_socket_mode,
    over_http,
    rigged,
    until,
)

Connect = Callable[[Rig, AsyncApp], AbstractAsyncContextManager[None]]


@pytest.fixture(params=["socket", "http"])
async def connected(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Rig, Connect]]:
    """Each test runs over both transports."""
    async with rigged(http=request.param == "http") as rig:
        yield rig, over_http if request.param == "http" else in_socket_mode


def quiet(app: AsyncApp) -> AsyncApp:
    """Adds the no-op listeners without which Slack redelivers."""

    @app.event("message")
    async def heard(event: Json) -> None:
        """Nothing to do."""

    return app


async def test_a_bolt_app_answers_a_mention(connected: tuple[Rig, Connect]) -> None:
    """Bolt verifies the signature or the socket itself; the answer stands in the thread."""
    rig, connect = connected
    app = quiet(bolt_app(rig))

    @app.event("app_mention")
    async def answer(event: Json, say: Any) -> None:
        await say(text=f"Bonjour <@{event['user']}>", thread_ts=event["ts"])

    async with connect(rig, app):
        ts = await rig.say(f"{BOT} bonjour")
        assert await rig.replies(ts, 1) == [f"Bonjour <@{CAMILLE}>"]
        root = (await rig.get("messages", channel=MARCHE))["messages"][0]
    assert (root["reply_count"], root["reply_users"]) == (1, ["U0QUARTIER"])


async def test_a_direct_message_has_no_mention_twin(connected: tuple[Rig, Connect]) -> None:
    """In an im Slack sends `message` alone, with channel_type im and a client_msg_id."""
    rig, connect = connected
    app, seen = bolt_app(rig), list[Json]()

    @app.event("app_mention")
    async def mention(event: Json) -> None:
        seen.append(event)

    @app.event("message")
    async def message(event: Json) -> None:
        seen.append(event)

    async with connect(rig, app):
        await rig.say(f"{BOT} bonjour", channel=DIRECT)
        await until(lambda: ("message D0CAMILLE", "ok") in rig.logged("ack"))
    assert [(event["type"], event["channel_type"]) for event in seen] == [("message", "im")]
    assert seen[0]["client_msg_id"]


async def test_twins_share_their_ts_but_not_their_event_id(connected: tuple[Rig, Connect]) -> None:
    """`message` and `app_mention` of one message are two events."""
    rig, connect = connected
    app, bodies = bolt_app(rig), list[Json]()

    @app.event("app_mention")
    async def mention(body: Json) -> None:
        bodies.append(body)

    @app.event("message")
    async def message(body: Json) -> None:
        bodies.append(body)

    async with connect(rig, app):
        ts = await rig.say(f"{BOT} bonjour")
        await until(lambda: len(bodies) == 2)
    assert {body["event"]["type"] for body in bodies} == {"message", "app_mention"}
    assert {body["event"]["ts"] for body in bodies} == {ts}
    assert len({body["event_id"] for body in bodies}) == 2


async def test_a_click_is_acked_and_locks_the_card(connected: tuple[Rig, Connect]) -> None:
    """The payload carries value, message and user; a late second click still reaches the app, as on a stale screen."""
    rig, connect = connected
    app, clicks = quiet(bolt_app(rig)), list[Json]()

    @app.action("valider")
    async def approve(ack: Any, body: Json, client: Any) -> None:
        await ack()
        clicks.append(body)
        where = {"channel": body["channel"]["id"], "ts": body["message"]["ts"]}
        await client.chat_update(**where, text="Noté.", blocks=[])

    async with connect(rig, app):
        posted = await rig.slack.chat_postMessage(channel=MARCHE, text="Noter ?", blocks=CARD)
        where = {"user": INES, "channel": MARCHE, "ts": posted["ts"], "action_id": "valider"}
        first = await rig.post("click", **where)
        await until(lambda: rig.sandbox.world.workspace.channels[MARCHE].messages[posted["ts"]]["text"] == "Noté.")
        second = await rig.post("click", **where, team="T0AUTRE")
        await until(lambda: len(clicks) == 2)
    assert (first["ok"], first["acked"], "stale" in first) == (True, True, False)
    assert second["stale"] is True
    assert (clicks[0]["user"]["id"], clicks[0]["actions"][0]["value"]) == (INES, "p1")
    assert (clicks[0]["team"]["id"], clicks[1]["team"]["id"]) == ("T0AUBRAC1", "T0AUTRE")


async def test_an_unknown_button_names_those_that_exist(connected: tuple[Rig, Connect]) -> None:
    """A script learns what it could have clicked."""
    rig, _ = connected
    posted = await rig.slack.chat_postMessage(channel=MARCHE, text="Noter ?", blocks=CARD)
    body = {"user": INES, "channel": MARCHE, "ts": posted["ts"], "action_id": "valdier"}
    response = await rig.http.post("/sandbox/click", json=body)
    assert response.status_code == 404
    assert "rejeter, valider" in response.json()["error"]


async def test_a_modal_opens_from_a_click_and_is_submitted(connected: tuple[Rig, Connect]) -> None:
    """trigger_id, view state by action_id, response_action errors, then a plain ack closes it."""
    rig, connect = connected
    app, values = quiet(bolt_app(rig)), list[str]()

    @app.action("valider")
    async def edit(ack: Any, body: Json, client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view("note")
    async def submitted(ack: Any, view: Json) -> None:
        text = view["state"]["values"]["corps"]["texte"]["value"]
        values.append(text)
        await (ack(response_action="errors", errors={"corps": "Trop court"}) if len(text) < 4 else ack())

    async with connect(rig, app):
        posted = await rig.slack.chat_postMessage(channel=MARCHE, text="Noter ?", blocks=CARD)
        await rig.post("click", user=INES, channel=MARCHE, ts=posted["ts"], action_id="valider")
        await until(lambda: rig.sandbox.world.workspace.modals.get(INES))
        [modal] = (await rig.get("views", user=INES))["modals"]
        empty = await rig.post("submit", user=INES, view_id=modal["id"], values={"texte": ""})
        short = await rig.post("submit", user=INES, view_id=modal["id"], values={"texte": "non"})
        shaped = {"corps": {"texte": {"value": "Une note"}}}
        done = await rig.post("submit", user=INES, view_id=modal["id"], values=shaped)
        assert (await rig.get("views", user=INES))["modals"] == []
    assert (empty["ok"], empty["errors"]) == (False, {"corps": "Ce champ est obligatoire."})
    assert (short["ok"], short["response_action"], short["errors"]) == (False, "errors", {"corps": "Trop court"})
    assert done["ok"] is True
    assert values == ["non", "Une note"]


async def test_a_closed_modal_is_told_to_the_app(connected: tuple[Rig, Connect]) -> None:
    """view_closed, since the view asked for it."""
    rig, connect = connected
    app, closed = quiet(bolt_app(rig)), list[str]()

    @app.command("/note")
    async def note(ack: Any, body: Json, client: Any) -> None:
        await ack("Je regarde.")
        await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view_closed("note")
    async def left(ack: Any, view: Json) -> None:
        await ack()
        closed.append(view["callback_id"])

    async with connect(rig, app):
        outcome = await rig.post("command", user=CAMILLE, channel=MARCHE, command="/note", text="x")
        await until(lambda: rig.sandbox.world.workspace.modals.get(CAMILLE))
        [modal] = (await rig.get("views", user=CAMILLE))["modals"]
        await rig.post("close", user=CAMILLE, view_id=modal["id"])
        seen_by_camille = await rig.texts(user=CAMILLE)
        seen_by_ines = await rig.texts(user=INES)
    assert outcome["acked"] is True
    assert closed == ["note"]
    assert (seen_by_camille, seen_by_ines) == (["Je regarde."], [])


async def test_opening_home_and_direct_messages_is_told(connected: tuple[Rig, Connect]) -> None:
    """app_home_opened names its tab; views.publish then fills the Home."""
    rig, connect = connected
    app, tabs = quiet(bolt_app(rig)), list[str]()
    home = {"type": "home", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "Accueil"}}]}

    @app.event("app_home_opened")
    async def opened(event: Json, client: Any) -> None:
        tabs.append(event["tab"])
        await client.views_publish(user_id=event["user"], view=home)

    async with connect(rig, app):
        await rig.post("open_dm", user=CAMILLE)
        await until(lambda: tabs == ["messages"])
        await rig.post("open_home", user=CAMILLE)
        await until(lambda: tabs == ["messages", "home"])
        await until(lambda: rig.sandbox.world.workspace.homes)
        shown = (await rig.get("views", user=CAMILLE))["home"]
    assert shown["blocks"][0]["text"]["text"] == "Accueil"


async def test_response_url_replaces_answers_and_expires_after_five_uses(connected: tuple[Rig, Connect]) -> None:
    """Ephemeral by default, replace_original on demand, the sixth use is refused."""
    rig, connect = connected
    app, statuses = quiet(bolt_app(rig)), list[int]()

    @app.action("rejeter")
    async def reject(ack: Any, respond: Any) -> None:
        await ack()
        await respond(text="pour vous seule")
        await respond(text="Rejeté.", replace_original=True)
        for _ in range(4):
            statuses.append((await respond(text="encore")).status_code)

    async with connect(rig, app):
        posted = await rig.slack.chat_postMessage(channel=MARCHE, text="Noter ?", blocks=CARD)
        await rig.post("click", user=INES, channel=MARCHE, ts=posted["ts"], action_id="rejeter")
        await until(lambda: len(statuses) == 4)
        messages = (await rig.get("messages", channel=MARCHE))["messages"]
    assert statuses == [200, 200, 200, 404]
    assert [(m["text"], m.get("ephemeral_to")) for m in messages[:2]] == [("Rejeté.", None), ("pour vous seule", INES)]
    assert "blocks" not in messages[0]


async def test_an_app_that_does_not_ack_a_click_is_reported(connected: tuple[Rig, Connect]) -> None:
    """Interactions are sent once; the person learns that nobody answered."""
    rig, connect = connected
    await rig.post("faults", ack_ms=100)
    app = quiet(bolt_app(rig))

    @app.action("valider")
    async def slow(ack: Any) -> None:
        await asyncio.sleep(0.4)
        await ack()

    async with connect(rig, app):
        posted = await rig.slack.chat_postMessage(channel=MARCHE, text="Noter ?", blocks=CARD)
        outcome = await rig.post("click", user=INES, channel=MARCHE, ts=posted["ts"], action_id="valider")
    assert (outcome["ok"], outcome["acked"], outcome["reason"]) == (False, False, "timeout")


async def test_edits_and_deletions_are_events(connected: tuple[Rig, Connect]) -> None:
    """message_changed with both versions, message_deleted, and a tombstone where replies remain."""
    rig, connect = connected
    app, seen = bolt_app(rig), list[Json]()

    @app.event("message")
    async def message(event: Json) -> None:
        seen.append(event)

    async with connect(rig, app):
        ts = await rig.say("premier")
        await rig.post("edit", user=CAMILLE, channel=MARCHE, ts=ts, text="second")
        other = await rig.say("racine")
        reply = await rig.say("réponse", thread_ts=other)
        for gone in (ts, other):
            await rig.post("delete", user=CAMILLE, channel=MARCHE, ts=gone)
        await until(lambda: len(seen) == 6)
        assert await rig.texts(thread_ts=other) == ["This message was deleted.", "réponse"]
    kinds = [event.get("subtype", "") for event in seen]
    assert kinds == ["", "message_changed", "", "", "message_deleted", "message_changed"]
    assert (seen[1]["previous_message"]["text"], seen[1]["message"]["text"]) == ("premier", "second")
    assert (seen[3]["ts"], seen[3]["thread_ts"], seen[3]["parent_user_id"]) == (reply, other, CAMILLE)
    assert seen[5]["message"]["subtype"] == "tombstone"
