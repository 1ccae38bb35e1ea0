"""The Web API as Slack's own client and as raw HTTP see it: tokens, threads, ownership, files, streams, faults."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from sandbox.slack.web_api import METHODS, OF_ALL
from tests.integration.sandbox_rig import CAMILLE, DIRECT, HUGO, INES, MARCHE, PRIVATE, Rig, rigged

# reference: the methods that a Slack sandbox for Bolt apps must speak
LISTED = """
auth.test apps.connections.open chat.postMessage chat.update chat.delete chat.postEphemeral chat.scheduleMessage
chat.deleteScheduledMessage chat.getPermalink chat.startStream chat.appendStream chat.stopStream conversations.info
conversations.list conversations.history conversations.replies conversations.members conversations.join
conversations.open users.info users.list users.lookupByEmail reactions.add reactions.remove views.open views.update
views.push views.publish files.getUploadURLExternal files.completeUploadExternal files.info agents.sessions.setStatus
agents.sessions.rename assistant.threads.setStatus assistant.threads.setSuggestedPrompts assistant.threads.setTitle
oauth.v2.access apps.uninstall team.info bots.info
"""


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


def test_every_listed_method_is_served() -> None:
    """The reference's list, no method forgotten."""
    assert set(LISTED.split()) == METHODS.keys() | OF_ALL.keys()


async def test_an_unknown_method_is_answered_as_slack_does(rig: Rig) -> None:
    """HTTP 200, ok false, even without a token."""
    response = await rig.http.post("/api/chat.postMesage")
    assert (response.status_code, response.json()) == (200, {"ok": False, "error": "unknown_method"})


@pytest.mark.parametrize(
    ("token", "method", "error"),
    [
        (None, "auth.test", "not_authed"),
        ("xoxb-autre", "auth.test", "invalid_auth"),
        ("xapp-bac-a-sable", "auth.test", "not_allowed_token_type"),
        ("xoxb-bac-a-sable", "apps.connections.open", "not_allowed_token_type"),
    ],
)
async def test_each_wrong_token_has_its_word(rig: Rig, token: str | None, method: str, error: str) -> None:
    """The app token opens connections and nothing else."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    assert (await rig.http.post(f"/api/{method}", headers=headers)).json() == {"ok": False, "error": error}


async def test_arguments_come_by_query_form_json_or_json_in_a_form(rig: Rig) -> None:
    """One call, four encodings; a broken body is named."""
    token = str(rig.slack.token)
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "bloc"}}]
    fields = {"channel": MARCHE, "text": "salut"}
    bearer = {"Authorization": f"Bearer {token}"}
    answers = [
        await rig.http.get("/api/chat.postMessage", params={**fields, "token": token}),
        await rig.http.post("/api/chat.postMessage", data={**fields, "token": token}),
        await rig.http.post("/api/chat.postMessage", json={**fields, "blocks": blocks}, headers=bearer),
        await rig.http.post("/api/chat.postMessage", data={**fields, "blocks": json.dumps(blocks)}, headers=bearer),
    ]
    assert [answer.json()["ok"] for answer in answers] == [True] * 4
    assert [bool(answer.json()["message"].get("blocks")) for answer in answers] == [False, False, True, True]
    kind = {"Content-Type": "application/json", **bearer}
    broken = await rig.http.post("/api/chat.postMessage", content=b"{", headers=kind)
    empty = await rig.http.post("/api/auth.test", content=b"", headers=kind)
    assert (broken.json()["error"], empty.json()["ok"]) == ("invalid_json", True)


async def test_metadata_is_kept_and_returned_on_demand(rig: Rig) -> None:
    """include_all_metadata; chat.update keeps it unless an empty object removes it."""
    metadata = {"event_type": "answer", "event_payload": {"outbox_id": "o1"}}
    posted = await rig.slack.chat_postMessage(channel=MARCHE, text="x", metadata=metadata)
    await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="y")
    without = await rig.slack.conversations_history(channel=MARCHE)
    kept = await rig.slack.conversations_history(channel=MARCHE, include_all_metadata=True)
    await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="z", metadata={})
    gone = await rig.slack.conversations_history(channel=MARCHE, include_all_metadata=True)
    assert "metadata" not in without["messages"][0]
    assert kept["messages"][0]["metadata"] == metadata
    assert "metadata" not in gone["messages"][0]


async def test_an_update_without_blocks_keeps_the_old_ones(rig: Rig) -> None:
    """The trap of slackapi/python-slack-sdk#523: text alone changes nothing to see; an empty list removes blocks."""
    blocks = [{"type": "divider"}]
    posted = await rig.slack.chat_postMessage(channel=MARCHE, text="avant", blocks=blocks)
    kept = await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="après")
    gone = await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="après", blocks=[])
    assert kept["message"]["blocks"][0]["type"] == "divider"
    assert "blocks" not in gone["message"]


