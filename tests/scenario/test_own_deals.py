"""Deals restricted to their adviser: who reads them, that public channels show none, and a channel that is opened."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown, stage
from tests.scenario.strangers import LEA, PAUL, SHARED, crm_calls, whole
from tests.scenario.traces import last_entry, lines, rows

INES, PRIVATE = "U0INES", "C0PRIVE"
HERS, HIS = "@bot À quel stade est le dossier 9001 ?", "@bot À quel stade est le dossier 9002 ?"
NOTE = "@bot ajoute une note sur le dossier {} : relire le bail"
PUBLIC, OWN = "Ce canal est public", "les dossiers dont vous êtes le conseiller"


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Each adviser reads their own deals; the compliance officer reads all."""
    with stage(tmp_path_factory.mktemp("firm"), CRM_READERS=f"conseiller, {INES}") as ready:
        yield ready


def form(firm: Stage, user: str = CAMILLE, channel: str = TOULON, *, verb: str = "canal") -> dict[str, Any]:
    """The settings of a channel, once they are filled."""
    for view in firm.get("views", user=user)["modals"]:
        firm.post("close", user=user, view_id=view["id"])
    firm.post("command", user=user, channel=channel, command="/quartier", text=verb)

    def look() -> dict[str, Any] | None:
        views = firm.get("views", user=user)["modals"]
        return next((view for view in views if "Je regarde" not in str(view)), None)

    return firm.until(look, "settings of the channel")


def submit(firm: Stage, view: dict[str, Any], *, user: str = CAMILLE, **values: Any) -> dict[str, Any]:
    return dict(firm.post("submit", user=user, view_id=view["id"], values=values))


@pytest.mark.parametrize(("user", "asked", "read"), [(CAMILLE, HERS, True), (CAMILLE, HIS, False), (INES, HIS, True)])
def test_a_deal_is_read_by_its_adviser_and_by_who_is_named(firm: Stage, user: str, asked: str, read: bool) -> None:
    """In a private channel; what is not theirs is as good as not there, and the reason is told."""
    ts = firm.say(asked, user=user, channel=PRIVATE)
    told = whole(firm, ts, channel=PRIVATE)
    assert ("au stade" in told) is read
    assert (OWN in told) is not read
    assert read or "Lefèvre" not in told


def test_no_note_is_proposed_on_a_colleagues_deal(firm: Stage) -> None:
    ts = firm.say(NOTE.format(9002), channel=PRIVATE)
    assert OWN in whole(firm, ts, channel=PRIVATE)
    assert not rows(firm, "select 1 from proposal where thread_ts = ?", ts)
    own = firm.say(NOTE.format(9001), channel=PRIVATE)
    firm.card(own, channel=PRIVATE)


def test_a_public_channel_shows_no_deal_until_a_member_opens_it(firm: Stage) -> None:
    """HubSpot is not even asked; then it is, who opened it is kept, and the channel is told."""
    before = last_entry(firm)
    told = whole(firm, firm.say(HERS))
    assert PUBLIC in told
    assert "au stade" not in told
    assert not crm_calls(firm, after=before)
    view = form(firm)
    assert "non montrés ici" in str(view)
    submit(firm, view, deals="open", approvers=[HUGO])
    (row,) = rows(firm, "select deals, deals_by, approvers from channel_setting where channel = ?", TOULON)
    assert (row["deals"], row["deals_by"], row["approvers"]) == ("open", CAMILLE, f'["{HUGO}"]')
    messages = firm.get("messages", channel=TOULON)["messages"]
    assert any("a ouvert ce canal" in shown(message) for message in messages)
    assert "au stade" in whole(firm, firm.say(HERS))
    assert OWN in whole(firm, firm.say(HIS))
    assert "depuis le" in str(form(firm, HUGO))


def test_an_approver_of_the_channel_decides_there(firm: Stage) -> None:
    """Whom a member named in the form, though somebody else asked; in another channel the same person may not."""
    view = form(firm)
    submit(firm, view, deals="open", approvers=[HUGO])
    for channel, verdict in ((PRIVATE, "not_allowed"), (TOULON, "accepted")):
        ts = firm.say(NOTE.format(9001), channel=channel)
        firm.click(firm.card(ts, channel=channel), "approve", user=HUGO, channel=channel)
        firm.until(lambda v=verdict: lines(firm, "click", verdict=v, by=HUGO), verdict)  # type: ignore[misc]


def test_only_members_are_approvers(firm: Stage) -> None:
    """A name on a list makes nobody a member: the field says so, and nothing is kept."""
    view = form(firm, INES, "C0MARCHE")
    answer = submit(firm, view, user=INES, deals="open", approvers=[LEA, PAUL])
    assert "Seuls des membres" in str(answer)
    assert not rows(firm, "select 1 from channel_setting where channel = 'C0MARCHE'")


def test_what_is_chosen_for_a_channel_is_checked_and_told_in_its_answers(firm: Stage) -> None:
    """A commune that is none and a colleague's deal are refused; the form shows again what was chosen."""
    view = form(firm, INES, "C0MARCHE")
    assert "Nullepart" in str(submit(firm, view, user=INES, deals="auto", communes="Nullepart"))
    view = form(firm, CAMILLE, PRIVATE)
    assert "aucun dossier de ce numéro" in str(submit(firm, view, deals="auto", deal="9002"))
    submit(firm, view, deals="auto", deal="9001", communes="Toulon, 93066")
    assert all(part in str(form(firm, CAMILLE, PRIVATE)) for part in ("Toulon, 93066", "9001"))
    told = whole(firm, firm.say("@bot Quels sont les prix des appartements ?", channel=PRIVATE), channel=PRIVATE)
    assert "Communes par défaut du canal : Toulon" in told


@pytest.mark.parametrize("verb", ["canal", "digest"])
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"without_scopes": ["channels:read"]}, "il manque un droit"),
        ({"rate_limit": {"conversations.info": 99}, "retry_after_s": 30}, "ne m'a pas dit à temps"),
    ],
    ids=["without the right", "too slow"],
)
def test_a_channel_that_slack_does_not_tell_of_is_not_set(
    firm: Stage, verb: str, fault: dict[str, Any], said: str
) -> None:
    """The reason as it is: nobody is told to invite a bot that is there."""
    firm.post("faults", **fault)
    try:
        assert said in str(form(firm, HUGO, "C0MARCHE", verb=verb))
    finally:
        firm.post("faults")


@pytest.mark.parametrize(
    ("channel", "said"),
    [(SHARED, "Une autre entreprise lit ce canal"), (PRIVATE, "montrés ici"), ("D0CAMILLE", "n'a rien à régler")],
    ids=["shared", "private", "direct"],
)
def test_what_there_is_to_set_depends_on_the_place(firm: Stage, channel: str, said: str) -> None:
    """Nothing opens a shared channel; a direct message is nobody else's."""
    if channel == "D0CAMILLE":
        firm.post("command", user=CAMILLE, channel=channel, command="/quartier", text="canal")
        firm.until(lambda: said in shown(firm.get("messages", channel=channel)["messages"][-1]), said)
    else:
        assert said in str(form(firm, HUGO, channel))
