"""A channel shared with another company, and a guest: what Slack tells the app of them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn

from tests.integration.sandbox_rig import BOT, CAMILLE, MARCHE, Json, Listener, Rig, listening, rigged, until

OURS, THEIRS = "T0AUBRAC1", "T0VAUBAN1"
PAUL, LEA, SHARED = "U0PAUL", "U0LEA", "C0VAUBAN"


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """A sandbox without a bot."""
    async with rigged() as running:
        yield running


async def test_a_server_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for it."""

    def broken(_config: uvicorn.Config) -> None:
        raise OSError("no module of that name")

    monkeypatch.setattr(uvicorn.Config, "load", broken)
    with pytest.raises(OSError, match="no module of that name"):
        async with asyncio.timeout(60), rigged():
            pass


async def heard(rig: Rig, text: str, *, user: str, channel: str, count: int) -> dict[str, Json]:
    """The envelopes of one message, by the type of their event."""
    listener = Listener()
    async with listening(rig, listener):
        await rig.say(text, user=user, channel=channel)
        await until(lambda: len(listener.heard) >= count)
    return {request.payload["event"]["type"]: request.payload for request in listener.heard}


async def test_an_outsiders_message_comes_from_his_team_and_its_twin_from_ours(rig: Rig) -> None:
    """As in the tests of Bolt's own requests: the authorization is ours both times."""
    both = await heard(rig, f"{BOT} bonjour", user=PAUL, channel=SHARED, count=2)
    message, mention = both["message"], both["app_mention"]
    assert (message["team_id"], message["event"]["team"]) == (THEIRS, THEIRS)
    assert (mention["team_id"], mention["event"]["team"]) == (OURS, OURS)
    for envelope in (message, mention):
        event = envelope["event"]
        assert (envelope["context_team_id"], envelope["authorizations"][0]["team_id"]) == (OURS, OURS)
        assert (event["user_team"], event["source_team"], envelope["is_ext_shared_channel"]) == (THEIRS, THEIRS, True)


async def test_a_members_message_is_shared_in_a_shared_channel_alone(rig: Rig) -> None:
    """Elsewhere nothing names a team but ours."""
    (message,) = (await heard(rig, "bonjour", user=CAMILLE, channel=SHARED, count=1)).values()
    assert (message["team_id"], message["event"]["user_team"], message["is_ext_shared_channel"]) == (OURS, OURS, True)
    (message,) = (await heard(rig, "bonjour", user=CAMILLE, channel=MARCHE, count=1)).values()
    assert (message["team_id"], message["event"].get("user_team"), message["is_ext_shared_channel"]) == (
        OURS, None, False,
    )  # fmt: skip


async def test_slack_tells_who_is_who_and_which_channel_is_shared(rig: Rig) -> None:
    """users.info and conversations.info."""
    told = {user: (await rig.slack.users_info(user=user))["user"] for user in (CAMILLE, LEA, PAUL)}
    assert {user: (one["team_id"], one["is_restricted"]) for user, one in told.items()} == {
        CAMILLE: (OURS, False), LEA: (OURS, True), PAUL: (THEIRS, False),
    }  # fmt: skip
    for channel, shared in ((SHARED, True), (MARCHE, False)):
        info = (await rig.slack.conversations_info(channel=channel))["channel"]
        assert (info["is_ext_shared"], THEIRS in info["shared_team_ids"]) == (shared, shared)


async def test_an_outsiders_click_names_his_team_beside_ours(rig: Rig) -> None:
    """`team` is the one whose app wrote the message."""
    button = {"type": "button", "action_id": "a", "value": "1", "text": {"type": "plain_text", "text": "Oui"}}
    blocks = [{"type": "actions", "elements": [button]}]
    listener = Listener()
    async with listening(rig, listener):
        ts = (await rig.slack.chat_postMessage(channel=SHARED, text="x", blocks=blocks))["ts"]
        await rig.post("click", user=PAUL, channel=SHARED, ts=ts, action_id="a")
    (click,) = [request.payload for request in listener.heard if request.type == "interactive"]
    assert (click["user"]["team_id"], click["team"]["id"]) == (THEIRS, OURS)


async def test_an_outsiders_file_is_an_id_until_it_is_asked_for(rig: Rig) -> None:
    """In the event and in reads; `files.info` tells the rest, and the page shows it by its name."""
    listener = Listener()
    async with listening(rig, listener):
        ts = await rig.say("voici", user=PAUL, channel=SHARED, files=[{"name": "acte.pdf", "text": "x"}])
        await until(lambda: listener.heard)
    (stub,) = listener.heard[0].payload["event"]["files"]
    assert (stub["mode"], stub["file_access"], "name" in stub) == ("file_access", "check_file_info", False)
    (read,) = (await rig.slack.conversations_replies(channel=SHARED, ts=ts))["messages"]
    assert read["files"] == [stub]
    assert (await rig.slack.files_info(file=stub["id"]))["file"]["name"] == "acte.pdf"
    assert (await rig.get("messages", channel=SHARED))["messages"][0]["files"][0]["name"] == "acte.pdf"


async def test_the_page_can_choose_them(rig: Rig) -> None:
    """Each with what is special; another company's people have neither Home nor direct messages here."""
    state = await rig.get("state")
    people = {person["id"]: person for person in state["users"]}
    assert (people[LEA]["guest"], people[PAUL]["team"], "guest" in people[CAMILLE]) == (True, THEIRS, False)
    assert [c["id"] for c in state["channels"] if "shared_with" in c] == [SHARED]
    refused = await rig.http.post("/sandbox/open_home", json={"user": PAUL})
    assert refused.status_code == 400
    assert "autre entreprise" in refused.json()["error"]