async def test_threads_are_counted_and_paged(rig: Rig) -> None:
    """reply_count and latest_reply on the root; replies oldest first, history newest first, cursors."""
    root = await rig.say("racine")
    sent = [(await rig.slack.chat_postMessage(channel=MARCHE, text=f"r{n}", thread_ts=root))["ts"] for n in range(3)]
    other = await rig.say("autre")
    history = await rig.slack.conversations_history(channel=MARCHE)
    first = await rig.slack.conversations_replies(channel=MARCHE, ts=root, limit=2)
    cursor = first["response_metadata"]["next_cursor"]
    second = await rig.slack.conversations_replies(channel=MARCHE, ts=root, limit=2, cursor=cursor)
    assert [message["ts"] for message in history["messages"]] == [other, root]
    assert (history["messages"][1]["reply_count"], history["messages"][1]["latest_reply"]) == (3, sent[2])
    assert [message["ts"] for message in first["messages"] + second["messages"]] == [root, *sent]
    assert (first["has_more"], second["has_more"]) == (True, False)


async def test_what_is_not_there_has_its_word(rig: Rig) -> None:
    """Channels, threads, messages and people."""
    slack = rig.slack
    assert await word(slack.chat_postMessage(channel="C0RIEN", text="x")) == "channel_not_found"
    assert await word(slack.chat_postMessage(channel=MARCHE, text="x", thread_ts="1.0")) == "thread_not_found"
    assert await word(slack.conversations_replies(channel=MARCHE, ts="1.0")) == "thread_not_found"
    assert await word(slack.chat_update(channel=MARCHE, ts="1.0", text="x")) == "message_not_found"
    assert await word(slack.chat_delete(channel=MARCHE, ts="1.0")) == "message_not_found"
    assert await word(slack.users_info(user="U0RIEN")) == "user_not_found"
    assert await word(slack.users_lookupByEmail(email="rien@aubrac.example")) == "users_not_found"
    assert await word(slack.conversations_history(channel=MARCHE, cursor="!")) == "invalid_cursor"


async def test_the_app_changes_only_its_own_messages(rig: Rig) -> None:
    """cant_update_message and cant_delete_message for a person's."""
    theirs = await rig.say("à moi")
    assert await word(rig.slack.chat_update(channel=MARCHE, ts=theirs, text="x")) == "cant_update_message"
    assert await word(rig.slack.chat_delete(channel=MARCHE, ts=theirs)) == "cant_delete_message"


async def test_a_channel_without_the_bot_is_closed_to_it(rig: Rig) -> None:
    """not_in_channel for a public one until it joins; a private one does not even exist."""
    for channel in (MARCHE, PRIVATE):
        rig.sandbox.world.workspace.channels[channel].members.remove("U0QUARTIER")
    assert await word(rig.slack.chat_postMessage(channel=MARCHE, text="x")) == "not_in_channel"
    assert await word(rig.slack.chat_postMessage(channel=PRIVATE, text="x")) == "channel_not_found"
    listed = await rig.slack.conversations_list(types="public_channel,private_channel")
    assert PRIVATE not in [channel["id"] for channel in listed["channels"]]
    await rig.slack.conversations_join(channel=MARCHE)
    assert (await rig.slack.chat_postMessage(channel=MARCHE, text="x"))["ok"]


async def test_an_ephemeral_message_is_for_one_person(rig: Rig) -> None:
    """Others do not see it, the API cannot read or update it."""
    posted = await rig.slack.chat_postEphemeral(channel=MARCHE, user=HUGO, text="pour Hugo")
    ts = posted["message_ts"]
    assert await rig.texts(user=HUGO) == ["pour Hugo"]
    assert await rig.texts(user=INES) == []
    assert (await rig.slack.conversations_history(channel=MARCHE))["messages"] == []
    assert await word(rig.slack.chat_update(channel=MARCHE, ts=ts, text="x")) == "message_not_found"
    assert await word(rig.slack.chat_postEphemeral(channel=DIRECT, user=HUGO, text="x")) == "user_not_in_channel"


async def test_people_and_places_are_described(rig: Rig) -> None:
    """The read methods, by GET as AsyncWebClient sends them."""
    slack = rig.slack
    who = await slack.auth_test()
    user = await slack.users_info(user=CAMILLE)
    found = await slack.users_lookupByEmail(email="Camille.Renaud@aubrac.example")
    direct = await slack.conversations_open(users=CAMILLE, return_im=True)
    members = await slack.conversations_members(channel=MARCHE)
    assert (who["user_id"], who["bot_id"], who["team_id"]) == ("U0QUARTIER", "B0QUARTIER", "T0AUBRAC1")
    assert (user["user"]["real_name"], user["user"]["tz"]) == ("Camille Renaud", "Europe/Paris")
    assert found["user"]["id"] == CAMILLE
    assert (direct["channel"]["id"], direct["channel"]["is_im"]) == (DIRECT, True)
    assert set(members["members"]) == {CAMILLE, HUGO, INES, "U0QUARTIER"}
    assert (await slack.team_info())["team"]["name"].endswith("(fictif)")
    assert (await slack.bots_info(bot="B0QUARTIER"))["bot"]["user_id"] == "U0QUARTIER"
    assert (await slack.conversations_info(channel=PRIVATE))["channel"]["is_private"] is True


