"""Who may what: every kind of visitor, in every kind of place, with every kind of request. Strangers write and read
nothing of the firm's. The requests travel over the wire as Slack sends them; the jobs are the bot's own.

A cell's five letters are the places: public, private, direct, group, shared with another company.
T told · C a card · K kept back with the reason, HubSpot not asked · N nothing of it told · - no answer
D done · F for who asked and approvers · S refused as a stranger, in private
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from bot.listeners.visitors import CLOSED
from sandbox import seed
from sandbox.slack.state import Json, User
from tests.integration.sandbox_rig import until
from tests.integration.visitors_desk import VisitorsDesk, visitors_desk
from tests.scenario.dropping import about, note, said_of

in_one_loop = pytest.mark.asyncio(loop_scope="module")

WHO: Final[dict[str, User]] = {
    "adviser": User("U0CAMILLE", "Camille Renaud", "camille", "", "camille.renaud@aubrac.example", ""),
    "colleague": User("U0HUGO", "Hugo Marchetti", "hugo", "", "hugo.marchetti@aubrac.example", ""),
    "guest": User("U0LEA", "Léa Brun", "lea", "", "lea.brun@ecole.example", "", guest=True),
    "outsider": User("U0PAUL", "Paul Vasseur", "paul", "", "", "", team=seed.VAUBAN),
    "deactivated": User("U0MARC", "Marc Roy", "marc", "", "marc.roy@aubrac.example", "", deleted=True),
    "robot": User("U0ROBOT", "Robot", "robot", "", "", "", is_bot=True),
}
PLACES: Final = ("C0TOULON", "C0PRIVE", "D0CAMILLE", "G0DUO", "C0VAUBAN")
SHARED: Final = "C0VAUBAN"

TABLE: Final = """
request     adviser  colleague  guest  outsider  deactivated  robot
price       TTTTT    TTTTT      TTTTT  TTTTT     TTTTT        -----
deal        TTTTK    TTTTK      KKKKK  KKKKK     KKKKK        -----
deals       TTTTK    TTTTK      KKKKK  KKKKK     KKKKK        -----
note        CCCCK    CCCCK      KKKKK  KKKKK     KKKKK        -----
team-file   TTTTN    TTTTN      NNNNN  NNNNN     NNNNN        -----
approve     DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
reject      DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
undo        DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
edit        DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
edit-form   DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
approve-all DDDDD    FFFFF      SSSSS  SSSSS     SSSSS        SSSSS
add-file    DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        -----
why         DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
feedback    DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
/aide       DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
/sources    DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
/pourquoi   DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
/digest     DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
/canal      DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
subscribe   DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
set-channel DDDDD    DDDDD      SSSSS  SSSSS     SSSSS        SSSSS
"""
ROWS: Final = {line.split()[0]: line.split()[1:] for line in TABLE.strip().splitlines()}
CLOSED_CRM: Final = "lis ni n'écris HubSpot"
RESIDENCE, STAGE = "Clématite", "au stade"
MESSAGES: Final = {
    "price": ("@bot Quels sont les prix des appartements à Villeurbanne ?", "€/m²"),
    "deal": ("@bot À quel stade est le dossier 9001 ?", STAGE),
    "deals": ("@bot Liste les dossiers ouverts", "Martin"),
    "note": ("@bot ajoute une note sur le dossier 9001 : relire le bail", "Proposition HubSpot"),
    "team-file": (about(RESIDENCE), said_of(RESIDENCE)),
}
TWO_NOTES: Final = (
    "@bot ajoute une note sur le dossier 9001 : relire le bail, et une note sur le dossier 9003 : lire le PPRI"
)
SECRETS: Final = ("Martin", STAGE, "248\u202f000", "37 euros", "note.md")
STRANGERS_FIRST: Final = ("robot", "deactivated", "outsider", "guest", "colleague", "adviser")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[VisitorsDesk]:
    """A bot whose team has added one file for everybody."""
    folder: Path = tmp_path_factory.mktemp("desk")
    async with visitors_desk(folder, WHO) as desk:
        ts = await desk.say("adviser", "C0PRIVE", "@bot pour info", files=[note(RESIDENCE)])
        await desk.click("adviser", "C0PRIVE", desk.replies("C0PRIVE", ts)[0], "file_team")
        yield desk


def compared(request: str, seen: dict[tuple[str, str], str]) -> None:
    """The whole row at once, so that a failure shows every cell that differs."""
    told = {who: "".join(seen[who, place] for place in PLACES) for who in WHO}
    assert told == dict(zip(ROWS["request"], ROWS[request], strict=True))


def test_the_table_has_no_gap() -> None:
    """Each request for each visitor in each place."""
    assert ROWS["request"] == list(WHO)
    assert {len(cell) for name, cells in ROWS.items() if name != "request" for cell in cells} == {len(PLACES)}
    assert (len(ROWS) - 1) * len(WHO) * len(PLACES) >= 60


@pytest.mark.parametrize("request_", MESSAGES)
@in_one_loop
async def test_messages(desk: VisitorsDesk, request_: str) -> None:
    """What strangers are told holds no secret, and HubSpot is not asked for them."""
    text, expected = MESSAGES[request_]
    seen = {}
    for who in WHO:
        for place in PLACES:
            before = desk.asked_of_hubspot()
            replies = desk.replies(place, await desk.say(who, place, text))
            told = " ".join(f"{m.get('text')} {m.get('blocks')}" for m in replies)
            seen[who, place] = _outcome(told, expected)
            if seen[who, place] in "KN-":
                assert not [secret for secret in SECRETS if secret in told]
                assert desk.asked_of_hubspot() == before
    compared(request_, seen)
    assert not await desk.rows("select 1 from proposal where requested_by not in ('U0CAMILLE', 'U0HUGO')")


def _outcome(told: str, expected: str) -> str:
    if not told:
        return "-"
    if CLOSED_CRM in told:
        return "K"
    if expected not in told:
        return "N"
    return "C" if "Proposition HubSpot" in told else "T"


@pytest.mark.parametrize(("first", "then"), [("approve", "undo"), ("reject", "")])
@in_one_loop
async def test_cards(desk: VisitorsDesk, first: str, then: str) -> None:
    """On the adviser's card, from before the channel was shared: strangers first, the adviser last."""
    seen: dict[str, dict[tuple[str, str], str]] = {first: {}, then: {}}
    for place in PLACES:
        ts = await _carded(desk, place)
        for action in filter(None, (first, then)):
            for who in STRANGERS_FIRST:
                card = next(m for m in desk.replies(place, ts) if "Proposition HubSpot" in str(m.get("text")))
                state = ("select state from proposal where thread_ts = ?", ts)
                seen[action][who, place] = await _decided(desk, who, place, card, f"proposal_{action}", state)
    for action in filter(None, (first, then)):
        compared(action, seen[action])


