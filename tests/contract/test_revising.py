"""A write made anew from a form: the checks of a proposed one, and what HubSpot itself takes today."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.proposals.form import cut, filled, form_of
from bot.proposals.lifecycle import action_to_json
from bot.slack.blocks.proposal_form import PIECE, edit_view, values_of
from pipeline.action_types import ProposedAction
from pipeline.proposing.proposed_actions import MASKED, NOTE_LIMIT
from pipeline.proposing.revising import Revised, revised
from sandbox.slack.block_check import with_ids
from sandbox.slack.form_values import state_values
from tests.hubspot_wire import MARTIN, Wire, action, hubspot_wire, update

NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
TASK = {
    "hs_task_subject": "Rappeler le notaire",
    "hs_task_status": "NOT_STARTED",
    "hs_timestamp": "2026-11-27T08:00:00.000Z",
    "hubspot_owner_id": "3001",
}
FILLED = {"hs_task_subject": "Appeler", "due": "2026-12-01", "at": "16:30", "hs_task_body": ""}


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


async def made(wire: Wire, before: ProposedAction, values: Mapping[str, str]) -> Revised:
    return await revised(before, values, crm=wire.reader(), now=NOW)


async def test_a_note_is_checked_like_a_proposed_one(wire: Wire) -> None:
    """Identifiers masked and said; neither empty nor too long; the target stays."""
    done = await made(wire, action(), {"hs_note_body": "IBAN FR76 3000 6000 0112 3456 7890 189"})
    assert done.action is not None
    assert done.action.fields == {"hs_note_body": "IBAN [IBAN masqué]"}
    assert done.remarks == (MASKED,)
    assert done.action.target.id == MARTIN
    assert "dictez-moi" in (await made(wire, action(), {"hs_note_body": "  "})).refused
    assert str(NOTE_LIMIT) in (await made(wire, action(), {"hs_note_body": "x" * (NOTE_LIMIT + 1)})).refused


async def test_a_task_takes_what_hubspot_has(wire: Wire) -> None:
    """Day, hour, priority and owner; its summary says whose it is."""
    values = FILLED | {"hs_task_priority": "HIGH", "hubspot_owner_id": "3002"}
    done = await made(wire, action("create_task", **TASK), values)
    assert done.action is not None
    assert done.action.fields["hs_timestamp"] == "2026-12-01T15:30:00.000Z"
    assert done.action.fields["hs_task_priority"] == "HIGH"
    assert done.action.fields["hubspot_owner_id"] == "3002"
    owner = next(o.name for o in await wire.reader().owners() if o.id == "3002")
    assert f"pour {owner}" in done.action.summary


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"due": "2020-01-01"}, "due"),
        ({"due": ""}, "due"),
        ({"hs_task_subject": " "}, "hs_task_subject"),
        ({"hubspot_owner_id": "999"}, "hubspot_owner_id"),
        ({"hs_task_priority": "URGENT"}, "hs_task_priority"),
        ({"hs_task_body": "x" * (NOTE_LIMIT + 1)}, "hs_task_body"),
    ],
)
async def test_a_wrong_task_is_refused_at_its_field(wire: Wire, values: dict[str, str], field: str) -> None:
    """Each with a sentence."""
    done = await made(wire, action("create_task", **TASK), FILLED | values)
    assert (done.action, done.field) == (None, field)
    assert done.refused.endswith(".")


async def test_a_value_starts_from_what_hubspot_says_now(wire: Wire) -> None:
    """The old value on the next card, and what a later click compares with, are today's."""
    before = await update(wire)
    wire.crm.update("deals", MARTIN, {"hs_priority": "medium"})
    done = await made(wire, before, {"value": "low"})
    assert done.action is not None
    assert done.action.base["value"] == "medium"
    assert "« Moyenne » → « Basse »" in done.action.summary


