"""Slack's limits: each is accepted at its edge and refused one step beyond, with Slack's error and pointer."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from sandbox.slack import views
from tests.integration.sandbox_rig import INES, MARCHE, Json, Rig, rigged


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """A sandbox without a bot."""
    async with rigged() as running:
        yield running


def mrkdwn(size: int) -> Json:
    return {"type": "mrkdwn", "text": "x" * size}


def plain(size: int) -> Json:
    return {"type": "plain_text", "text": "x" * size}


def button(text: int = 5, **more: Any) -> Json:
    return {"type": "button", "text": plain(text), **more}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def select(count: int, **option: Any) -> Json:
    options = [{"text": plain(3), "value": str(n), **option} for n in range(count)]
    return {"type": "static_select", "placeholder": plain(3), "options": options}


def table(rows: int, columns: int, size: int = 1) -> Json:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x" * size}] * columns] * rows}


SECTION = {"type": "section", "text": mrkdwn(5)}
# What fits, what does not, and the pointer of the problem.
EDGES: list[Any] = [
    ("section", {"type": "section", "text": mrkdwn(3000)}, {"type": "section", "text": mrkdwn(3001)}, "/0/text/text"),
    ("fields", *({"type": "section", "fields": [mrkdwn(5)] * n} for n in (10, 11)), "/0/fields"),
    ("field", *({"type": "section", "fields": [mrkdwn(n)]} for n in (2000, 2001)), "/0/fields/0/text"),
    ("header", *({"type": "header", "text": plain(n)} for n in (150, 151)), "/0/text/text"),
    ("header-kind", {"type": "header", "text": plain(5)}, {"type": "header", "text": mrkdwn(5)}, "/0/text"),
    ("markdown", *({"type": "markdown", "text": "x" * n} for n in (12_000, 12_001)), "/0/text"),
    ("context", *({"type": "context", "elements": [mrkdwn(5)] * n} for n in (10, 11)), "/0/elements"),
    ("actions", *(actions(*[button()] * n) for n in (25, 26)), "/0/elements"),
    ("button-text", *(actions(button(n)) for n in (75, 76)), "/0/elements/0/text/text"),
    ("button-value", *(actions(button(value="x" * n)) for n in (2000, 2001)), "/0/elements/0/value"),
    ("button-url", *(actions(button(url="x" * n)) for n in (3000, 3001)), "/0/elements/0/url"),
    ("action-id", *(actions(button(action_id="x" * n)) for n in (255, 256)), "/0/elements/0/action_id"),
    ("block-id", *({**SECTION, "block_id": "x" * n} for n in (255, 256)), "/0/block_id"),
    ("options", *(actions(select(n)) for n in (100, 101)), "/0/elements/0/options"),
    ("option-value", *(actions(select(1, value="x" * n)) for n in (150, 151)), "/0/elements/0/options/0/value"),
    ("rows", table(100, 2), table(101, 2), "/0/rows"),
    ("columns", table(2, 20), table(2, 21), "/0/rows/0"),
    ("table-text", table(2, 2, 2500), table(2, 2, 2501), "/0/rows"),
    ("empty-text", SECTION, {"type": "section", "text": mrkdwn(0)}, "/0/text/text"),
    ("missing-text", SECTION, {"type": "section"}, "/0"),
    ("unknown-block", SECTION, {"type": "sektion"}, "/0/type"),
    ("accessory", {**SECTION, "accessory": button()}, {**SECTION, "accessory": SECTION}, "/0/accessory"),
    ("alt-text", {"type": "image", "image_url": "x", "alt_text": "y"}, {"type": "image", "image_url": "x"}, "/0"),
]


@pytest.mark.parametrize(("fits", "exceeds", "pointer"), [e[1:] for e in EDGES], ids=[e[0] for e in EDGES])
async def test_each_block_limit_has_its_edge(rig: Rig, fits: Json, exceeds: Json, pointer: str) -> None:
    """Accepted at the limit; beyond it `invalid_blocks` points at the place."""
    assert (await rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=[fits]))["ok"]
    error = await refused(rig, blocks=[exceeds])
    assert error["error"] == "invalid_blocks"
    messages = error["response_metadata"]["messages"]
    assert messages[0].startswith("[ERROR] ")
    assert any(message.endswith(f"[json-pointer:/blocks{pointer}]") for message in messages)


async def test_a_message_holds_fifty_blocks(rig: Rig) -> None:
    """A modal and the Home hold a hundred."""
    assert (await rig.slack.chat_postMessage(channel=MARCHE, text="x", blocks=[SECTION] * 50))["ok"]
    error = await refused(rig, blocks=[SECTION] * 51)
    assert error["response_metadata"]["messages"] == ["[ERROR] no more than 50 items allowed [json-pointer:/blocks]"]
    home = {"type": "home", "blocks": [SECTION] * 100}
    assert (await rig.slack.views_publish(user_id=INES, view=home))["ok"]
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        await rig.slack.views_publish(user_id=INES, view={"type": "home", "blocks": [SECTION] * 101})


async def test_one_table_a_message(rig: Rig) -> None:
    """Two of them are refused, whatever their size."""
    error = await refused(rig, blocks=[table(2, 2), table(2, 2)])
    assert (error["error"], error["errors"]) == ("invalid_attachments", ["only_one_table_allowed"])


async def test_duplicate_ids_are_refused(rig: Rig) -> None:
    """block_id within a message, action_id within a block."""
    same_block = await refused(rig, blocks=[{**SECTION, "block_id": "a"}, {**SECTION, "block_id": "a"}])
    same_action = await refused(rig, blocks=[actions(button(action_id="a"), button(action_id="a"))])
    assert "already exists" in same_block["errors"][0]
    assert "already exists" in same_action["errors"][0]


async def test_texts_have_their_sizes(rig: Rig) -> None:
    """40,000 on post, 4,000 on update, 12,000 for markdown_text, about 13,200 over all blocks."""
    posted = await rig.slack.chat_postMessage(channel=MARCHE, text="x" * 40_000)
    assert (await refused(rig, text="x" * 40_001))["error"] == "msg_too_long"
    assert (await refused(rig, text=None, markdown_text="x" * 12_001))["error"] == "msg_too_long"
    long_one = {"type": "section", "text": mrkdwn(3000)}
    assert (await refused(rig, blocks=[long_one] * 5))["error"] == "msg_blocks_too_long"
    halves = [{"type": "markdown", "text": "x" * 6_001}] * 2
    assert (await refused(rig, blocks=halves))["error"] == "msg_blocks_too_long"
    assert (await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="x" * 4_000))["ok"]
    with pytest.raises(SlackApiError, match="msg_too_long"):
        await rig.slack.chat_update(channel=MARCHE, ts=posted["ts"], text="x" * 4_001)


async def test_an_empty_message_is_refused(rig: Rig) -> None:
    """Neither text nor blocks nor attachments."""
    with pytest.warns(UserWarning, match="text"):
        assert (await refused(rig, text=""))["error"] == "no_text"
    assert (await refused(rig, blocks="{pas du json"))["error"] == "invalid_blocks_format"
    assert (await refused(rig, metadata={"event_type": "x"}))["error"] == "invalid_metadata_format"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"title": plain(25)}, "/view/title/text"),
        ({"private_metadata": "x" * 3001}, "/view/private_metadata"),
        ({"submit": None}, "/view"),
        ({"blocks": [{"type": "markdown", "text": "x"}]}, "/view/blocks/0/type"),
    ],
    ids=["title", "private-metadata", "no-submit", "message-only-block"],
)
async def test_a_modal_is_checked_too(rig: Rig, change: Json, pointer: str) -> None:
    """invalid_arguments, with pointers under /view."""
    element = {"type": "plain_text_input", "action_id": "t"}
    view = {
        "type": "modal",
        "title": plain(24),
        "submit": plain(24),
        "private_metadata": "x" * 3000,
        "blocks": [{"type": "input", "label": plain(5), "element": element}],
    }
    for wrong in (False, True):
        trigger_id = new_trigger(rig)
        asked = {name: item for name, item in {**view, **(change if wrong else {})}.items() if item is not None}
        if not wrong:
            assert (await rig.slack.views_open(trigger_id=trigger_id, view=asked))["ok"]
            continue
        with pytest.raises(SlackApiError) as caught:
            await rig.slack.views_open(trigger_id=trigger_id, view=asked)
        assert caught.value.response["error"] == "invalid_arguments"
        assert caught.value.response["errors"][0].endswith(f"[json-pointer:{pointer}]")


async def test_a_trigger_opens_one_modal_within_three_seconds(rig: Rig) -> None:
    """invalid, exchanged and expired triggers each have their own word; three modals at most are stacked."""
    view = {"type": "modal", "title": plain(5), "blocks": [SECTION]}
    trigger_id = new_trigger(rig)
    await rig.slack.views_open(trigger_id=trigger_id, view=view)
    late = new_trigger(rig)
    rig.sandbox.world.workspace.triggers[late].expires -= 3.1
    words = []
    for used in (trigger_id, "inconnu", late):
        with pytest.raises(SlackApiError) as caught:
            await rig.slack.views_open(trigger_id=used, view=view)
        words.append(caught.value.response["error"])
    for _ in range(2):
        await rig.slack.views_push(trigger_id=new_trigger(rig), view=view)
    with pytest.raises(SlackApiError, match="push_limit_reached"):
        await rig.slack.views_push(trigger_id=new_trigger(rig), view=view)
    assert words == ["exchanged_trigger_id", "invalid_trigger_id", "expired_trigger_id"]


async def test_a_stale_hash_does_not_overwrite_a_view(rig: Rig) -> None:
    """hash_conflict, and not_found for a view that is closed."""
    home = {"type": "home", "blocks": [SECTION]}
    first = await rig.slack.views_publish(user_id=INES, view=home)
    await rig.slack.views_publish(user_id=INES, view=home, hash=first["view"]["hash"])
    with pytest.raises(SlackApiError, match="hash_conflict"):
        await rig.slack.views_publish(user_id=INES, view=home, hash=first["view"]["hash"])
    with pytest.raises(SlackApiError, match="not_found"):
        await rig.slack.views_update(view_id="V0", view={"type": "modal", "title": plain(5), "blocks": [SECTION]})


def new_trigger(rig: Rig) -> str:
    """A trigger_id as a click of Inès would bring it."""
    return views.new_trigger(rig.sandbox.world, INES)


async def refused(rig: Rig, **fields: Any) -> Json:
    """The body of a refused chat.postMessage."""
    with pytest.raises(SlackApiError) as caught:
        await rig.slack.chat_postMessage(channel=MARCHE, **{"text": "x", **fields})
    body: Json = caught.value.response.data
    return body
