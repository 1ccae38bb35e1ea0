"""Bad input of a digest: it still comes, once, and says what it lacks; or who set it up is told why it cannot."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from bot.conversations.addressing import Candidate, is_for_us
from bot.digests.publishing import follow, key_of, post, prepare
from bot.ports import Visitor
from bot.proposals import deciding
from bot.proposals.lifecycle import Terms
from bot.store import answers, digests, news, proposals, subscriptions, threads
from bot.store import tables as t
from bot.store.database import Database
from bot.store.inbox import Inbound
from tests.digesting import prices
from tests.integration.digest_desk import TEAM, Desk, Prices, desk_at
from tests.integration.sandbox_rig import CAMILLE, HUGO, MARCHE, PRIVATE, Rig, rigged

pytest_plugins = ("tests.contract.databases",)
pytestmark = pytest.mark.filterwarnings("ignore")
SHARED = "C0VAUBAN"
TOMORROW = {"hours": 12}


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


@pytest.fixture
def desk(rig: Rig, database: Database) -> Desk:
    return desk_at(rig, database, "2026-11-22T20:00")


async def whispers(desk: Desk, channel: str = "D0CAMILLE") -> list[str]:
    return [m["text"] for m in (await desk.rig.get("messages", channel=channel))["messages"]]


@pytest.mark.parametrize("how", ["archived", "removed", "gone"])
async def test_a_channel_that_is_closed_to_us_is_paused_and_its_member_told_once(desk: Desk, how: str) -> None:
    """Archived, without us, or unknown: nothing is posted, nobody is told every week."""
    workspace = desk.rig.sandbox.world.workspace
    await desk.subscribe()
    if how == "archived":
        workspace.channels[MARCHE].archived = True
    elif how == "removed":
        workspace.channels[MARCHE].members.remove(workspace.app.user_id)
    else:
        del workspace.channels[MARCHE]
    await desk.pass_time(**TOMORROW)
    await desk.pass_time(days=7)
    assert await desk.states() == {"2026-W48": "failed"}
    told = await whispers(desk)
    assert len([text for text in told if "n'a pas pu paraître" in text]) == 1
    row = await desk.database.read(lambda c: subscriptions.find(c, team_id=TEAM, channel=MARCHE))
    assert row is not None
    assert row["state"] == "paused"


async def test_a_channel_that_became_shared_gets_nothing_that_nobody_chose(desk: Desk) -> None:
    await desk.subscribe(SHARED)
    await desk.pass_time(**TOMORROW)
    assert await desk.states() == {"2026-W48": "failed"}
    assert await desk.posts(SHARED) == []
    assert "partagé avec une autre entreprise" in (await whispers(desk))[-1]


async def test_a_shared_channel_that_was_chosen_gets_public_knowledge_only(desk: Desk) -> None:
    """No deal, no card."""
    await desk.subscribe(SHARED, shared_allowed=True)
    await desk.pass_time(**TOMORROW)
    (posted,) = await desk.posts(SHARED)
    assert "Toulon" in str(posted["blocks"])
    assert "Benali" not in str(posted)
    assert not [m for m in await desk.replies(posted["ts"], SHARED) if "Proposition" in m["text"]]


async def test_who_left_does_not_take_the_digest_along(desk: Desk) -> None:
    """It comes, says that nobody looks after it, and any member may click its card."""
    desk.rig.sandbox.world.workspace.users["U0GONE"] = _deactivated(desk)
    await desk.subscribe(by="U0GONE")
    await desk.pass_time(**TOMORROW)
    (posted,) = await desk.posts()
    assert "n'est plus membre" in str(posted["blocks"])


def _deactivated(desk: Desk) -> Any:
    from dataclasses import replace

    return replace(desk.rig.sandbox.world.workspace.users[HUGO], id="U0GONE", deleted=True)


async def test_sources_that_are_down_are_named(desk: Desk) -> None:
    desk.tools = {"sales": Prices(error="Le service de prix est indisponible.")}
    await desk.subscribe()
    await desk.pass_time(**TOMORROW)
    (posted,) = await desk.posts()
    assert "Le service de prix est indisponible" in str(posted["blocks"])
    assert "calme" not in posted["text"]


async def test_the_second_digest_says_only_what_changed(desk: Desk) -> None:
    """A baseline, a quiet week, a new publication."""
    await desk.subscribe()
    await desk.pass_time(**TOMORROW)
    await desk.pass_time(days=7)
    desk.tools = {"sales": Prices(prices(year=2026, median=2700, sales=1500))}
    await desk.pass_time(days=7)
    first, second, third = [m["text"] for m in await desk.posts()]
    assert "2\u202f598" in first
    assert "Semaine calme" in second
    assert "2\u202f598" not in second
    assert "Nouveau millésime" in third


async def test_a_new_year_is_drawn_with_those_that_the_source_shows_no_more(desk: Desk) -> None:
    """From the weeks' snapshots."""
    desk.tools = {"sales": Prices(prices(series=[yearly(2023, 2024, 2025)]))}
    await desk.subscribe()
    await desk.pass_time(**TOMORROW)
    desk.tools = {"sales": Prices(prices(year=2026, median=2700, series=[yearly(2025, 2026)]))}
    await desk.pass_time(days=7)
    row = await desk.database.read(lambda c: digests.get(c, (TEAM, MARCHE, 2026, 49)))
    ((chart,),) = (row["content"]["charts"],)
    assert [point[0] for point in chart["series"][0]["points"]] == [2023, 2024, 2025, 2026]


