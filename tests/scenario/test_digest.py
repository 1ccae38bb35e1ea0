"""A channel's digest in a real bot: posted at its start for a slot that has passed, asked about, clicked, and set."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.digests.due import PARIS, REFUSED_HOUR
from bot.digests.subscriptions import Wanted
from bot.store import subscriptions
from bot.store.database import Database
from bot.store.migrations import migrate_database
from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown, stage

TEAM, MARCHE, SHARED = "T0AUBRAC1", "C0MARCHE", "C0VAUBAN"


async def subscribed(url: str) -> None:
    """Since last week, for a slot of an hour or two ago."""
    migrate_database(url)
    database, now = Database(url), datetime.now(UTC)
    slot = (now - timedelta(hours=1)).astimezone(PARIS)
    if slot.hour == REFUSED_HOUR:
        slot -= timedelta(hours=1)
    wanted = Wanted(communes=("83137", "69266"), weekday=slot.isoweekday(), at=f"{slot:%H:%M}")
    since = (now - timedelta(days=7)).isoformat(timespec="milliseconds")
    await database.write(
        lambda c: subscriptions.put(c, team_id=TEAM, channel=TOULON, by=CAMILLE, moment=since, **wanted.columns())
    )
    database.close()


@pytest.fixture(scope="module")
def monday(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A bot that was down over the slot, and starts."""
    folder: Path = tmp_path_factory.mktemp("monday")
    asyncio.run(subscribed(f"sqlite:///{folder}/bot.sqlite3"))
    with stage(folder) as ready:
        yield ready


def roots(monday: Stage) -> list[dict[str, Any]]:
    messages = monday.get("messages", channel=TOULON)["messages"]
    return [m for m in messages if m.get("bot_id") and "Point de la semaine" in m["text"]]


def root(monday: Stage) -> dict[str, Any]:
    return monday.until(lambda: next(iter(roots(monday)), None), "digest")


def test_it_comes_with_prices_sources_chart_and_cards(monday: Stage) -> None:
    posted = root(monday)
    text = shown(posted)
    for said in ("Toulon", "Villeurbanne", "€/m²", "ventes", "Sources", "https://", "fictives"):
        assert said in text
    monday.until(lambda: any(m.get("files") for m in monday.thread(posted["ts"])), "chart")
    monday.until(lambda: monday.cards(posted["ts"]), "cards")


def test_a_question_under_it_needs_no_mention_and_knows_it(monday: Stage) -> None:
    """A colleague who never spoke with us there."""
    ts = root(monday)["ts"]
    monday.say("pourquoi cette hausse ?", thread=ts, user=HUGO)
    answer = monday.answer(ts, count=2)  # the digest itself is the thread's first
    assert "Toulon" in answer
    assert "€/m²" in answer
    assert "HubSpot" not in answer


def test_a_click_on_its_card_writes_once(monday: Stage) -> None:
    """Anybody of the team may: nobody in particular asked."""
    ts, before = root(monday)["ts"], written(monday)
    card = monday.until(lambda: next(iter(monday.cards(ts)), None), "card")
    monday.click(card, "approve", user=HUGO)
    monday.until(lambda: written(monday) == before + 1, "note or task")
    monday.click(card, "approve", user=CAMILLE, value=card["blocks"][-1]["elements"][0]["value"])
    monday.until(lambda: any("déjà été" in shown(m) for m in monday.thread(ts)), "whisper")
    assert written(monday) == before + 1


def written(monday: Stage) -> int:
    """Notes and tasks: a line about what is still to come proposes a task."""
    crm = monday.get("crm")
    return len(crm["notes"]) + len(crm["tasks"])


def test_a_restart_posts_no_second_one(monday: Stage) -> None:
    root(monday)
    monday.post("process", action="kill")
    ts = monday.say("@bot bonjour", channel=MARCHE)
    monday.answer(ts, channel=MARCHE)
    assert len(roots(monday)) == 1


def form(monday: Stage, channel: str = MARCHE, user: str = CAMILLE) -> dict[str, Any]:
    for view in monday.get("views", user=user)["modals"]:
        monday.post("close", user=user, view_id=view["id"])
    monday.post("command", user=user, channel=channel, command="/quartier", text="digest")

    def filled() -> dict[str, Any] | None:
        views = monday.get("views", user=user)["modals"]
        return next((view for view in views if view["submit"]), None)

    return monday.until(filled, "form")


