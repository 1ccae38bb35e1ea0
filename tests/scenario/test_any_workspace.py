"""Workspaces that install the bot by themselves: Slack's flow in a browser's steps, each team with its own token."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.scenario.stage import Stage, shown, stage
from tests.scenario.traces import lines, rows

AUBRAC, BREHAT = "T0AUBRAC1", "T0BREHAT1"
BREST, MAEL = "C0BREST", "U0MAEL"
RULES = "Le Pinel existe-t-il encore ?"


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("oauth"), options=("--oauth",)) as ready:
        install(ready, AUBRAC)
        install(ready, BREHAT)
        yield ready


def install(on: Stage, team: str, *, org: bool = False) -> httpx.Response:
    """As a browser does it: the bot's link, Slack's page and its button, back to the bot."""
    with httpx.Client(base_url=on.get("state")["installing"], trust_env=False, timeout=30.0) as browser:
        asked = browser.get("/slack/install", params={"team": team})
        assert asked.status_code == 302
        page = httpx.get(asked.headers["location"], trust_env=False)
        assert "Autoriser" in page.text
        form = {name: values[0] for name, values in parse_qs(urlsplit(asked.headers["location"]).query).items()}
        said = {**form, "team": team, "said": "yes"} | ({"org": "1"} if org else {})
        agreed = on.http.post("/oauth/v2/authorize", data=said)
        # The cookie is for https, which loopback is not.
        cookie = asked.headers["set-cookie"].partition(";")[0]
        done = browser.get(agreed.headers["location"], headers={"Cookie": cookie})
    assert done.status_code == 200, done.text
    return done


def ask(on: Stage, text: str, *, team: str, user: str, channel: str) -> str:
    bot = on.get("state", workspace=team)["bot"]["user_id"]
    said = on.post("say", workspace=team, user=user, channel=channel, text=f"<@{bot}> {text}")
    return str(said["ts"])


def answered(on: Stage, ts: str, *, team: str, channel: str) -> str:
    """The finished answer in that workspace's thread."""

    def look() -> str | None:
        found = on.get("messages", workspace=team, channel=channel, thread_ts=ts)["messages"]
        texts = [shown(message) for message in found if message.get("bot_id")]
        return next((text for text in texts if "Sources" in text), None)

    return on.until(look, f"answer in {team}")


def test_a_second_workspace_asks_and_is_answered_with_its_own_token(on: Stage) -> None:
    """The same process answers both; no call of one team's thread is made with the other's token."""
    ts = ask(on, RULES, team=BREHAT, user=MAEL, channel=BREST)
    assert "Pinel" in answered(on, ts, team=BREHAT, channel=BREST)
    ours = ask(on, RULES, team=AUBRAC, user="U0CAMILLE", channel="C0TOULON")
    assert "Pinel" in answered(on, ours, team=AUBRAC, channel="C0TOULON")
    assert {row["team_id"] for row in rows(on, "select team_id from answer")} == {AUBRAC, BREHAT}


def test_tokens_stand_sealed_in_the_database(on: Stage) -> None:
    held: list[dict[str, Any]] = rows(on, "select bot_token, bot_refresh_token from slack_bot")
    assert len(held) >= 2
    assert all(str(value).startswith("scellé:") for row in held for value in row.values())
    assert "xoxe" not in on.log.read_text()


def test_a_token_that_ends_in_mid_answer_is_renewed_and_the_answer_comes(on: Stage) -> None:
    """Slack says token_expired to whatever is called next; the refresh token serves once, and the next one is kept."""
    before = rows(on, "select bot_token from slack_bot where team_id = ?", BREHAT)
    ts = ask(on, RULES, team=BREHAT, user=MAEL, channel=BREST)
    on.post("installation", workspace=BREHAT, act="expire")
    assert "Pinel" in answered(on, ts, team=BREHAT, channel=BREST)
    on.post("installation", workspace=BREHAT, act="expire")
    again = ask(on, RULES, team=BREHAT, user=MAEL, channel=BREST)
    assert "Pinel" in answered(on, again, team=BREHAT, channel=BREST)
    assert lines(on, "token_renewed", team=BREHAT)
    assert rows(on, "select bot_token from slack_bot where team_id = ?", BREHAT) != before


