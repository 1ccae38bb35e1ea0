"""Posting to Slack, against a real pretend Slack and against what proxies answer in its place."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.conversations.publishing import report_failure
from bot.errors import StoreUnavailable
from bot.jobs import Services
from bot.proposals.lifecycle import Terms, payload_hash
from bot.proposals.showing import show_card, where
from bot.slack.blocks.cards import card_blocks, card_text
from bot.slack.blocks.working import preview_blocks
from bot.slack.delivery import (
    PLAIN_TEXT_LIMIT,
    Slack,
    SlackRefused,
    SlackUnavailable,
    ThreadRef,
    post_once,
    update,
)
from bot.slack.progress import Progress
from bot.store import answers, inbox, proposals
from bot.store.database import Database
from bot.store.inbox import Inbound
from pipeline.metering.telemetry import SILENT
from pipeline.ports import Deps
from tests.beginnings import migrated
from tests.integration.sandbox_rig import CAMILLE, MARCHE, Rig, rigged, until
from tests.loopback import served

ANSWERS: dict[str, Response] = {
    "a web page": HTMLResponse("<h1>Passerelle</h1>", 200),
    "a web page and 503": HTMLResponse("<h1>Passerelle</h1>", 503),
    "plain text and 502": PlainTextResponse("Bad gateway", 502),
    "half a JSON": Response('{"ok": tr', media_type="application/json"),
    "an internal error": JSONResponse({"ok": False, "error": "internal_error"}),
    "a revoked token": JSONResponse({"ok": False, "error": "token_revoked"}),
    "a rate limit": JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": "7"}),
}


def proxy(answer: Callable[[Request], Awaitable[Response]]) -> AbstractContextManager[str]:
    """Something in Slack's place that gives every method this one answer; its address."""
    return served(Starlette(routes=[Route("/{method}", answer, methods=["GET", "POST"])]))


def slack_at(url: str, token: str = "xoxb-1") -> Slack:
    """Both clients without retries of their own, so that a test sees what one call sees."""
    client = AsyncWebClient(token=token, base_url=f"{url}/", timeout=60, retry_handlers=[])
    return Slack(poster=client, reader=client)


@pytest.mark.parametrize("kind", ANSWERS)
async def test_what_says_nothing_about_the_message_is_tried_again(kind: str) -> None:
    """No refusal: the job keeps what it owes, as long as it takes; after as long as Slack asks for."""

    async def answer(_request: Request) -> Response:
        return ANSWERS[kind]

    with proxy(answer) as url, pytest.raises(SlackUnavailable) as caught:
        await update(slack_at(url), ThreadRef("C1", None), "1.1", text="bonjour", blocks=None)
    assert caught.value.retry_after == (7.0 if kind == "a rate limit" else None)


async def test_a_refusal_is_not_tried_again() -> None:
    """The channel is archived: waiting changes nothing, so somebody has to be told."""

    async def answer(_request: Request) -> Response:
        return JSONResponse({"ok": False, "error": "is_archived"})

    with proxy(answer) as url, pytest.raises(SlackRefused, match="is_archived"):
        await update(slack_at(url), ThreadRef("C1", None), "1.1", text="bonjour", blocks=None)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
async def services(rig: Rig, tmp_path: Path) -> AsyncIterator[Services]:
    """What a job has, but for the parts that think: these jobs only show."""
    database = Database(migrated(tmp_path / "jobs.sqlite3"))
    slack = slack_at(f"{rig.sandbox.options.base_url}/api", str(rig.slack.token))
    yield Services(
        database=database, slack=slack, deps=cast(Deps, SimpleNamespace(telemetry=SILENT)), writer=None, terms=Terms()
    )
    database.close()