@in_one_loop
async def test_edits(desk: VisitorsDesk) -> None:
    """The form opens for who may decide; sent in by anybody else, it changes nothing."""
    seen: dict[str, dict[tuple[str, str], str]] = {"edit": {}, "edit-form": {}}
    for place in PLACES:
        ts = await _carded(desk, place)
        card = next(m for m in desk.replies(place, ts) if "Proposition HubSpot" in str(m.get("text")))
        hashes = ("select payload_hash from proposal where thread_ts = ?", ts)
        for who in STRANGERS_FIRST[:-1]:
            seen["edit"][who, place] = await _decided(desk, who, place, card, "proposal_edit", hashes)
            assert desk.modal(who) is None
        await desk.click("adviser", place, card, "proposal_edit")
        form = await _window(desk, "adviser")
        seen["edit"]["adviser", place] = "D"
        (field, *_others) = [block["element"]["action_id"] for block in form["blocks"] if "element" in block]
        for who in STRANGERS_FIRST:
            before = await desk.rows(*hashes)
            said = str(await desk.submit(who, form, **{field: "relire le bail et l'annexe"}))
            changed = await desk.rows(*hashes) != before
            seen["edit-form"][who, place] = "D" if changed else _refused(said)
    compared("edit", seen["edit"])
    compared("edit-form", seen["edit-form"])


@in_one_loop
async def test_all_at_once(desk: VisitorsDesk) -> None:
    """« Tout valider » under two cards of the adviser's."""
    seen = {}
    for place in PLACES:
        ts = await _carded(desk, place, TWO_NOTES)
        together = next(m for m in desk.replies(place, ts) if "proposal_approve_all" in str(m.get("blocks")))
        states = ("select state from proposal where thread_ts = ?", ts)
        for who in STRANGERS_FIRST:
            seen[who, place] = await _decided(desk, who, place, together, "proposal_approve_all", states)
    compared("approve-all", seen)


async def _carded(desk: VisitorsDesk, place: str, text: str = MESSAGES["note"][0]) -> str:
    """The ts of a question of the adviser's under which cards stand."""
    channel = desk.channel(place)
    other, channel.shared_with = channel.shared_with, None
    ts = await desk.say("adviser", place, text)
    channel.shared_with = other
    return ts


