"""HubSpot's search: filter groups (OR of ANDs), free text, sorts, pages, and its limits."""

import re
from datetime import datetime, timedelta
from typing import Any

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.records import Record
from sandbox.hubspot.refusals import invalid
from sandbox.hubspot.schema import PROPERTIES

MAX_LIMIT = 200
MAX_RESULTS = 10_000
"""HubSpot pages no further, whatever the total."""
MAX_GROUPS, MAX_FILTERS, MAX_FILTERS_TOTAL, MAX_QUERY = 5, 6, 18, 3000
COMPARISONS = {"EQ", "NEQ", "LT", "LTE", "GT", "GTE", "BETWEEN", "IN", "NOT_IN"}
TOKENS = {"CONTAINS_TOKEN", "NOT_CONTAINS_TOKEN"}
PRESENCE = {"HAS_PROPERTY", "NOT_HAS_PROPERTY"}
FREE_TEXT = {
    "contacts": ("firstname", "lastname", "email", "phone"),
    "deals": ("dealname", "description"),
    "notes": ("hs_note_body",),
    "tasks": ("hs_task_subject", "hs_task_body"),
}


def search(crm: Crm, kind: str, request: dict[str, Any]) -> dict[str, Any]:
    """The body of a search answer. Raises `Refusal` (400) for what HubSpot would not take."""
    groups, limit, after = _checked(kind, request)
    query = str(request.get("query") or "")
    horizon = crm.moment() - timedelta(seconds=crm.search_lag)
    found = [r for r in crm.live(kind) if r.created <= horizon and _matches(crm, r, groups) and _free(r, query)]
    for name, descending in reversed(_sorts(kind, request.get("sorts") or [])):
        found.sort(key=lambda r: _sortable(r.value(name)), reverse=descending)
    page = found[after : after + limit]
    answer: dict[str, Any] = {
        "total": len(found),
        "results": [r.as_json(request.get("properties") or ()) for r in page],
    }
    if after + limit < len(found):
        answer["paging"] = {"next": {"after": str(after + limit), "link": ""}}
    return answer


def _checked(kind: str, request: dict[str, Any]) -> tuple[list[list[dict[str, Any]]], int, int]:
    groups = [group.get("filters") or [] for group in request.get("filterGroups") or []]
    if (
        len(groups) > MAX_GROUPS
        or any(len(g) > MAX_FILTERS for g in groups)
        or sum(map(len, groups)) > MAX_FILTERS_TOTAL
    ):
        raise invalid(f"at most {MAX_GROUPS} filterGroups, {MAX_FILTERS} filters each, {MAX_FILTERS_TOTAL} in all")
    limit, after = request.get("limit", 10), str(request.get("after") or "0")
    if not isinstance(limit, int) or not 0 < limit <= MAX_LIMIT:
        raise invalid(f"limit must be between 1 and {MAX_LIMIT}")
    if not after.isdigit():
        raise invalid("after must be a number in a string")
    if int(after) + limit > MAX_RESULTS:
        raise invalid(f"paging goes no further than {MAX_RESULTS} results")
    if len(str(request.get("query") or "")) > MAX_QUERY:
        raise invalid(f"query is longer than {MAX_QUERY} characters")
    for one in (f for group in groups for f in group):
        _check_filter(kind, one)
    return groups, limit, int(after)


def _check_filter(kind: str, one: dict[str, Any]) -> None:
    name, operator = str(one.get("propertyName", "")), one.get("operator")
    if name not in PROPERTIES[kind] and not name.startswith("associations."):
        raise invalid(f"There was a problem with the request: property {name} does not exist")
    if operator not in COMPARISONS | TOKENS | PRESENCE:
        raise invalid(f"{operator} is not a valid operator")
    needed = (
        ("values",) if operator in ("IN", "NOT_IN") else ("value", "highValue") if operator == "BETWEEN" else ("value",)
    )
    if operator not in PRESENCE and any(one.get(k) in (None, "", []) for k in needed):
        raise invalid(f"{operator} on {name} needs " + " and ".join(needed))


def _matches(crm: Crm, record: Record, groups: list[list[dict[str, Any]]]) -> bool:
    return not groups or any(all(_passes(crm, record, f) for f in group) for group in groups)


def _passes(crm: Crm, record: Record, one: dict[str, Any]) -> bool:
    name, operator = str(one["propertyName"]), str(one["operator"])
    if name.startswith("associations."):
        other = name.removeprefix("associations.") + "s"
        return str(one.get("value")) in {r.id for r in crm.linked(record.kind, record.id, other)}
    value = record.value(name)
    if operator in PRESENCE:
        return (value is not None) == (operator == "HAS_PROPERTY")
    if operator in TOKENS:
        return _has_token(value or "", str(one["value"])) == (operator == "CONTAINS_TOKEN")
    return value is not None and _compares(value, operator, one)


def _compares(value: str, operator: str, one: dict[str, Any]) -> bool:
    if operator in ("IN", "NOT_IN"):
        return (value.lower() in {str(v).lower() for v in one["values"]}) == (operator == "IN")
    left, right = _sortable(value), _sortable(str(one["value"]))
    if operator == "BETWEEN":
        return right <= left <= _sortable(str(one["highValue"]))
    outcomes = {"EQ": left == right, "NEQ": left != right, "LT": left < right}
    outcomes |= {"LTE": left <= right, "GT": left > right, "GTE": left >= right}
    return outcomes[operator]


def _has_token(text: str, token: str) -> bool:
    """Whole words, whatever their case, accents counting; `*` stands for any run of letters."""
    pattern = re.escape(token.lower()).replace(r"\*", r"\w*")
    return re.search(rf"(?<!\w){pattern}(?!\w)", text.lower()) is not None


def _free(record: Record, query: str) -> bool:
    texts = " ".join(record.properties.get(n, "") for n in FREE_TEXT.get(record.kind, ())).lower()
    return all(word in texts for word in query.lower().split())


def _sorts(kind: str, sorts: list[Any]) -> list[tuple[str, bool]]:
    named: list[tuple[str, bool]] = []
    for sort in sorts:
        if isinstance(sort, dict):
            named.append((str(sort.get("propertyName")), sort.get("direction") == "DESCENDING"))
        else:
            named.append((str(sort).lstrip("-"), str(sort).startswith("-")))
    if any(name not in PROPERTIES[kind] for name, _ in named):
        raise invalid("sorts names a property that does not exist")
    return named or [("hs_object_id", False)]


def _sortable(value: str | None) -> tuple[int, float, str]:
    """Numbers before dates before text, nothing first."""
    if value is None:
        return (0, 0.0, "")
    try:
        return (1, float(value), "")
    except ValueError:
        pass
    try:
        return (1, datetime.fromisoformat(value).timestamp() * 1000, "")
    except ValueError:
        return (2, 0.0, value.lower())
