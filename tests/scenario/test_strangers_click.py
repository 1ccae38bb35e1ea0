"""Promise 6: guests and outsiders decide nothing. Their clicks, commands and pages; each is told so in private."""

import pytest

from tests.scenario.dropping import add, note, sources, whispers
from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, is_batch, shown
from tests.scenario.strangers import CLOSED, LEA, NO_MEMBER, PAUL, SHARED, owned_by, press
from tests.scenario.test_choices import buttons
from tests.scenario.traces import NOTE, change, crm_writes, last_entry, rows, until_card_says

pytestmark = pytest.mark.usefixtures("good_day")

LONG = f"@bot ajoute une note sur le dossier 9001 : {'bail relu avec le client et le notaire, ' * 60}"


def proposal(stage: Stage, ts: str) -> str:
    (row,) = rows(stage, "select state from proposal where thread_ts = ?", ts)
    return str(row["state"])


def refused(stage: Stage, ts: str, *, user: str) -> bool:
    return stage.until(lambda: CLOSED in whispers(stage, ts, user=user), "refusal")


@NO_MEMBER
@pytest.mark.parametrize("action", ["approve", "reject", "edit"])
def test_a_proposal_is_not_decided_by_them(on_stage: Stage, user: str, action: str) -> None:
    """Though it were theirs: nothing is written, and the card stays open for a member."""
    ts, before = on_stage.say(NOTE), last_entry(on_stage)
    card = on_stage.card(ts)
    owned_by(on_stage, ts, user)
    press(on_stage, card, f"proposal_{action}", user=user)
    assert refused(on_stage, ts, user=user)
    assert proposal(on_stage, ts) == "offered"
    assert not crm_writes(on_stage, after=before)
    owned_by(on_stage, ts, CAMILLE)
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "écrite, validée")


@pytest.mark.parametrize("became", ["deleted", "guest"])
def test_who_was_a_member_when_asking_decides_no_more(on_stage: Stage, became: str) -> None:
    """Deactivated, or made a guest, between asking and clicking: a sentence, and nothing is written."""
    ts, before = on_stage.say(NOTE, user=HUGO), last_entry(on_stage)
    card = on_stage.card(ts)
    on_stage.post("person", user=HUGO, **{became: True})
    try:
        on_stage.click(card, "approve", user=HUGO)
        assert refused(on_stage, ts, user=HUGO)
        assert proposal(on_stage, ts) == "offered"
        assert not crm_writes(on_stage, after=before)
    finally:
        on_stage.post("person", user=HUGO, **{became: False})
    on_stage.click(card, "approve", user=HUGO)
    until_card_says(on_stage, ts, "écrite, validée")


@NO_MEMBER
@pytest.mark.parametrize("action", ["approve_all", "reject_all"])
def test_several_proposals_are_not_decided_by_them(on_stage: Stage, user: str, action: str) -> None:
    """Nor are they told what they are about."""
    ts = on_stage.say("@bot note sur le dossier 9001 : bail relu. note sur le dossier 9002 : bail relu.")
    both = on_stage.until(lambda: next((m for m in on_stage.thread(ts) if is_batch(m)), None), "message for all")
    before = last_entry(on_stage)
    owned_by(on_stage, ts, user)
    press(on_stage, both, f"proposal_{action}", user=user)
    assert refused(on_stage, ts, user=user)
    assert "Martin" not in whispers(on_stage, ts, user=user)
    assert {row["state"] for row in rows(on_stage, "select state from proposal where thread_ts = ?", ts)} == {"offered"}
    assert not crm_writes(on_stage, after=before)


@NO_MEMBER
@pytest.mark.parametrize("action", ["seen", "absent", "reason"])
def test_what_became_of_a_write_is_not_said_by_them(on_stage: Stage, user: str, action: str) -> None:
    """Neither that they saw it in HubSpot, nor that it has to be written again, nor why it was rejected."""
    ts = on_stage.say(NOTE)
    card = on_stage.card(ts)
    on_stage.until(lambda: rows(on_stage, "select 1 from proposal where thread_ts = ? and card_ts <> ''", ts), "row")
    state = "rejected" if action == "reason" else "unknown"
    decided = "decided_by = ?, decided_at = '2026-11-22T10:00:00.000+00:00'"
    assert change(on_stage, f"update proposal set state = ?, {decided} where thread_ts = ?", state, CAMILLE, ts)
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "Préciser le motif" if action == "reason" else "Absent, refaire")
    owned_by(on_stage, ts, user)
    press(on_stage, on_stage.card(ts), f"proposal_{action}", user=user)
    assert refused(on_stage, ts, user=user)
    assert proposal(on_stage, ts) == state
    assert not on_stage.get("views", user=user)["modals"]