@pytest.mark.parametrize("what", ["gone option", "same value", "gone deal"])
async def test_a_value_that_hubspot_does_not_take_is_refused(wire: Wire, what: str) -> None:
    """The options that are left are named."""
    before, value = await update(wire), "low"
    if what == "gone option":
        wire.crm.retire("deals", "hs_priority", "low")
    elif what == "gone deal":
        wire.crm.archive("deals", MARTIN)
    else:
        value = "high"
    done = await made(wire, before, {"value": value})
    said = {
        "gone option": "valeurs possibles : Moyenne, Haute",
        "same value": "vaut déjà",
        "gone deal": "n'existe plus",
    }
    assert (done.action, done.field) == (None, "value")
    assert said[what] in done.refused


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [("hs_priority", "low", "choice"), ("closedate", "2027-02-01T00:00:00Z", "date"), ("description", "x", "text")],
)
async def test_a_field_is_filled_in_as_its_type_asks(wire: Wire, name: str, value: str, kind: str) -> None:
    """Options from HubSpot's own schema, a day from a picker, text as text."""
    form = await form_of(action_to_json(await update(wire, name, value)), crm=wire.reader(), seconds=60)
    assert [field.kind for field in form.fields] == [kind]
    assert form.said.startswith("Aujourd'hui dans HubSpot")


async def test_an_owner_that_hubspot_no_longer_lists_stays_chosen(wire: Wire) -> None:
    """Saving a new hour must not take the task away from somebody."""
    task = action("create_task", **TASK | {"hubspot_owner_id": "999"})
    form = await form_of(action_to_json(task), crm=wire.reader(), seconds=60)
    owner = next(field for field in form.fields if field.name == "hubspot_owner_id")
    assert ("999", "Comme proposé") in owner.options
    done = await made(wire, task, FILLED | {"hubspot_owner_id": "999"})
    assert done.action is not None
    assert done.action.fields["hubspot_owner_id"] == "999"


async def test_a_long_description_is_not_cut(wire: Wire) -> None:
    """In as many fields as it takes, like a note."""
    long = "phrase du conseiller, " * 300
    form = await form_of(action_to_json(await update(wire, "description", long)), crm=wire.reader(), seconds=60)
    assert "".join("".join(field.value.split()) for field in form.fields) == "".join(long.split())
    done = await made(wire, await update(wire, "description", long), filled({f.name: f.value for f in form.fields}))
    assert done.action is not None
    assert len(done.action.fields["description"]) > 6_000


async def test_a_form_without_hubspot_says_so(wire: Wire) -> None:
    """A task can still be edited, but for what HubSpot would offer; a field of a deal cannot."""
    said = await update(wire)
    wire.crm.set_faults({"mode": "401", "count": 50})
    task = await form_of(action_to_json(action("create_task", **TASK)), crm=wire.reader(), seconds=60)
    assert [field.name for field in task.fields] == ["hs_task_subject", "due", "at", "hs_task_body"]
    assert "HubSpot ne répond pas" in task.said
    gone = await form_of(action_to_json(said), crm=wire.reader(), seconds=60)
    assert gone.fields == ()
    assert "HUBSPOT_TOKEN" in gone.said


@pytest.mark.parametrize(
    "text",
    [
        "court",
        "ligne\n" * 900 + "fin",
        "mot " * 2_000 + "fin",
        "x" * 7_000,
        "§\n\n" + "a" * 2_999 + "\n\nfin" + " b" * 999,
    ],
    ids=["short", "lines", "one line", "one word", "blank lines"],
)
async def test_a_long_note_comes_back_whole(text: str) -> None:
    """In as many fields as it takes: unchanged through the form, but for where a line of 3,000 characters is cut."""
    form = await form_of(action_to_json(action(hs_note_body=text)), crm=None, seconds=1)
    assert all(len(field.value) <= PIECE for field in form.fields)
    view: dict[str, Any] = edit_view("p", form)
    view["state"] = {"values": state_values(with_ids(view["blocks"]), {})}
    back = filled(values_of(view))["hs_note_body"]
    assert "".join(back.split()) == "".join(text.split())
    if all(len(line) < PIECE for line in text.split("\n")):
        assert back == text


def test_pieces_are_put_together_in_their_order() -> None:
    """Ten of them: the tenth after the ninth, an emptied one leaves no hole."""
    assert len(cut("x" * 28_000)) == 10
    assert filled({f"t.{n}": str(n) for n in (10, 2, 1, 0)}) == {"t": "0\n1\n2\n10"}
    assert filled({"t.0": "a", "t.1": "", "t.2": "b"}) == {"t": "a\nb"}
