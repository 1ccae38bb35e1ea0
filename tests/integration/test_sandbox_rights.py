"""What an app may do on the pretend Slack: the manifest's scopes, agent features, and what only scripts can send."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from slack_sdk.errors import SlackApiError

from sandbox.slack.scopes import NEEDED, scopes_in
from sandbox.slack.web_api import METHODS
from tests.hubspot_wire import Wire, hubspot_wire
from tests.integration.sandbox_rig import CAMILLE, MARCHE, PRIVATE, Listener, Rig, listening, rigged, until

MANIFEST = Path(__file__).resolve().parent.parent.parent / "manifest.json"
NO_SCOPE = {"auth.test", "apps.connections.open", "oauth.v2.access", "chat.getPermalink"}
GROUP, OUTSIDE = "G0DUO", "T0AUTRE"


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """Our app, with what its manifest asks for."""
    async with rigged(manifest=MANIFEST) as ready:
        yield ready


async def refusal(call: Any) -> dict[str, Any]:
    with pytest.raises(SlackApiError) as caught:
        await call
    return dict(caught.value.response.data)  # type: ignore[arg-type]


async def test_a_scope_that_the_manifest_lacks_is_missed(rig: Rig) -> None:
    """Slack says which one was needed and what the app has."""
    told = await refusal(rig.slack.reactions_add(channel=MARCHE, timestamp="1.1", name="eyes"))
    assert (told["error"], told["needed"]) == ("missing_scope", "reactions:write")
    assert set(told["provided"].split(",")) == scopes_in(MANIFEST)
    posted = await rig.slack.chat_postMessage(channel=MARCHE, text="bonjour")
    assert "reactions:write" not in posted.headers["X-OAuth-Scopes"]


@pytest.mark.parametrize(
    ("channel", "scope"),
    [(MARCHE, "channels"), (PRIVATE, "groups"), ("D0CAMILLE", "im"), (GROUP, "mpim")],
    ids=["public", "private", "direct", "group message"],
)
async def test_reading_needs_the_scope_of_that_kind_of_place(rig: Rig, channel: str, scope: str) -> None:
    """Our manifest has them all; each can be lost alone."""
    await rig.slack.conversations_history(channel=channel)
    await rig.slack.conversations_info(channel=channel)
    await rig.post("faults", without_scopes=[f"{scope}:history", f"{scope}:read"])
    assert (await refusal(rig.slack.conversations_history(channel=channel)))["needed"] == f"{scope}:history"
    assert (await refusal(rig.slack.conversations_info(channel=channel)))["needed"] == f"{scope}:read"


async def test_without_the_scope_a_profile_has_no_address(rig: Rig) -> None:
    assert (await rig.slack.users_info(user=CAMILLE))["user"]["profile"]["email"]
    await rig.post("faults", without_scopes=["users:read.email"])
    assert "email" not in (await rig.slack.users_info(user=CAMILLE))["user"]["profile"]


def test_every_method_has_its_scope() -> None:
    """A method that is added without one would be free for all."""
    by_place = {name for name in METHODS if name.startswith("conversations.")}
    views = {name for name in METHODS if name.startswith("views.")}  # they need none
    assert set(METHODS) - set(NEEDED) - NO_SCOPE - by_place - views == set()


async def test_an_app_without_a_manifest_may_do_everything() -> None:
    """Anybody's app runs here unmodified."""
    async with rigged() as free:
        ts = (await free.slack.chat_postMessage(channel=MARCHE, text="bonjour"))["ts"]
        await free.slack.reactions_add(channel=MARCHE, timestamp=ts, name="eyes")


async def test_a_workspace_may_have_no_agent_features(rig: Rig) -> None:
    prompts = [{"title": "a", "message": "b"}]
    await rig.slack.assistant_threads_setSuggestedPrompts(channel_id="D0CAMILLE", prompts=prompts)
    await rig.post("faults", no_agent=True)
    told = await refusal(rig.slack.assistant_threads_setSuggestedPrompts(channel_id="D0CAMILLE", prompts=prompts))
    assert told["error"] == "feature_not_enabled"


async def test_a_group_message_is_neither_direct_nor_a_channel(rig: Rig) -> None:
    """`mpim` in events and reads; a mention there has its twin."""
    listener = Listener()
    async with listening(rig, listener):
        await rig.say(f"<@{rig.sandbox.world.workspace.app.user_id}> bonjour", channel=GROUP)
        await until(lambda: len(listener.heard) == 2)
    kinds = {request.payload["event"]["type"]: request.payload["event"] for request in listener.heard}
    assert kinds["message"]["channel_type"] == "mpim"
    assert "channel_type" not in kinds["app_mention"]
    info = (await rig.slack.conversations_info(channel=GROUP))["channel"]
    assert (info["is_mpim"], info["is_private"], info["is_channel"]) == (True, True, False)


async def test_people_leave_and_become_guests(rig: Rig) -> None:
    await rig.post("person", user=CAMILLE, deleted=True)
    assert (await rig.slack.users_info(user=CAMILLE))["user"]["deleted"]
    await rig.post("person", user=CAMILLE, deleted=False, guest=True)
    user = (await rig.slack.users_info(user=CAMILLE))["user"]
    assert (user["deleted"], user["is_restricted"]) == (False, True)


async def test_events_of_another_team_and_bare_payloads_can_be_sent(rig: Rig) -> None:
    """As they arrive from a workspace that has uninstalled the app, and when Slack sends no more events."""
    listener = Listener()
    async with listening(rig, listener):
        await rig.post("emit", event={"type": "message", "channel": "C1", "ts": "1.1"}, team=OUTSIDE)
        await rig.post("emit", payload={"type": "app_rate_limited", "minute_rate_limited": 1})
        await until(lambda: len(listener.heard) == 2)
    event = next(r.payload for r in listener.heard if r.payload["type"] == "event_callback")
    assert (event["team_id"], event["authorizations"][0]["team_id"]) == (OUTSIDE, OUTSIDE)


def test_a_contacts_address_is_unique() -> None:
    """409 with the id of who has it, for a creation and for a change; in any case of letters."""
    with hubspot_wire() as wire:
        taken = wire.crm.records["contacts"]["501"].properties["email"]
        assert _contact(wire, "POST", "", taken.upper()) == (409, "CONFLICT", True)
        assert _contact(wire, "PATCH", "/502", taken) == (409, "CONFLICT", True)
        assert _contact(wire, "PATCH", "/501", taken)[0] == 200
        assert _contact(wire, "POST", "", "nouvelle@example.com")[0] == 201


def _contact(wire: Wire, method: str, path: str, email: str) -> tuple[int, str, bool]:
    """(status, category, whether 501 is named)."""
    url = f"{wire.base_url}/crm/v3/objects/contacts{path}"
    headers = {"Authorization": f"Bearer {wire.crm.token}"}
    body = {"properties": {"email": email}}
    answer = httpx.request(method, url, json=body, headers=headers, trust_env=False)
    told = json.loads(answer.text)
    return answer.status_code, str(told.get("category", "")), "501" in str(told.get("message"))
