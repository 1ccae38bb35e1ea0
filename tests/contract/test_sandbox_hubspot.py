"""The pretend HubSpot is as strict as the real one, in the shapes that the vendor's SDK decodes."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hubspot import HubSpot
from hubspot.crm.associations.v4 import (
    BatchInputPublicFetchAssociationsBatchRequest,
    PublicFetchAssociationsBatchRequest,
)
from hubspot.crm.deals import Filter, FilterGroup, PublicObjectSearchRequest

from tests.hubspot_wire import MARTIN, NOTES, Wire, hubspot_wire


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


@pytest.fixture
def http(wire: Wire) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {wire.crm.token}"}
    with httpx.Client(base_url=wire.base_url, headers=headers) as client:
        yield client


@pytest.fixture
def sdk(wire: Wire) -> Any:
    return HubSpot(access_token=wire.crm.token, host=wire.base_url, base_url=wire.base_url).crm


def note(**changes: Any) -> dict[str, Any]:
    link = {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 214}
    body: dict[str, Any] = {
        "properties": {"hs_timestamp": "2026-11-21T10:00:00Z", "hs_note_body": "x"},
        "associations": [{"to": {"id": MARTIN}, "types": [link]}],
    }
    return {**body, **changes}


@pytest.mark.parametrize("header", [None, "Bearer faux", "Basic abc"])
def test_a_missing_or_wrong_token_gets_hubspots_401(wire: Wire, header: str | None) -> None:
    """The error body has HubSpot's four fields, so that code which reads them is really exercised."""
    answer = httpx.get(
        f"{wire.base_url}/crm/v3/objects/deals/9001", headers={"Authorization": header} if header else {}
    )
    assert answer.status_code == 401
    body = answer.json()
    assert body["status"] == "error"
    assert body["category"] == "INVALID_AUTHENTICATION"
    assert body["correlationId"]
    assert body["message"]


@pytest.mark.parametrize(
    ("properties", "error"),
    [
        ({"amount": 250000}, "INVALID_STRING"),
        ({"couleur": "bleu"}, "PROPERTY_DOESNT_EXIST"),
        ({"hs_priority": "urgent"}, "INVALID_OPTION"),
        ({"amount": "beaucoup"}, "INVALID_DOUBLE"),
        ({"closedate": "demain"}, "INVALID_DATE"),
        ({"hs_object_id": "1"}, "READ_ONLY_VALUE"),
        ({}, "INVALID_JSON"),
    ],
)
def test_a_wrong_property_is_refused_and_changes_nothing(
    wire: Wire, http: httpx.Client, properties: dict[str, Any], error: str
) -> None:
    """Values are strings of known, writable properties, as in HubSpot's v3 API."""
    before = wire.crm.snapshot()["deals"]
    answer = http.patch(f"/crm/v3/objects/deals/{MARTIN}", json={"properties": properties})
    assert answer.status_code == 400
    assert answer.json()["category"] == "VALIDATION_ERROR"
    assert error in answer.json()["message"]
    assert wire.crm.snapshot()["deals"] == before
    assert wire.changes == []


