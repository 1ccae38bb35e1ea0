"""The seed of the pretend HubSpot: fictitious, rich enough that lists are worth asking for, and moved by activity."""

import json
from datetime import date, timedelta

from sandbox.hubspot import Crm
from sandbox.hubspot.schema import STAGES
from tests.hubspot_wire import TODAY


def test_the_seed_is_worth_asking_for_lists() -> None:
    """Forty deals in every stage and a dozen towns, homonyms, tasks late, due today, to come and done."""
    shown = Crm(today=TODAY).snapshot()
    assert {kind: len(shown[kind]) for kind in ("deals", "contacts", "notes", "tasks", "owners")} == {
        "deals": 40, "contacts": 35, "notes": 60, "tasks": 40, "owners": 3
    }  # fmt: skip
    assert {deal["properties"]["dealstage"] for deal in shown["deals"]} == {stage[0] for stage in STAGES}
    assert len({contact["properties"]["city"] for contact in shown["contacts"]}) >= 12
    names = [(c["properties"]["firstname"], c["properties"]["lastname"]) for c in shown["contacts"]]
    assert len(set(names)) < len(names)
    still = [t["properties"] for t in shown["tasks"] if t["properties"]["hs_task_status"] != "COMPLETED"]
    days = {(date.fromisoformat(task["hs_timestamp"][:10]) - TODAY).days for task in still}
    assert min(days) < 0 < max(days)
    assert 0 in days
    assert len(still) < 40


def test_the_seed_moves_with_the_day() -> None:
    """Whenever it starts there is something late and something to sign soon."""
    later = Crm(today=TODAY + timedelta(days=400)).get("deals", "9006").value("closedate")
    assert later is not None
    assert later[:10] == str(TODAY + timedelta(days=412))


def test_seeds_name_no_real_person() -> None:
    """Telephones of the reserved French range, example.com addresses, names marked as fictitious."""
    shown = Crm().snapshot()
    assert all(c["properties"]["phone"].startswith("01 99 00 ") for c in shown["contacts"])
    assert all(c["properties"]["email"].endswith("@example.com") for c in shown["contacts"])
    assert all("(fictif)" in d["properties"]["dealname"] for d in shown["deals"])
    assert json.dumps(shown)


def test_activity_of_a_deal_counts_as_a_change_of_it() -> None:
    """A note moves the deal's last modification, and none of its properties' histories."""
    crm = Crm(today=TODAY)
    deal = crm.get("deals", "9001")
    before, history = deal.updated, {name: len(values) for name, values in deal.history.items()}
    link = {"to": {"id": "9001"}, "types": [{"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 214}]}
    crm.create("notes", {"hs_timestamp": "2026-11-20T10:00:00Z", "hs_note_body": "x"}, [link])
    assert deal.updated > before
    assert {name: len(values) for name, values in deal.history.items()} == history
