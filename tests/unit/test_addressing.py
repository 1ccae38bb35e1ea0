"""Who is spoken to: mentions, direct messages and follow-ups are ours; the rest is left alone."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.conversations.addressing import Candidate, is_for_us, plain_text, read_event
from bot.store import inbox
from bot.store.tables import metadata

BOT = "U0BOT"


def _event(text: str, **fields: Any) -> dict[str, Any]:
    event = {"type": "message", "channel": "C1", "ts": "1.1", "user": "U1", "team": "T1", "text": text} | fields
    return {"team_id": "T1", "event_id": "Ev1", "event": {k: v for k, v in event.items() if v is not None}}


def _candidate(text: str, **fields: Any) -> Candidate:
    candidate = read_event(_event(text, **fields), bot_user_id=BOT)
    assert isinstance(candidate, Candidate)
    return candidate


@pytest.fixture
def connection() -> Any:
    engine = sa.create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _speak(connection: sa.Connection, *, user: str, thread: str) -> None:
    message = inbox.Inbound("T1", f"Ev-{user}-{thread}", "C1", "channel", thread, thread, user, "bonjour")
    assert inbox.accept(connection, message, enqueue=lambda *_: None)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"subtype": "message_changed"}, "subtype message_changed"),
        ({"subtype": "message_deleted"}, "subtype message_deleted"),
        ({"subtype": "bot_message"}, "subtype bot_message"),
        ({"bot_id": "B9"}, "not a person"),
        ({"user": BOT}, "not a person"),
        ({"user": None}, "not a person"),
        ({"ts": None}, "no place"),
    ],
)
def test_what_no_person_said_is_left_alone_with_a_reason(fields: dict[str, Any], reason: str) -> None:
    """Edits, deletions, other bots and our own echo await no answer."""
    assert read_event(_event(f"<@{BOT}> bonjour", **fields), bot_user_id=BOT) == reason


def test_a_mention_and_a_direct_message_are_ours(connection: sa.Connection) -> None:
    """Neither needs a thread that we know."""
    assert is_for_us(connection, _candidate(f"<@{BOT}> le Pinel ?")) is None
    assert is_for_us(connection, _candidate("le Pinel ?", channel="D1", channel_type="im")) is None


def test_a_channel_message_without_mention_is_left_alone(connection: sa.Connection) -> None:
    """People talk to each other in channels."""
    assert is_for_us(connection, _candidate("le Pinel ?")) == "not addressed"


def test_a_follow_up_needs_no_second_mention(connection: sa.Connection) -> None:
    """Who spoke with us in the thread goes on speaking with us there."""
    _speak(connection, user="U1", thread="1.0")
    assert is_for_us(connection, _candidate("et pour les maisons ?", thread_ts="1.0")) is None


def test_colleagues_in_our_thread_are_not_interrupted(connection: sa.Connection) -> None:
    """Another person, or a message that opens with another's name, is not for us; another thread neither."""
    _speak(connection, user="U1", thread="1.0")
    assert is_for_us(connection, _candidate("je m'en occupe", user="U2", thread_ts="1.0")) is not None
    assert is_for_us(connection, _candidate("<@U2> tu confirmes ?", thread_ts="1.0")) == "addressed to somebody else"
    assert is_for_us(connection, _candidate("et ici ?", thread_ts="9.9")) == "not our thread"


def test_slacks_escapes_become_what_was_written() -> None:
    """Our mention goes, links and entities become readable, a channel ping becomes nothing."""
    raw = f"<@{BOT}> prix &lt; 3 000 &amp; <https://a.fr/x|le site> <!channel> <#C2|lyon>"
    assert plain_text(raw, bot_user_id=BOT) == "prix < 3 000 & le site  #lyon"


def test_the_team_is_the_one_that_installed_us() -> None:
    """In a channel shared between firms `event.team` is the writer's firm, whose documents are not ours to read."""
    assert _candidate("<@U0BOT> bonjour", team="T-AUTRE").message.team_id == "T1"