def yearly(*years: int) -> dict[str, Any]:
    return {"label": "Appartements", "unit": "€/m²", "points": [[year, 2000.0 + year, 1500] for year in years]}


async def test_official_news_since_the_last_digest_are_told_once(desk: Desk) -> None:
    """By when they came to be known; the next week has its own."""
    await desk.subscribe()
    for number, seen in (("1", "2026-11-20T10"), ("2", "2026-11-27T10")):
        await desk.database.write(lambda c, n=number, s=seen: news.add(c, [publication(n, seen_at=s)]))  # type: ignore[misc]
    await desk.pass_time(**TOMORROW)
    await desk.pass_time(days=7)
    first, second = [m["text"] for m in await desk.posts()]
    assert ("numéro 1" in first, "numéro 2" in first) == (True, False)
    assert ("numéro 1" in second, "numéro 2" in second) == (False, True)
    assert "Publications officielles" in second


def publication(number: str, **other: Any) -> dict[str, Any]:
    texts = {"title": f"Un décret numéro {number} sur les loyers", "url": f"https://www.anil.org/{number}", "lead": ""}
    blank = {"content": "", "title_key": number, "sketch": b"", "marks": "", "embedded": False, "copy_of": None}
    known = {"item_id": f"news:{number}", "feed_id": "anil", "publisher": "ANIL", "state": "kept", "topic": "loyers"}
    return {**texts, **blank, **known, "schemes": [], "published_on": "2026-11-20", **other}


async def test_one_commune_is_read_once_for_all_channels_of_the_team(desk: Desk) -> None:
    tool = Prices()
    desk.tools = {"sales": tool}
    for channel in (MARCHE, "C0TOULON", PRIVATE):
        await desk.subscribe(channel)
    await desk.pass_time(**TOMORROW)
    assert tool.asked == 1
    assert len(await desk.posts(PRIVATE)) == 1


async def test_a_slack_that_swallows_its_answer_has_the_digest_once(desk: Desk) -> None:
    """The message was kept, the connection cut: it is found, not posted again."""
    from bot.slack.delivery import SlackUnavailable

    await desk.subscribe()
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    (subject,) = desk.enqueued
    await desk.rig.post("faults", post_then_drop=1)
    await prepare(desk.publishing, subject)
    with pytest.raises(SlackUnavailable):
        await post(desk.publishing, subject)
    await desk.work()
    assert len(await desk.posts()) == 1


