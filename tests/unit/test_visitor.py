"""Who speaks, from the fields of Slack's payloads; in doubt, nobody who may read or decide."""

from typing import Any

import pytest

from bot.conversations.addressing import Candidate, read_event
from bot.conversations.visitor import Visitor, foreign_team, installed_team, is_shared, kind_of

OURS, THEIRS, OUR_ORG, THEIR_ORG = "T0OURS", "T0THEIRS", "E0OURS", "E0THEIRS"
MEMBER = {"team_id": OURS, "is_bot": False, "is_restricted": False, "is_ultra_restricted": False}


def body(*, outer: str = OURS, shared: bool = True, organisation: str | None = None, **event: Any) -> dict[str, Any]:
    """The envelope that Slack sends to the app of `OURS`."""
    authorization = {"enterprise_id": organisation, "team_id": OURS, "user_id": "U0BOT", "is_bot": True}
    spoken = {"type": "message", "user": "U1", "channel": "C1", "ts": "1.1", "text": "<@U0BOT> bonjour", **event}
    return {
        "team_id": outer,
        "context_team_id": OURS,
        "event_id": f"Ev-{outer}",
        "authorizations": [authorization],
        "is_ext_shared_channel": shared,
        "event": spoken,
    }


MESSAGE = body(outer=THEIRS, team=THEIRS)
TWIN = body(type="app_mention", team=OURS, user_team=THEIRS, source_team=THEIRS)


def test_a_message_and_its_twin_are_one() -> None:
    """Their outer teams differ; the team that installed us, and so the answer's id, do not."""
    both = [read_event(one, bot_user_id="U0BOT") for one in (MESSAGE, TWIN)]
    ids = {one.message.answer_id for one in both if isinstance(one, Candidate)}
    assert ids == {"msg:T0OURS:C1:1.1"}


@pytest.mark.parametrize(
    ("given", "team"),
    [
        ({"team_id": THEIRS, "context_team_id": OURS, "authorizations": [{"team_id": OURS}]}, OURS),
        ({"team_id": OURS, "context_team_id": OUR_ORG, "authorizations": [{"team_id": OURS}]}, OURS),
        ({"team_id": THEIRS, "context_team_id": OURS, "authorizations": []}, OURS),
        ({"team_id": OURS}, OURS),
        ({"team_id": OURS, "authorizations": [None]}, OURS),
        ({"event": {"team": THEIRS}}, ""),
    ],
)
def test_the_installed_team_is_the_authorized_one(given: dict[str, Any], team: str) -> None:
    """Never the writer's: with nothing else to go by, none."""
    assert installed_team(given) == team


@pytest.mark.parametrize(
    ("event", "team"),
    [
        (MESSAGE, THEIRS),
        (TWIN, THEIRS),
        (body(type="app_mention", team=OURS, source_team=THEIR_ORG), THEIR_ORG),
        (body(team=OURS, user_team=OURS, source_team=THEIRS), None),
        (body(team=OURS, user_team=OUR_ORG, organisation=OUR_ORG), None),
        (body(team=THEIRS, user_team=OURS), THEIRS),
        (body(team=OURS), None),
        (body(), None),
    ],
    ids=["message", "twin", "by source alone", "ours by user", "our organisation", "one of two", "ours", "unsaid"],
)
def test_an_event_names_the_team_of_its_writer(event: dict[str, Any], team: str | None) -> None:
    """Any other team than ours is enough; `source_team` counts where `user_team` is missing."""
    assert foreign_team(event, team_id=OURS) == team


@pytest.mark.parametrize(
    ("event", "shared"),
    [(body(), True), (body(shared=False), False), (body(shared=False, outer=THEIRS), True), ({"event": {}}, False)],
)
def test_a_channel_is_shared_when_slack_says_so_or_another_team_speaks(event: dict[str, Any], shared: bool) -> None:
    """An event from another team can only come through a shared channel."""
    assert is_shared(event, team_id=OURS) is shared


@pytest.mark.parametrize(
    ("profile", "kind"),
    [
        (MEMBER, "member"),
        ({"team_id": OURS}, "member"),
        (MEMBER | {"is_restricted": True}, "guest"),
        (MEMBER | {"is_ultra_restricted": True}, "guest"),
        (MEMBER | {"is_bot": True}, "guest"),
        (MEMBER | {"deleted": True}, "guest"),
        (MEMBER | {"is_stranger": True}, "outsider"),
        (MEMBER | {"team_id": THEIRS}, "outsider"),
        (MEMBER | {"team_id": OUR_ORG, "enterprise_user": {"teams": [OURS]}}, "member"),
        (MEMBER | {"team_id": OUR_ORG, "enterprise_user": {"teams": [THEIRS]}}, "outsider"),
        ({}, "outsider"),
        (None, "unknown"),
    ],
)
def test_a_profile_says_what_somebody_is(profile: dict[str, Any] | None, kind: str) -> None:
    """Who is not shown to be of our team is no member."""
    assert kind_of(profile, team_id=OURS) == kind


def test_without_a_team_of_ours_nobody_is_a_member() -> None:
    """An empty id must not match an empty field."""
    assert kind_of({"team_id": ""}, team_id="") == "outsider"


@pytest.mark.parametrize(
    ("visitor", "trusted"),
    [
        (Visitor("member", "U1", OURS, shared_channel=False), True),
        (Visitor("member", "U1", OURS, shared_channel=True), False),
        (Visitor("guest", "U1", OURS, shared_channel=False), False),
        (Visitor("outsider", "U1", THEIRS, shared_channel=False), False),
    ],
)
def test_only_a_member_among_members_is_trusted(visitor: Visitor, trusted: bool) -> None:
    """The firm's own knowledge needs both."""
    assert visitor.trusted is trusted


@pytest.mark.parametrize(
    ("channel", "said", "kind"),
    [
        ("C1", None, "channel"), ("D1", None, "im"), ("G1", None, "group"), ("C1", "group", "group"),
        ("G1", "mpim", "mpim"),
    ],
    ids=["a mention", "a direct one", "of a private channel", "Slack says private", "Slack says a few people"],
)  # fmt: skip
def test_a_mention_does_not_say_its_kind_of_place(channel: str, said: str | None, kind: str) -> None:
    """Its id does, where it can; what cannot be known counts as public."""
    found = read_event(body(channel=channel, **({"channel_type": said} if said else {})), bot_user_id="U0BOT")
    assert isinstance(found, Candidate)
    assert found.message.channel_type == kind