def whispers(monday: Stage, words: str, channel: str = MARCHE) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        messages = monday.get("messages", channel=channel, user=CAMILLE)["messages"]
        return next((m for m in messages if m.get("ephemeral_to") and words in shown(m)), None)

    return monday.until(look, f"whisper « {words} »")


def test_the_form_proposes_the_towns_of_open_deals_and_keeps_what_is_chosen(monday: Stage) -> None:
    view = form(monday)
    assert "Toulon (83)" in str(view)
    values = {"communes": ["83137"], "others": "Hyères", "schemes": ["lmnp"], "weekday": "5", "at": "09:30"}
    monday.post("submit", user=CAMILLE, view_id=view["id"], values=values)
    said = whispers(monday, "Point réglé")
    assert "Toulon, Hyères" in shown(said)
    assert "vendredi" in shown(said)
    again = form(monday, user=HUGO)
    assert f"<@{CAMILLE}>" in str(again)
    assert "Hyères (83)" in str(again)


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        ({"at": "02:30"}, "at", "autre heure"),
        ({"others": "Saint-Denis"}, "others", "97411"),
        ({"others": "Trifouillis"}, "others", "Trifouillis"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(
    monday: Stage, values: dict[str, str], field: str, sentence: str
) -> None:
    view = form(monday)
    answer = monday.post("submit", user=CAMILLE, view_id=view["id"], values=values)
    assert sentence in answer["errors"][field]


def test_a_preview_is_for_one_person_and_posts_nothing(monday: Stage) -> None:
    view = form(monday)
    values = {"communes": ["83137"], "at": "09:00"}
    monday.post("click", user=CAMILLE, view_id=view["id"], action_id="digest_preview", values=values)
    seen = whispers(monday, "Aperçu")
    assert "€/m²" in shown(seen)
    others = monday.get("messages", channel=MARCHE, user=HUGO)["messages"]
    assert not any("Aperçu" in shown(m) for m in others)


def test_pause_resume_and_stop_are_said_and_recorded(monday: Stage) -> None:
    view = form(monday)
    monday.post("submit", user=CAMILLE, view_id=view["id"], values={"communes": ["83137"]})
    for action, words in (("pause", "en pause"), ("resume", "reprend"), ("stop", "est arrêté")):
        view = form(monday, user=HUGO)
        monday.post("click", user=HUGO, view_id=view["id"], action_id=f"digest_{action}")
        monday.until(lambda w=words: w in str(monday.get("views", user=HUGO)["modals"]), words)
    assert f"<@{HUGO}>" in str(form(monday, user=HUGO))


def test_a_shared_channel_needs_an_explicit_choice(monday: Stage) -> None:
    """Another company reads there; no town of a deal is proposed either."""
    view = form(monday, SHARED)
    assert "dossier" not in str(view).replace("dossiers ouverts", "")
    answer = monday.post("submit", user=CAMILLE, view_id=view["id"], values={"others": "Toulon"})
    assert "autre entreprise" in str(answer["errors"])
    values = {"others": "Toulon", "shared_allowed": ["yes"]}
    assert monday.post("submit", user=CAMILLE, view_id=view["id"], values=values)["ok"]


@pytest.mark.parametrize("user", ["U0LEA", "U0PAUL"], ids=["guest", "outsider"])
def test_guests_and_outsiders_set_nothing(monday: Stage, user: str) -> None:
    channel = TOULON if user == "U0LEA" else SHARED
    monday.post("command", user=user, channel=channel, command="/quartier", text="digest")

    def told() -> bool:
        messages = monday.get("messages", channel=channel, user=user)["messages"]
        return any("Seuls les membres" in m["text"] for m in messages)

    monday.until(told, "refusal")
    assert not monday.get("views", user=user)["modals"]


def test_a_slow_slack_and_a_slow_hubspot_do_not_keep_the_form_closed(monday: Stage) -> None:
    """It opens empty within Slack's three seconds, and says what it did without."""
    monday.post("faults", hubspot={"mode": "slow", "seconds": 8, "count": 20}, slow_api_ms=900)
    try:
        view = form(monday)
    finally:
        monday.post("faults")
    assert "digest_preview" in str(view)