async def test_content_that_was_changed_after_it_was_frozen_is_not_posted(desk: Desk) -> None:
    await desk.subscribe()
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    (subject,) = desk.enqueued
    await prepare(desk.publishing, subject)
    await desk.database.write(lambda c: c.execute(t.digest.update().values(content={"text": "autre"})))
    await desk.work()
    assert await desk.posts() == []
    assert await desk.states() == {"2026-W48": "failed"}


async def test_a_subscription_that_was_stopped_meanwhile_posts_nothing(desk: Desk) -> None:
    await desk.subscribe()
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    await desk.database.write(
        lambda c: subscriptions.move(c, team_id=TEAM, channel=MARCHE, to="stopped", by=HUGO, moment="2026")
    )
    await desk.work()
    assert await desk.posts() == []
    assert await desk.states() == {"2026-W48": "cancelled"}


async def posted_digest(desk: Desk) -> tuple[str, str]:
    """(subject, ts) of a digest that stands."""
    await desk.subscribe()
    desk.at = desk.at.replace(day=23, hour=8)
    await desk.tick()
    (subject,) = desk.enqueued
    await desk.work()
    row = await desk.database.read(lambda c: digests.get(c, key_of(subject)))
    return subject, row["ts"]


async def test_its_thread_is_ours_for_questions_and_not_for_talk(desk: Desk) -> None:
    _subject, ts = await posted_digest(desk)

    def why_not(text: str) -> Any:
        message = Inbound(TEAM, "E1", MARCHE, "channel", "9.9", ts, HUGO, text)
        candidate = Candidate(message, mentioned=False, to_others=False, in_thread=True)
        return desk.database.read(lambda c: is_for_us(c, candidate))

    assert await why_not("pourquoi cette hausse ?") is None
    assert await why_not("ok merci, vu avec le client") is not None


async def test_its_thread_knows_what_it_said(desk: Desk) -> None:
    """History and memory: text, communes, sources and figures."""
    _subject, ts = await posted_digest(desk)
    asked = {
        "team_id": TEAM, "thread_key": f"{MARCHE}:{ts}", "channel": MARCHE, "channel_type": "channel",
        "answer_id": "msg", "asked_at": "2999",
    }  # fmt: skip
    turns = await desk.database.read(lambda c: threads.history(c, asked))
    assert "2\u202f598" in turns[-1].text
    assert turns[-1].communes == ("83137",)
    assert any("datafoncier" in source for _number, source in turns[-1].sources)
    memory = await desk.database.read(lambda c: threads.memory(c, asked))
    assert memory["frames"][-1]["communes"] == ["83137"]


@pytest.mark.parametrize(
    ("by", "verdict"),
    [
        (Visitor("member", HUGO, TEAM, shared_channel=False), "accepted"),
        (Visitor("guest", "U0LEA", TEAM, shared_channel=False), "stranger"),
        (Visitor("outsider", "U0PAUL", "T0VAUBAN1", shared_channel=False), "stranger"),
    ],
    ids=["member", "guest", "outsider"],
)
async def test_any_member_may_decide_on_its_cards_and_nobody_else(desk: Desk, by: Visitor, verdict: str) -> None:
    """Nobody asked for them: a colleague's click is as good as another's."""
    await posted_digest(desk)
    row = await desk.database.read(lambda c: c.execute(sa.select(t.proposal)).mappings().one())
    decided = await desk.database.write(
        lambda c: deciding.reject(c, row["proposal_id"], team_id=TEAM, by=by, name="x", terms=Terms())
    )
    assert decided.verdict == verdict


async def test_following_twice_adds_nothing(desk: Desk) -> None:
    """A card, a picture and its table."""
    subject, ts = await posted_digest(desk)
    before = await desk.replies(ts)
    await follow(desk.publishing, subject, enqueue=lambda *_: None)
    await post(desk.publishing, subject)
    assert len(await desk.replies(ts)) == len(before) == 3
    found = await desk.database.read(
        lambda c: proposals.of_answer(c, answers.posted_as(c, team_id=TEAM, channel=MARCHE, ts=ts)["answer_id"])  # type: ignore[index]
    )
    assert [row["requested_by"] for row in found] == ["digest"]
    assert CAMILLE not in str(found)