async def _decided(
    desk: VisitorsDesk, who: str, place: str, card: Json, action: str, state: tuple[str, str], *, run: bool = True
) -> str:
    """What became of a click: the state moved, or a private sentence says why not."""
    before, told = await desk.rows(*state), len(desk.whispers(who, place))
    await desk.click(who, place, card, action, run=run)
    if await desk.rows(*state) != before:
        return "D"
    await until(lambda: len(desk.whispers(who, place)) > told)
    return _refused(desk.whispers(who, place)[-1])


def _refused(said: str) -> str:
    return "S" if CLOSED in said else "F" if "Seule la personne" in said else "?"


@in_one_loop
async def test_files(desk: VisitorsDesk) -> None:
    """Everybody's file is offered; only a member adds one, though it be their own."""
    seen = {}
    for number, who in enumerate(WHO):
        for place in PLACES:
            files = [note(f"Lilas{number}{place}")]
            ts = await desk.say(who, place, "@bot pour info", files=None if WHO[who].is_bot else files)
            state = ("select state from source where thread_ts = ?", ts)
            cards = desk.replies(place, ts)
            seen[who, place] = (
                await _decided(desk, who, place, cards[0], "file_here", state, run=False) if cards else "-"
            )
    compared("add-file", seen)


@pytest.mark.parametrize(("request_", "action"), [("why", "answer_why"), ("feedback", "feedback_useful")])
@in_one_loop
async def test_buttons_under_an_answer(desk: VisitorsDesk, request_: str, action: str) -> None:
    """Under a public answer of the adviser's."""
    seen = {}
    for place in PLACES:
        ts = await desk.say("adviser", place, MESSAGES["price"][0])
        answer = desk.replies(place, ts)[0]
        for who in STRANGERS_FIRST:
            told = len(desk.whispers(who, place))
            await desk.click(who, place, answer, action)
            await until(lambda w=who, p=place, n=told: len(desk.whispers(w, p)) > n)  # type: ignore[misc]
            seen[who, place] = "S" if CLOSED in desk.whispers(who, place)[-1] else "D"
        given = await desk.rows("select user_id from feedback where answer_id like ?", f"%:{ts}")
        assert {row["user_id"] for row in given} == ({"U0CAMILLE", "U0HUGO"} if request_ == "feedback" else set())
    compared(request_, seen)


@pytest.mark.parametrize("verb", ["aide", "sources", "pourquoi", "digest", "canal"])
@in_one_loop
async def test_commands(desk: VisitorsDesk, verb: str) -> None:
    """No window opens for a stranger."""
    seen = {}
    for place in PLACES:
        for who in WHO:
            reply = await desk.type(who, place, verb)
            seen[who, place] = "S" if CLOSED in str(reply.body) else "D"
            if not reply.body:
                await _window(desk, who)
    assert not any(desk.modal(who) for who in WHO)
    compared(f"/{verb}", seen)


@pytest.mark.parametrize(
    ("request_", "verb", "table", "values"),
    [
        ("subscribe", "digest", "subscription", {"shared_allowed": ["yes"]}),
        ("set-channel", "canal", "channel_setting", {"deals": "open"}),
    ],
)
@in_one_loop
async def test_forms(desk: VisitorsDesk, request_: str, verb: str, table: str, values: dict[str, Any]) -> None:
    """A form that a member left open, sent in by somebody else, for the place that it names."""
    opened = SHARED if verb == "digest" else "C0TOULON"
    form = await _form(desk, verb, opened)
    seen = {}
    for place in PLACES:
        for who in STRANGERS_FIRST:
            view = {
                **form,
                "private_metadata": form["private_metadata"].replace(SHARED, place).replace("C0TOULON", place),
            }
            answer = await desk.submit(who, view, **values)
            kept = await desk.rows(f"select changed_by from {table} where channel = ?", place)
            mine = bool(kept) and kept[0]["changed_by"] == WHO[who].id
            seen[who, place] = "D" if mine else "S" if CLOSED in str(answer) else "?"
    compared(request_, seen)


async def _form(desk: VisitorsDesk, verb: str, place: str) -> Json:
    """The form once it is filled, taken away from the adviser's screen."""
    await desk.type("adviser", place, verb)
    return await _window(desk, "adviser")


async def _window(desk: VisitorsDesk, who: str) -> Json:
    """What opened for somebody, once it says what it is for."""
    stacks, user = desk.rig.sandbox.world.workspace.modals, WHO[who].id
    await until(lambda: stacks.get(user) and not re.search("Je regarde|Je lis la fiche", str(stacks[user][-1])))
    window = desk.modal(who)
    assert window is not None
    return window