async def test_a_message_without_its_thread_stands_once_in_the_channel(rig: Rig, services: Services) -> None:
    """The root is gone: posted in the channel, and found there when the step is repeated."""
    root = await rig.say("Une question")
    await rig.post("delete", user=CAMILLE, channel=MARCHE, ts=root)
    place = ThreadRef(MARCHE, root, after=root)
    posted = [
        await post_once(services.slack, place, key="k1", text="une réponse", blocks=None, maybe_posted=True)
        for _ in range(3)
    ]
    assert len(set(posted)) == 1
    assert await rig.texts() == ["une réponse"]


async def test_a_lost_post_is_found_in_a_long_thread(rig: Rig, services: Services) -> None:
    """Slack's pages hold the oldest first: behind 250 replies, our message stands on the second one."""
    root = await rig.say("Une question")
    rig.chat(250, thread_ts=root)
    place = ThreadRef(MARCHE, root, after=root)
    first = await post_once(services.slack, place, key="k3", text="la nôtre", blocks=None, maybe_posted=False)
    again = await post_once(services.slack, place, key="k3", text="la nôtre", blocks=None, maybe_posted=True)
    assert first == again


async def test_a_search_reads_nothing_older_than_the_question(rig: Rig, services: Services) -> None:
    """However long a thread was before: one page is enough."""
    root = await rig.say("Un vieux fil")
    rig.chat(210, thread_ts=root)
    place = ThreadRef(MARCHE, root, after=await rig.say("Une question", thread_ts=root))
    await post_once(services.slack, place, key="k4", text="la nôtre", blocks=None, maybe_posted=True)
    assert [summary for summary, _ in rig.logged("api")].count(f"conversations.replies {MARCHE}") == 1


async def test_a_text_too_long_for_slack_is_cut_and_says_so(rig: Rig, services: Services) -> None:
    """Blocks are refused and the text is long: within the limit, at a word, with a word about it."""
    root = await rig.say("Une question")
    rig.sandbox.world.faults.invalid_blocks_once = 1
    await post_once(
        services.slack,
        ThreadRef(MARCHE, root),
        key="k2",
        text="phrase " * 2_000,
        blocks=blocks("x"),
        maybe_posted=False,
    )
    (said,) = await rig.replies(root, 1)
    assert len(said) <= PLAIN_TEXT_LIMIT
    assert said.endswith("demandez la suite)_")


async def test_a_person_is_told_in_private_where_the_channel_is_closed_to_us(rig: Rig, services: Services) -> None:
    """Never silent: we were thrown out of the channel between question and answer."""
    row = await asked(rig, services)
    rig.sandbox.world.workspace.channels[MARCHE].members.remove(rig.sandbox.world.workspace.app.user_id)
    await report_failure(services.database, services.slack, row["answer_id"], SlackRefused("not_in_channel"))
    (told,) = await rig.texts("D0CAMILLE")
    assert "QS-" in told


async def test_a_deleted_placeholder_does_not_hide_the_failure(rig: Rig, services: Services) -> None:
    """The apology is posted anew, once however often the step is repeated."""
    row = await asked(rig, services)
    ts = await post_once(services.slack, where(row), key="p", text="_Je lis…_", blocks=None, maybe_posted=False)
    await services.database.write(lambda c: answers.placed(c, row["answer_id"], ts=ts))
    await services.slack.poster.chat_delete(channel=MARCHE, ts=ts)
    for _ in range(2):
        await report_failure(services.database, services.slack, row["answer_id"], ValueError("cassé"))
    (told,) = await rig.replies(row["thread_ts"], 1)
    assert "QS-" in told


async def test_a_failure_after_an_answer_that_proposes_nothing_says_nothing(rig: Rig, services: Services) -> None:
    """The chart's step gave up, say: the thread would learn of a proposal that never was."""
    row = await asked(rig, services)
    ts = await post_once(services.slack, where(row), key="p", text="La réponse", blocks=None, maybe_posted=False)
    await services.database.write(lambda c: answers.placed(c, row["answer_id"], ts=ts))
    await services.database.write(lambda c: answers.shown(c, row["answer_id"]))
    await report_failure(services.database, services.slack, row["answer_id"], StoreUnavailable())
    assert await rig.replies(row["thread_ts"], 1) == ["La réponse"]


