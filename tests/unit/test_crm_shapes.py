"""HubSpot's property definitions -> what may be written, and values compared as HubSpot means them."""

from typing import Any

import pytest

from bot.crm.shapes import same_value, schema_of

WRITABLE: dict[str, Any] = {
    "name": "hs_priority",
    "label": "Priorité",
    "type": "enumeration",
    "options": [{"value": "low", "label": "Basse"}, {"value": "old", "label": "Ancienne", "hidden": True}],
    "modificationMetadata": {"readOnlyValue": False},
}


def test_a_writable_property_offers_its_visible_options() -> None:
    """Hidden options are not for people to choose."""
    schema = schema_of(WRITABLE)
    assert (schema.options, schema.labels, schema.read_only) == (("low",), {"low": "Basse"}, False)


@pytest.mark.parametrize(
    "lock",
    [
        {"modificationMetadata": {"readOnlyValue": True}},
        {"calculated": True},
        {"archived": True},
        {"dataSensitivity": "highly_sensitive"},
    ],
)
def test_each_kind_of_lock_makes_a_property_read_only(lock: dict[str, Any]) -> None:
    """HubSpot locks a value in four ways, of which the SDK's model shows three."""
    assert schema_of({**WRITABLE, **lock}).read_only


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("low", "low", True),
        ("low", "Low", False),
        ("", "", True),
        ("2027-02-01T00:00:00Z", "2027-02-01T00:00:00.000Z", True),
        ("2027-02-01", "2027-02-01T00:00:00Z", True),
        ("2027-02-01T00:00:00Z", "2027-02-02T00:00:00Z", False),
        ("2027-02-01 rappeler", "2027-02-01 relancer", False),
        ("", "2027-02-01", False),
    ],
)
def test_values_are_compared_as_hubspot_means_them(one: str, other: str, *, same: bool) -> None:
    """A date in another form is the same date; a text that begins like a date is a text."""
    assert same_value(one, other) is same