@NO_MEMBER
def test_a_write_is_not_taken_back_by_them(on_stage: Stage, user: str) -> None:
    """The note stays in HubSpot."""
    ts = on_stage.say(NOTE)
    on_stage.click(on_stage.card(ts), "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    notes = len(on_stage.notes())
    owned_by(on_stage, ts, user)
    press(on_stage, on_stage.card(ts), "proposal_undo", user=user)
    assert refused(on_stage, ts, user=user)
    assert proposal(on_stage, ts) == "done"
    assert len(on_stage.notes()) == notes


@NO_MEMBER
def test_a_long_text_is_not_opened_for_them(on_stage: Stage, user: str) -> None:
    """« Lire en entier » shows what would be written in the CRM."""
    ts = on_stage.say(LONG)
    card = on_stage.card(ts)
    press(on_stage, card, "proposal_read", user=user)
    assert refused(on_stage, ts, user=user)
    assert not on_stage.get("views", user=user)["modals"]
    press(on_stage, card, "proposal_read", user=CAMILLE)
    (view,) = on_stage.until(lambda: on_stage.get("views", user=CAMILLE)["modals"], "modal of a member")
    on_stage.post("close", user=CAMILLE, view_id=view["id"])


@NO_MEMBER
@pytest.mark.parametrize("action", ["file_here", "file_team", "file_decline"])
def test_a_file_is_not_decided_by_them(on_stage: Stage, user: str, action: str) -> None:
    """Not even their own."""
    channel = SHARED if user == PAUL else TOULON
    ts = on_stage.drop(note("Narcisse"), text="@bot pour info", user=user, channel=channel)
    card = on_stage.file(ts, "pas encore lu", channel=channel)
    press(on_stage, card, action, user=user, channel=channel)
    on_stage.until(lambda: CLOSED in whispers(on_stage, ts, user=user, channel=channel), "refusal")
    assert rows(on_stage, "select state from source where thread_ts = ?", ts) == [{"state": "offered"}]


@NO_MEMBER
def test_a_choice_is_not_made_by_them(on_stage: Stage, user: str) -> None:
    """No question is asked in their name; a member still makes it."""
    ts = on_stage.say("@bot Quels sont les prix des appartements à Saint-Denis ?")
    on_stage.answer(ts)
    (back,) = on_stage.answers(ts)
    choice = next(iter(buttons(back).values()))
    press(on_stage, back, choice, user=user)
    assert refused(on_stage, ts, user=user)
    assert len(rows(on_stage, "select 1 from answer where thread_ts = ?", ts)) == 1
    press(on_stage, back, choice, user=CAMILLE)
    on_stage.answer(ts, count=2)


@pytest.mark.parametrize("since", ["always", "after the question"])
def test_a_members_choice_in_a_shared_channel_is_public(on_stage: Stage, since: str) -> None:
    """The click does not say that another company reads along: the question did, or a later one in that channel."""
    channel = SHARED if since == "always" else "C0MARCHE"
    ts = on_stage.say("@bot Quels sont les prix des appartements à Saint-Denis ?", channel=channel)
    on_stage.answer(ts, channel=channel)
    if since != "always":
        later = on_stage.say("@bot bonjour", channel=channel)
        on_stage.answer(later, channel=channel)
        assert change(on_stage, "update answer set shared_channel = 1 where answer_id like ?", f"%:{later}")
    (back,) = on_stage.answers(ts, channel=channel)
    press(on_stage, back, next(iter(buttons(back).values())), user=CAMILLE, channel=channel)
    on_stage.answer(ts, channel=channel, count=2)
    query = "select visitor, shared_channel from answer where thread_ts = ? order by asked_at desc limit 1"
    assert rows(on_stage, query, ts) == [{"visitor": "member", "shared_channel": 1}]


@pytest.mark.parametrize("text", ["sources", "aide"])
@pytest.mark.parametrize(("user", "channel"), [(PAUL, SHARED), (LEA, TOULON)], ids=["outsider", "guest"])
def test_a_command_opens_nothing_for_them(on_stage: Stage, user: str, channel: str, text: str) -> None:
    """A sentence that they alone see, and no list."""
    assert on_stage.post("command", user=user, channel=channel, command="/quartier", text=text)["acked"]
    messages = on_stage.get("messages", channel=channel, user=user)["messages"]
    assert CLOSED in shown(messages[-1])
    assert messages[-1]["ephemeral_to"] == user
    assert not on_stage.get("views", user=user)["modals"]


def test_a_list_in_a_guests_hands_shows_and_removes_nothing(on_stage: Stage) -> None:
    """Left open on a shared screen: the file stays, though it were the guest's, and the list closes."""
    ts = on_stage.drop(note("Orchidée", "orchidée.md"), text="@bot pour info")
    add(on_stage, ts, scope="team")
    assert change(on_stage, "update source set added_by = ? where thread_ts = ?", LEA, ts)
    view = sources(on_stage, "orchidée")
    assert "orchidée.md" in str(view)
    (row,) = rows(on_stage, "select source_id from source where thread_ts = ?", ts)
    click = {"view_id": view["id"], "action_id": "source_withdraw", "value": row["source_id"], "forge": True}
    on_stage.post("click", user=LEA, **click)
    (left,) = on_stage.until(
        lambda: [v for v in on_stage.get("views", user=CAMILLE)["modals"] if CLOSED in str(v)], "closed list"
    )
    assert "orchidée.md" not in str(left)
    assert rows(on_stage, "select state from source where thread_ts = ?", ts) == [{"state": "ready"}]
    on_stage.post("close", user=CAMILLE, view_id=view["id"])


def test_a_guest_finds_the_home_tab_closed(on_stage: Stage) -> None:
    """Neither what is connected nor how many files the team has."""
    on_stage.post("open_home", user=LEA)
    home = on_stage.until(lambda: on_stage.get("views", user=LEA)["home"], "home of a guest")
    assert CLOSED in str(home)
    assert "Vos fichiers" not in str(home)
    on_stage.post("open_home", user=CAMILLE)
    home = on_stage.until(lambda: on_stage.get("views", user=CAMILLE)["home"], "home of a member")
    assert "Vos fichiers" in str(home)