async def test_a_file_goes_up_in_three_steps_and_down_with_the_token(rig: Rig) -> None:
    """files_upload_v2 as it is; without the token Slack answers its sign-in page with status 200."""
    uploaded = await rig.slack.files_upload_v2(channel=MARCHE, filename="note.txt", content="Bonjour", title="Note")
    [message] = (await rig.get("messages", channel=MARCHE))["messages"]
    url = uploaded["file"]["url_private"]
    inside = await rig.http.get(url, headers={"Authorization": f"Bearer {rig.slack.token}"})
    outside = await rig.http.get(url)
    assert (message["subtype"], message["files"][0]["title"]) == ("file_share", "Note")
    assert (inside.text, outside.status_code) == ("Bonjour", 200)
    assert "Sign in" in outside.text
    assert (await rig.slack.files_info(file=uploaded["file"]["id"]))["file"]["size"] == 7


async def test_a_person_shares_a_file(rig: Rig) -> None:
    """subtype file_share, and the bot can read the bytes."""
    await rig.say("voici", files=[{"name": "bail.txt", "text": "loyer 900"}])
    [message] = (await rig.get("messages", channel=MARCHE))["messages"]
    url = message["files"][0]["url_private"]
    read = await rig.http.get(url, headers={"Authorization": f"Bearer {rig.slack.token}"})
    assert (message["subtype"], read.text) == ("file_share", "loyer 900")


async def test_a_stream_grows_then_becomes_a_message(rig: Rig) -> None:
    """slack_sdk's chat_stream; recipient needed in a channel, 12,000 characters at most, no append after stop."""
    root = await rig.say("question")
    assert await word(rig.slack.chat_startStream(channel=MARCHE, thread_ts=root)) == "missing_recipient_user_id"
    stream = await rig.slack.chat_stream(
        channel=MARCHE, thread_ts=root, recipient_team_id="T0AUBRAC1", recipient_user_id=CAMILLE, buffer_size=1
    )
    await stream.append(markdown_text="**Bon")
    await stream.append(markdown_text="jour**")
    await stream.stop(blocks=[{"type": "divider"}])
    ts = str(stream.ts)
    assert (await rig.texts(thread_ts=root))[1] == "**Bonjour**"
    late = rig.slack.chat_appendStream(channel=MARCHE, ts=ts, markdown_text="x")
    assert await word(late) == "message_not_in_streaming_state"
    started = await rig.slack.chat_startStream(
        channel=MARCHE, thread_ts=root, recipient_team_id="T0AUBRAC1", recipient_user_id=CAMILLE
    )
    long_one = rig.slack.chat_appendStream(channel=MARCHE, ts=started["ts"], markdown_text="x" * 12_001)
    assert await word(long_one) == "msg_too_long"
    await rig.post("faults", expire_streams=True)
    expired = rig.slack.chat_appendStream(channel=MARCHE, ts=started["ts"], markdown_text="x")
    assert await word(expired) == "message_not_in_streaming_state"


async def test_reactions_are_counted_once(rig: Rig) -> None:
    """already_reacted, then no_reaction after removal."""
    ts = await rig.say("bravo")
    await rig.slack.reactions_add(channel=MARCHE, timestamp=ts, name="eyes")
    assert await word(rig.slack.reactions_add(channel=MARCHE, timestamp=ts, name="eyes")) == "already_reacted"
    await rig.slack.reactions_remove(channel=MARCHE, timestamp=ts, name="eyes")
    assert await word(rig.slack.reactions_remove(channel=MARCHE, timestamp=ts, name="eyes")) == "no_reaction"


async def test_an_agent_session_has_four_states(rig: Rig) -> None:
    """An enumeration, shown in the state; prompts need no thread."""
    await rig.slack.agents_sessions_setStatus(channel_id=DIRECT, status="processing")
    assert await word(rig.slack.agents_sessions_setStatus(channel_id=DIRECT, status="busy")) == "invalid_arguments"
    prompts = [{"title": "LMNP", "message": "Que change la revente ?"}]
    await rig.slack.assistant_threads_setSuggestedPrompts(channel_id=DIRECT, prompts=prompts)
    direct = next(c for c in (await rig.get("state"))["channels"] if c["id"] == DIRECT)
    assert direct["agent"][""]["session_status"] == "processing"
    assert direct["agent"][""]["prompts"]["prompts"] == prompts
