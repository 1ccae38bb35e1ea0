"""What each call of the API does to the state, and the answer's status and body."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.records import Record, stamp
from sandbox.hubspot.refusals import invalid, not_found
from sandbox.hubspot.schema import ASSOCIATION_TYPES, OBJECT_TYPES, PROPERTIES, SINGULAR, pipelines
from sandbox.hubspot.search import search

Answer = tuple[int, dict[str, Any] | None]


def _wanted(request: Request, name: str) -> list[str]:
    """Repeated parameters, as the SDK sends them, or one list with commas, as people write it."""
    return [part for value in request.query_params.getlist(name) for part in value.split(",") if part]


def _kind(request: Request) -> str:
    kind = str(request.path_params["kind"])
    if kind not in OBJECT_TYPES:
        raise invalid(f"Unable to infer object type from: {kind}")
    return kind


def _limit(request: Request, default: int, most: int) -> int:
    text = request.query_params.get("limit", str(default))
    if not text.isdigit() or not 0 < int(text) <= most:
        raise invalid(f"limit must be between 1 and {most}")
    return int(text)


def _page(items: list[dict[str, Any]], request: Request, default: int, most: int) -> dict[str, Any]:
    after, limit = request.query_params.get("after", "0"), _limit(request, default, most)
    start = int(after) if after.isdigit() else 0
    page: dict[str, Any] = {"results": items[start : start + limit]}
    if start + limit < len(items):
        page["paging"] = {"next": {"after": str(start + limit), "link": ""}}
    return page


def _with_associations(crm: Crm, record: Record, shown: dict[str, Any], others: Iterable[str]) -> dict[str, Any]:
    linked: dict[str, Any] = {}
    for other in others:
        if other not in OBJECT_TYPES:
            raise invalid(f"Unable to infer object type from: {other}")
        label = f"{SINGULAR[record.kind]}_to_{SINGULAR[other]}"
        found = [{"id": r.id, "type": label} for r in crm.linked(record.kind, record.id, other)]
        if found:
            linked[other] = {"results": found}
    return {**shown, "associations": linked} if linked else shown


def read(crm: Crm, request: Request, _: Any) -> Answer:
    record = crm.get(_kind(request), request.path_params["id"], id_property=request.query_params.get("idProperty"))
    shown = record.as_json(_wanted(request, "properties"), _wanted(request, "propertiesWithHistory"))
    return 200, _with_associations(crm, record, shown, _wanted(request, "associations"))


def list_objects(crm: Crm, request: Request, _: Any) -> Answer:
    shown = [r.as_json(_wanted(request, "properties")) for r in crm.live(_kind(request))]
    return 200, _page(shown, request, 10, 100)


def read_many(crm: Crm, request: Request, body: Any) -> Answer:
    kind, wanted = _kind(request), body.get("properties") or []
    ids = [str(i.get("id")) for i in body.get("inputs") or [] if isinstance(i, dict)]
    if not 0 < len(ids) <= 100:
        raise invalid("between 1 and 100 inputs")
    found = [r for r in (crm.records[kind].get(i) for i in ids) if r is not None and not r.archived]
    now = stamp(datetime.now(UTC))
    answer: dict[str, Any] = {"status": "COMPLETE", "startedAt": now, "completedAt": now}
    answer["results"] = [r.as_json(wanted, body.get("propertiesWithHistory") or []) for r in found]
    if len(found) == len(ids):
        return 200, answer
    missing = [i for i in ids if i not in {r.id for r in found}]
    error = {"status": "error", "category": "OBJECT_NOT_FOUND", "message": "Could not get some objects"}
    return 207, {**answer, "numErrors": 1, "errors": [{**error, "context": {"ids": missing}}]}


def create(crm: Crm, request: Request, body: Any) -> Answer:
    return 201, crm.create(_kind(request), body.get("properties"), body.get("associations")).everything()


def update(crm: Crm, request: Request, body: Any) -> Answer:
    return 200, crm.update(_kind(request), request.path_params["id"], body.get("properties")).everything()


def archive(crm: Crm, request: Request, _: Any) -> Answer:
    crm.archive(_kind(request), request.path_params["id"])
    return 204, None


def search_objects(crm: Crm, request: Request, body: Any) -> Answer:
    return 200, search(crm, _kind(request), body)


def associate(crm: Crm, request: Request, _: Any) -> Answer:
    path = request.path_params
    kind, other = _kind(request), str(path["other"])
    one, two = crm.get(kind, path["id"]), crm.get(other, path["other_id"])
    crm.link((kind, one.id), (other, two.id))
    now = stamp(datetime.now(UTC))
    specs = [(one.id, two.id, ASSOCIATION_TYPES[kind, other]), (two.id, one.id, ASSOCIATION_TYPES[other, kind])]
    results = [
        {
            "from": {"id": a},
            "to": {"id": b},
            "associationSpec": {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": n},
        }
        for a, b, n in specs
    ]
    return 200, {"status": "COMPLETE", "results": results, "requestedAt": now, "startedAt": now, "completedAt": now}


def list_associations(crm: Crm, request: Request, _: Any) -> Answer:
    kind, other = _kind(request), str(request.path_params["other"])
    if (kind, other) not in ASSOCIATION_TYPES:
        raise invalid(f"no association between {kind} and {other}")
    record = crm.get(kind, request.path_params["id"])
    label = {"category": "HUBSPOT_DEFINED", "typeId": ASSOCIATION_TYPES[kind, other], "label": None}
    linked = [{"toObjectId": r.id, "associationTypes": [label]} for r in crm.linked(kind, record.id, other)]
    return 200, _page(linked, request, 500, 500)


def read_associations(crm: Crm, request: Request, body: Any) -> Answer:
    """Of up to 1,000 records at once. Who has none is missing from the results and named in the errors: 207."""
    kind, other = _kind(request), str(request.path_params["other"])
    if (kind, other) not in ASSOCIATION_TYPES:
        raise invalid(f"no association between {kind} and {other}")
    ids = [str(i.get("id")) for i in body.get("inputs") or [] if isinstance(i, dict)]
    if not 0 < len(ids) <= 1000:
        raise invalid("between 1 and 1000 inputs")
    label = {"category": "HUBSPOT_DEFINED", "typeId": ASSOCIATION_TYPES[kind, other], "label": None}
    linked = {id_: crm.linked(kind, id_, other) for id_ in dict.fromkeys(ids)}
    results = [
        {"from": {"id": id_}, "to": [{"toObjectId": r.id, "associationTypes": [label]} for r in found]}
        for id_, found in linked.items()
        if found
    ]
    now = stamp(datetime.now(UTC))
    answer = {"status": "COMPLETE", "results": results, "requestedAt": now, "startedAt": now, "completedAt": now}
    alone = [id_ for id_, found in linked.items() if not found]
    if not alone:
        return 200, answer
    message = f"No {other} is associated with {kind} {', '.join(alone)}."
    error = {"status": "error", "category": "OBJECT_NOT_FOUND", "message": message, "errors": [], "links": {}}
    error |= {"subCategory": "crm.associations.NO_ASSOCIATIONS_FOUND", "context": {"fromObjectId": alone}}
    return 207, {**answer, "numErrors": 1, "errors": [error]}


def list_properties(crm: Crm, request: Request, _: Any) -> Answer:
    if request.query_params.get("archived", "false") not in ("false", "true"):
        raise invalid("archived must be true or false")  # the SDK sends "False" when told archived=False
    kind = _kind(request)
    return 200, {"results": [crm.property_json(kind, name) for name in PROPERTIES[kind]]}


def read_property(crm: Crm, request: Request, _: Any) -> Answer:
    found = crm.property_json(_kind(request), request.path_params["name"])
    if found is None:
        raise not_found(f"Property with name {request.path_params['name']} does not exist")
    return 200, found


def list_owners(crm: Crm, request: Request, _: Any) -> Answer:
    email = request.query_params.get("email")
    return 200, _page([o for o in crm.owners if email in (None, "", o["email"])], request, 100, 500)


def read_owner(crm: Crm, request: Request, _: Any) -> Answer:
    for owner in crm.owners:
        if owner["id"] == request.path_params["id"]:
            return 200, owner
    raise not_found("resource not found")


def list_pipelines(crm: Crm, request: Request, _: Any) -> Answer:
    return 200, {"results": pipelines() if request.path_params["kind"] == "deals" else []}


def read_pipeline(crm: Crm, request: Request, _: Any) -> Answer:
    for pipeline in pipelines():
        if request.path_params["kind"] == "deals" and pipeline["id"] == request.path_params["id"]:
            return 200, pipeline
    raise not_found("resource not found")


def account(crm: Crm, request: Request, _: Any) -> Answer:
    """`uiDomain` is where people read records: this very server, see `page`."""
    here = request.url.netloc + str(request.scope.get("root_path", ""))
    return 200, {
        "portalId": crm.portal_id,
        "accountType": "DEVELOPER_TEST",
        "timeZone": "Europe/Paris",
        "companyCurrency": "EUR",
        "uiDomain": here,
        "dataHostingLocation": "na1",
    }