@pytest.mark.parametrize(
    "body",
    [
        note(properties={"hs_note_body": "sans date"}),
        note(properties={"hs_timestamp": "2026-11-21T10:00:00Z", "hs_note_body": "x" * 65_537}),
        note(associations=None),
        note(
            associations=[
                {"to": {"id": MARTIN}, "types": [{"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 3}]}
            ]
        ),
        note(
            associations=[
                {"to": {"id": MARTIN}, "types": [{"associationCategory": "USER_DEFINED", "associationTypeId": 214}]}
            ]
        ),
        note(associations=[{"to": {}, "types": []}]),
        note(associations="9001"),
    ],
)
def test_a_bad_note_is_refused_and_leaves_nothing(wire: Wire, http: httpx.Client, body: dict[str, Any]) -> None:
    """No timestamp, too long a body, no association list or a wrong one: 400, and no orphan note."""
    answer = http.post("/crm/v3/objects/notes", json=body)
    assert answer.status_code == 400
    assert len(wire.crm.snapshot()["notes"]) == len(NOTES)


def test_a_note_for_an_unknown_deal_is_not_found(wire: Wire, http: httpx.Client) -> None:
    """The target is checked before the note exists."""
    link = {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 214}
    answer = http.post("/crm/v3/objects/notes", json=note(associations=[{"to": {"id": "4242"}, "types": [link]}]))
    assert (answer.status_code, answer.json()["category"]) == (404, "OBJECT_NOT_FOUND")
    assert len(wire.crm.snapshot()["notes"]) == len(NOTES)


def test_a_created_note_is_201_and_linked(wire: Wire, http: httpx.Client) -> None:
    """Creation answers 201, publishes one change, and shows up in the deal's associations at once."""
    answer = http.post("/crm/v3/objects/notes", json=note())
    assert answer.status_code == 201
    linked = http.get(f"/crm/v4/objects/deals/{MARTIN}/associations/notes").json()["results"]
    assert answer.json()["id"] in {r["toObjectId"] for r in linked}
    assert wire.changes == ["crm"]
    assert wire.crm.snapshot()["notes"][-1]["associations"]["deals"] == [MARTIN]


def test_an_archived_record_is_gone_everywhere(http: httpx.Client) -> None:
    """DELETE answers 204 twice; the record leaves reads, associations and batch reads."""
    assert http.delete("/crm/v3/objects/notes/7001").status_code == 204
    assert http.delete("/crm/v3/objects/notes/7001").status_code == 204
    assert http.get("/crm/v3/objects/notes/7001").status_code == 404
    linked = http.get(f"/crm/v4/objects/deals/{MARTIN}/associations/notes").json()["results"]
    assert [r["toObjectId"] for r in linked] == ["7002"]
    batch = http.post("/crm/v3/objects/notes/batch/read", json={"inputs": [{"id": "7001"}, {"id": "7002"}]})
    assert batch.status_code == 207
    assert [r["id"] for r in batch.json()["results"]] == ["7002"]


def test_history_keeps_old_values_newest_first(sdk: Any, http: httpx.Client) -> None:
    """Each change adds an entry with a later timestamp; writing the same value adds none."""
    for value in ("low", "low", "medium"):
        http.patch(f"/crm/v3/objects/deals/{MARTIN}", json={"properties": {"hs_priority": value}})
    read = sdk.deals.basic_api.get_by_id(MARTIN, properties_with_history=["hs_priority"])
    history = read.properties_with_history["hs_priority"]
    assert [h.value for h in history] == ["medium", "low", "high"]
    assert history[0].timestamp > history[1].timestamp > history[2].timestamp


def test_associations_of_many_are_read_at_once(sdk: Any, http: httpx.Client) -> None:
    """Who has none is named among the errors of a 207, which the SDK decodes too."""
    request = BatchInputPublicFetchAssociationsBatchRequest(
        inputs=[PublicFetchAssociationsBatchRequest(id=i) for i in ("501", "507", "535")]
    )
    read = sdk.associations.v4.batch_api.get_page
    page = read("contacts", "deals", batch_input_public_fetch_associations_batch_request=request)
    assert {r._from.id: [t.to_object_id for t in r.to] for r in page.results} == {"501": ["9001"], "507": ["9006"]}
    assert page.errors[0].sub_category == "crm.associations.NO_ASSOCIATIONS_FOUND"
    path = "/crm/v4/associations/deals/contacts/batch/read"
    assert http.post(path, json={"inputs": []}).status_code == 400
    assert http.post(path, json={"inputs": [{"id": "1"}] * 1001}).status_code == 400
    assert http.post("/crm/v4/associations/notes/tasks/batch/read", json={"inputs": [{"id": "1"}]}).status_code == 400


def test_a_contact_is_found_by_its_exact_mail(sdk: Any) -> None:
    """`idProperty=email` with associations is how HubSpot finds a person without its search."""
    found = sdk.contacts.basic_api.get_by_id("paul.martin@example.com", id_property="email", associations=["deals"])
    assert found.id == "501"
    assert [d.id for d in found.associations["deals"].results] == [MARTIN]


def test_owners_answer_with_and_without_a_slash(sdk: Any, http: httpx.Client) -> None:
    """The SDK calls `/crm/v3/owners/`; people's scripts leave the slash out."""
    assert [o.last_name for o in sdk.owners.owners_api.get_page(email="ines.kadiri@aubrac.example").results] == [
        "Kadiri"
    ]
    assert len(http.get("/crm/v3/owners").json()["results"]) == 3


def test_the_sdk_decodes_schema_pipelines_and_default_association(sdk: Any) -> None:
    """The models of the SDK raise on a missing field: decoding is the shape test."""
    names = {p.name: p for p in sdk.properties.core_api.get_all("deals").results}
    assert names["hs_forecast_amount"].modification_metadata.read_only_value
    assert sdk.properties.core_api.get_by_name("deals", "hs_priority").options[0].value == "low"
    assert sdk.pipelines.pipelines_api.get_all("deals").results[0].stages[0].label == "Premier rendez-vous"
    linked = sdk.associations.v4.basic_api.create_default("notes", "7003", "deals", MARTIN)
    assert {r.association_spec.association_type_id for r in linked.results} == {213, 214}


def _search(sdk: Any, *filters: Filter, **changes: Any) -> Any:
    """Among the four deals with fixed days."""
    known = Filter(property_name="hs_object_id", operator="IN", values=["9001", "9002", "9003", "9004"])
    request = {"filter_groups": [FilterGroup(filters=[known, *filters])], "limit": 10, "after": "0"}
    request |= {"sorts": ["hs_object_id"], "properties": ["dealname"]}
    body = PublicObjectSearchRequest(**{**request, **changes})
    return sdk.deals.search_api.do_search(public_object_search_request=body)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (Filter(property_name="dealname", operator="CONTAINS_TOKEN", value="martin"), ["9001"]),
        (Filter(property_name="dealname", operator="CONTAINS_TOKEN", value="mart"), []),
        (Filter(property_name="dealname", operator="CONTAINS_TOKEN", value="mart*"), ["9001"]),
        (Filter(property_name="dealname", operator="CONTAINS_TOKEN", value="lefevre"), []),
        (Filter(property_name="dealname", operator="NOT_CONTAINS_TOKEN", value="martin"), ["9002", "9003", "9004"]),
        (Filter(property_name="amount", operator="GTE", value="310000"), ["9003", "9004"]),
        (Filter(property_name="amount", operator="BETWEEN", value="180000", high_value="250000"), ["9001", "9002"]),
        (Filter(property_name="hs_priority", operator="IN", values=["low", "high"]), ["9001", "9004"]),
        (Filter(property_name="hs_priority", operator="NEQ", value="medium"), ["9001", "9004"]),
        (Filter(property_name="description", operator="NOT_HAS_PROPERTY"), []),
        (Filter(property_name="closedate", operator="LT", value="2026-12-31"), ["9002", "9004"]),
        (Filter(property_name="associations.contact", operator="EQ", value="503"), ["9002"]),
    ],
)
def test_each_search_operator(sdk: Any, one: Filter, expected: list[str]) -> None:
    """Whole tokens, numbers as numbers, dates as dates, accents as they are."""
    found = _search(sdk, one)
    assert [r.id for r in found.results] == expected
    assert found.total == len(expected)


def test_search_pages_and_sorts(sdk: Any) -> None:
    """`after` goes on where the page ended, in the order asked."""
    first = _search(sdk, limit=3, sorts=["-amount"])
    assert [r.id for r in first.results] == ["9003", "9004", "9001"]
    rest = _search(sdk, limit=3, sorts=["-amount"], after=first.paging.next.after)
    assert [r.id for r in rest.results] == ["9002"]
    assert rest.paging is None


@pytest.mark.parametrize(
    "body",
    [
        {"limit": 201},
        {"limit": 10, "after": "x"},
        {"filterGroups": [{"filters": [{"propertyName": "dealname", "operator": "LIKE", "value": "x"}]}]},
        {"filterGroups": [{"filters": [{"propertyName": "couleur", "operator": "EQ", "value": "x"}]}]},
        {"filterGroups": [{"filters": [{"propertyName": "amount", "operator": "BETWEEN", "value": "1"}]}]},
        {"filterGroups": [{"filters": [{"propertyName": "amount", "operator": "HAS_PROPERTY"}] * 7}]},
        {"sorts": ["couleur"]},
        {"query": "x" * 3001},
        {"limit": 200, "after": "9900"},
    ],
)
def test_search_refuses_what_hubspot_refuses(http: httpx.Client, body: dict[str, Any]) -> None:
    """Limits and operators of HubSpot's search."""
    assert http.post("/crm/v3/objects/deals/search", json=body).status_code == 400


def test_search_lags_behind_a_write(http: httpx.Client) -> None:
    """A new record is in its associations at once but not yet in search, as on HubSpot."""
    http.post("/crm/v3/objects/notes", json=note())
    found = http.post("/crm/v3/objects/notes/search", json={"limit": 200}).json()
    assert found["total"] == len(NOTES)


def test_reset_restores_the_seed_and_reuses_no_id(wire: Wire, http: httpx.Client) -> None:
    """An id given before a reset never names a newer record."""
    first = http.post("/crm/v3/objects/notes", json=note()).json()["id"]
    wire.crm.reset()
    assert len(wire.crm.snapshot()["notes"]) == len(NOTES)
    second = http.post("/crm/v3/objects/notes", json=note()).json()["id"]
    assert int(second) > int(first)


def test_a_broken_body_or_an_unknown_path_is_answered_in_shape(http: httpx.Client) -> None:
    """Even nonsense gets HubSpot's error body."""
    assert http.post("/crm/v3/objects/notes", content=b"{").json()["category"] == "VALIDATION_ERROR"
    assert http.get("/crm/v3/objects/voitures/1").json()["category"] == "VALIDATION_ERROR"
    assert http.get("/crm/v9/nulle-part").status_code == 404


def test_the_record_page_escapes_what_records_hold(wire: Wire) -> None:
    """The page behind a receipt's link shows text, never markup out of a note."""
    wire.crm.update("deals", MARTIN, {"hs_next_step": "<script>alert(1)</script>"})
    page = httpx.get(f"{wire.base_url}/contacts/14900001/record/0-3/{MARTIN}").text
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert httpx.get(f"{wire.base_url}/contacts/1/record/0-3/4242").status_code == 404


@pytest.mark.parametrize(
    "wrong", [{"mode": "panne"}, {"mode": "429", "count": "deux"}, {"mode": "429", "on": "jamais"}]
)
def test_an_unknown_fault_is_refused_in_french(wire: Wire, wrong: dict[str, Any]) -> None:
    """A misspelt switch must not pass for a switched one."""
    with pytest.raises(ValueError, match="hubspot"):
        wire.crm.set_faults(wrong)
