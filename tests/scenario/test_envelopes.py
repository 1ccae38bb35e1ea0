"""What is around an event: another team's, Slack's own notices, a workspace without agent features, an error told."""

import pytest

from tests.scenario.stage import CAMILLE, TOULON, Stage, shown
from tests.scenario.traces import RULES, calls, last_entry, lines, one_answer, rows, unacked

pytestmark = pytest.mark.usefixtures("good_day")

OUTSIDE = "T0AUTRE"


def test_an_event_of_a_team_that_is_not_ours_is_left_alone(on_stage: Stage) -> None:
    """Uninstalled, or never installed: acked, a log line, no row, and nothing asked of Slack with our token."""
    before, text = last_entry(on_stage), f"<@{on_stage.bot}> dossier 9001 ?"
    event = {"type": "message", "channel": TOULON, "user": CAMILLE, "ts": "42.000001", "text": text, "team": OUTSIDE}
    for kind in ("message", "app_mention"):
        on_stage.post("emit", event=event | {"type": kind}, team=OUTSIDE)
    home = {"type": "app_home_opened", "user": CAMILLE, "channel": "D0CAMILLE", "tab": "home"}
    on_stage.post("emit", event=home, team=OUTSIDE)
    on_stage.until(lambda: len(lines(on_stage, "event_of_another_team", team=OUTSIDE)) == 3, "three log lines")
    one_answer(on_stage, on_stage.say(RULES))
    assert not rows(on_stage, "select 1 from answer where team_id = ? or answer_id like '%42.000001'", OUTSIDE)
    assert not calls(on_stage, "views.publish", after=before)
    assert not unacked(on_stage, after=before)


def test_slacks_notice_that_it_sends_no_more_is_acked(on_stage: Stage) -> None:
    """It is no event: with anything but 200 Slack would count it as a failed delivery."""
    before = last_entry(on_stage)
    on_stage.post("emit", payload={"type": "app_rate_limited", "team_id": "T0AUBRAC1", "minute_rate_limited": 1})
    on_stage.until(lambda: lines(on_stage, "slack_limits_events", minute=1), "log line")
    assert not unacked(on_stage, after=before)


def test_a_workspace_without_agent_features_lacks_the_suggestions_alone(on_stage: Stage) -> None:
    """No error in the log, and an answer in the direct message."""
    on_stage.post("faults", no_agent=True)
    on_stage.post("open_dm", user=CAMILLE)
    on_stage.until(lambda: lines(on_stage, "no_prompts_here", code="feature_not_enabled"), "log line")
    assert not lines(on_stage, "listener_failed")
    ts = on_stage.say("Mon client peut-il encore acheter en Pinel ?", channel="D0CAMILLE")
    assert "Pinel" in on_stage.answer(ts, channel="D0CAMILLE")


def test_a_command_that_fails_is_told_where_it_was_typed(on_stage: Stage) -> None:
    """Through the address that came with it, which works where the bot is no member; with a reference."""
    before = last_entry(on_stage)
    on_stage.post("faults", rate_limit={"views.open": 9})
    on_stage.post("command", user=CAMILLE, channel=TOULON, command="/quartier", text="sources")

    def told() -> bool:
        messages = on_stage.get("messages", channel=TOULON, user=CAMILLE)["messages"]
        return any("Cette commande n'a pas abouti" in shown(m) and "QS-" in shown(m) for m in messages)

    on_stage.until(told, "the error")
    assert not calls(on_stage, "chat.postEphemeral", after=before)
