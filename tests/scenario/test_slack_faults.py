"""No duplicates and no losses, whatever Slack does: each test switches one of its faults on."""

import pytest

from tests.scenario.stage import TOULON, Stage
from tests.scenario.traces import RULES, calls, last_entry, lines, one_answer, until_card_says

pytestmark = pytest.mark.usefixtures("good_day")


# No duplicates.


def test_duplicates_are_answered_once(on_stage: Stage) -> None:
    """Both twins of a mention, each delivered twice, in any order."""
    on_stage.post("faults", duplicate_events=2)
    ts = on_stage.say(RULES)
    one_answer(on_stage, ts)
    on_stage.until(
        lambda: len(lines(on_stage, "message_left_alone", ts=ts, reason="already claimed")) == 3, "3 duplicates"
    )
    assert len(lines(on_stage, "message_kept", answer_id=f"msg:T0AUBRAC1:{TOULON}:{ts}")) == 1


def test_late_acks_and_redelivery_are_answered_once(on_stage: Stage) -> None:
    """Slack misses our acks and delivers again with retry headers: still one answer."""
    on_stage.post("faults", late_ack_ms=600, ack_ms=300, retry_delays=[0.1, 0.1])
    ts = on_stage.say(RULES)
    one_answer(on_stage, ts)
    on_stage.until(
        lambda: len(lines(on_stage, "message_left_alone", ts=ts, reason="already claimed")) >= 3, "redelivery"
    )
    assert len(on_stage.thread(ts)) == 1


@pytest.mark.parametrize("times", [1, 2])
def test_a_post_that_slack_kept_without_telling_is_found_again(on_stage: Stage, times: int) -> None:
    """The connection drops after the message was stored: found by its metadata, not posted again."""
    on_stage.post("faults", post_then_drop=times)
    one_answer(on_stage, on_stage.say(RULES))


def test_a_card_that_slack_kept_without_telling_is_posted_once(on_stage: Stage) -> None:
    """And a click that comes before the bot knows of its card is not lost: the card catches up."""
    ts, before = on_stage.say(RULES), len(on_stage.notes())
    one_answer(on_stage, ts)
    on_stage.post("faults", post_then_drop=2)
    on_stage.say("note ce résultat sur le dossier 9002", thread=ts)
    card = on_stage.card(ts)
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.cards(ts)) == 1
    assert len(on_stage.notes()) == before + 1


# Slack on a bad day.


@pytest.mark.parametrize(
    ("method", "times"), [("chat.update", 5), ("chat.postMessage", 6), ("conversations.replies", 4)]
)
def test_a_rate_limit_delays_the_answer_and_loses_nothing(on_stage: Stage, method: str, times: int) -> None:
    """More refusals in a row than any client retries by itself."""
    on_stage.post("faults", rate_limit={method: times}, retry_after_s=1, post_then_drop=int("replies" in method))
    one_answer(on_stage, on_stage.say(RULES))


def test_an_outage_of_slack_longer_than_any_retry_loses_nothing(on_stage: Stage) -> None:
    """A revoked token that is replaced 12 s later: the answer that was owed comes then."""
    on_stage.post("faults", auth_error="token_revoked")
    ts = on_stage.say(RULES)
    on_stage.until(lambda: len(calls(on_stage, "chat.startStream")) >= 5, "attempts")
    on_stage.post("faults")
    one_answer(on_stage, ts)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_blocks_that_slack_refuses_become_plain_text(on_stage: Stage, times: int) -> None:
    """The ladder: the answer and its sources are still readable."""
    on_stage.post("faults", invalid_blocks_once=times)
    answer = one_answer(on_stage, on_stage.say(RULES))
    assert "Pinel" in answer
    assert "https://" in answer
    assert lines(on_stage, "blocks_refused")


def test_a_slow_slack_slows_the_answer_and_no_more(on_stage: Stage) -> None:
    """Every call takes 700 ms; the ack does not wait for any of them."""
    on_stage.post("faults", slow_api_ms=700)
    before = last_entry(on_stage)
    one_answer(on_stage, on_stage.say(RULES))
    acks = [e for e in on_stage.get("log", after=before)["entries"] if e["kind"] == "ack"]
    assert acks
    assert {e["status"] for e in acks} == {"ok"}


@pytest.mark.parametrize("mode", ["abrupt", "refresh_requested", "too_many_websockets"])
def test_dropped_sockets_lose_no_message(on_stage: Stage, mode: str) -> None:
    """What was said while nobody listened is delivered after the reconnection."""
    on_stage.post("faults", retry_delays=[0.2] * 500)
    on_stage.post("faults", drop_sockets=mode)
    one_answer(on_stage, on_stage.say(RULES))