def test_a_link_serves_once_in_its_own_browser_and_a_no_installs_nothing(on: Stage) -> None:
    base = on.get("state")["installing"]
    with httpx.Client(base_url=base, trust_env=False, timeout=30.0) as browser:
        asked = browser.get("/slack/install")
        cookie = {"Cookie": asked.headers["set-cookie"].partition(";")[0]}
        state = parse_qs(urlsplit(asked.headers["location"]).query)["state"][0]
        back = {"code": "invente", "state": state}
        stranger = browser.get("/slack/oauth_redirect", params=back)
        assert (stranger.status_code, "navigateur" in stranger.text) == (400, True)
        assert "n'a pas reconnu" in browser.get("/slack/oauth_redirect", params=back, headers=cookie).text
        assert "expiré" in browser.get("/slack/oauth_redirect", params=back, headers=cookie).text
        refused = browser.get("/slack/oauth_redirect", params={"error": "access_denied", "state": state})
        assert "annulée" in refused.text


def test_who_uninstalls_is_gone_at_once_and_may_come_back_for_the_whole_organisation(on: Stage) -> None:
    """Tokens go with the ack; nothing of the team is lost yet; what waits ends quietly. A second installation, now of
    the organisation, takes the departure back, and Slack's late repetition of it changes nothing."""
    kept = rows(on, "select count(*) as n from answer where team_id = ?", BREHAT)
    before = len(lines(on, "reply_failed"))
    waiting = ask(on, "quels sont les plafonds du PTZ ?", team=BREHAT, user=MAEL, channel=BREST)
    on.post("installation", workspace=BREHAT, act="uninstall")
    on.until(lambda: lines(on, "workspace_left", team=BREHAT), "departure")
    assert not rows(on, "select 1 from slack_bot where team_id = ?", BREHAT)
    assert not rows(on, "select 1 from slack_installation where team_id = ?", BREHAT)
    assert not rows(on, "select 1 from crm_account where team_id = ?", BREHAT)
    (row,) = rows(on, "select left_at, forget_at, installed_at from workspace where team_id = ?", BREHAT)
    assert row["forget_at"] > row["left_at"]
    assert rows(on, "select count(*) as n from answer where team_id = ?", BREHAT)[0]["n"] >= kept[0]["n"]
    install(on, BREHAT, org=True)
    ts = ask(on, RULES, team=BREHAT, user=MAEL, channel=BREST)
    assert "Pinel" in answered(on, ts, team=BREHAT, channel=BREST)
    place = {"workspace": BREHAT, "user": MAEL, "channel": BREST}
    assert on.post("command", **place, command="/quartier", text="aide")["acked"]
    card = next(m for m in on.get("messages", **place, thread_ts=ts)["messages"] if "Sources" in shown(m))
    assert on.post("click", **place, ts=card["ts"], action_id="feedback_useful")["acked"]
    on.until(lambda: rows(on, "select 1 from feedback where team_id = ?", BREHAT), "verdict")
    (held,) = rows(on, "select enterprise_id, team_id, is_enterprise_install from slack_bot where team_id is null")
    assert held["is_enterprise_install"]
    (back,) = rows(on, "select left_at, forget_at, org_install from workspace where team_id = ?", BREHAT)
    assert (back["left_at"], back["forget_at"], bool(back["org_install"])) == (None, None, True)
    assert len(lines(on, "reply_failed")) == before, waiting
    ours = ask(on, RULES, team=AUBRAC, user="U0CAMILLE", channel="C0TOULON")
    assert "Pinel" in answered(on, ours, team=AUBRAC, channel="C0TOULON")