async def test_overlapping_updates_leave_the_card_as_its_row_stands(rig: Rig, services: Services) -> None:
    """An update of an older state that lands last looks again, so that no card stays at « écriture en cours »."""
    row = await asked(rig, services)
    proposal_id = await proposed(services, row)
    called = len(rig.logged("api"))
    rig.sandbox.world.faults.slow_api_ms = 2_000
    sent = asyncio.Event()

    async def reject() -> None:
        def move(connection: Any) -> bool:
            return proposals.move(connection, proposal_id, old="offered", new="rejected", actor=CAMILLE)

        await services.database.write(move)

    async def note(*_: object) -> None:
        sent.set()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(note)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        services.slack.poster.session = session
        # The first update has read its row before the rejection, and changes the message after it.
        showing = asyncio.create_task(show_card(services.database, services.slack, proposal_id))
        await sent.wait()
        await reject()
        rig.sandbox.world.faults.slow_api_ms = 0
        await showing
    assert len(rig.logged("api")) == called + 2
    shown = str((await rig.get("messages", channel=MARCHE, thread_ts=row["thread_ts"]))["messages"])
    assert "rejetée" in shown


async def asked(rig: Rig, services: Services) -> dict[str, Any]:
    """The row of a question that stands in the channel."""
    ts = await rig.say("Une question")
    message = Inbound("T0AUBRAC1", f"Ev{ts}", MARCHE, "channel", ts, ts, CAMILLE, "Une question")

    def claim(connection: Any) -> dict[str, Any]:
        inbox.accept(connection, message, enqueue=lambda *_: None)
        return answers.get(connection, message.answer_id)

    return await services.database.write(claim)


async def proposed(services: Services, row: dict[str, Any]) -> str:
    """A proposal whose card is posted."""
    action = {
        "kind": "create_note",
        "target": {"object": "deal", "id": "9001", "name": "Martin"},
        "fields": {"hs_note_body": "bonjour"},
        "summary": "Ajouter une note",
        "base": {},
    }
    values = {name: row[name] for name in ("team_id", "answer_id", "channel", "thread_ts")}
    values |= {"proposal_id": "p-1", "position": 0, "requested_by": CAMILLE, "action": action}
    values |= {"payload_hash": payload_hash(action), "expires_at": "2999-01-01T00:00:00.000+00:00"}
    await services.database.write(lambda c: proposals.offer(c, **values))
    stored = await services.database.read(lambda c: proposals.find(c, "p-1"))
    assert stored is not None
    ts = await post_once(
        services.slack, where(row), key="card", text=card_text(stored), blocks=card_blocks(stored), maybe_posted=False
    )
    await services.database.write(lambda c: proposals.carded(c, "p-1", card_ts=ts))
    return "p-1"


def blocks(text: str) -> list[dict[str, Any]]:
    return [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]


async def test_what_may_be_read_already_stands_in_the_placeholder(rig: Rig, services: Services) -> None:
    """In its blocks, while its plain text still says that more comes; nothing of it after the end."""
    root = await rig.say("Une question")
    place = ThreadRef(MARCHE, root)
    ts = await post_once(services.slack, place, key="k5", text="_Je lis…_", blocks=None, maybe_posted=False)
    progress = Progress(services.slack, place, ts, every=0.01, preview=lambda text: preview_blocks(text, "msg:T:C:1"))
    progress.show("Le Pinel est fermé [1].")
    await until(lambda: any(told.startswith("chat.update") for told, _ in rig.logged("api")))
    await progress.stop()
    progress.show("Trop tard.")
    thread = (await rig.get("messages", channel=MARCHE, thread_ts=root))["messages"]
    found = next(message for message in thread if message["ts"] == ts)
    assert found["text"].startswith("_")
    assert "Le Pinel est fermé [1]." in str(found["blocks"])
    assert "Trop tard" not in str(found)
