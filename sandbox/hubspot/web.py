"""HubSpot's HTTP surface: the paths that hubspot-api-client 12 calls, its error bodies, and the faults."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from sandbox.hubspot import actions
from sandbox.hubspot.crm import Crm
from sandbox.hubspot.faults import Kind
from sandbox.hubspot.oauth import Portals
from sandbox.hubspot.page import record_page
from sandbox.hubspot.refusals import Refusal, error_body, invalid, not_found, rate_limited, unauthenticated

Publish = Callable[[str], None]
Action = Callable[[Crm, Request, Any], tuple[int, dict[str, Any] | None]]

_OBJECTS = "/crm/v3/objects/{kind}"
_LINKS = "/crm/v4/objects/{kind}/{id}/associations"

# Method, path, kind of call, what it does. Order matters: `search` and `batch` come before `{id}`.
_TABLE: tuple[tuple[str, str, Kind, Action], ...] = (
    ("POST", f"{_OBJECTS}/search", "read", actions.search_objects),
    ("POST", f"{_OBJECTS}/batch/read", "read", actions.read_many),
    ("GET", _OBJECTS, "read", actions.list_objects),
    ("POST", _OBJECTS, "write", actions.create),
    ("GET", f"{_OBJECTS}/{{id}}", "read", actions.read),
    ("PATCH", f"{_OBJECTS}/{{id}}", "write", actions.update),
    ("DELETE", f"{_OBJECTS}/{{id}}", "write", actions.archive),
    ("PUT", f"{_LINKS}/default/{{other}}/{{other_id}}", "write", actions.associate),
    ("GET", f"{_LINKS}/{{other}}", "read", actions.list_associations),
    ("POST", "/crm/v4/associations/{kind}/{other}/batch/read", "read", actions.read_associations),
    ("GET", "/crm/v3/properties/{kind}", "read", actions.list_properties),
    ("GET", "/crm/v3/properties/{kind}/{name}", "read", actions.read_property),
    # The SDK calls owners with a trailing slash, people's scripts without.
    ("GET", "/crm/v3/owners", "read", actions.list_owners),
    ("GET", "/crm/v3/owners/", "read", actions.list_owners),
    ("GET", "/crm/v3/owners/{id}", "read", actions.read_owner),
    ("GET", "/crm/v3/pipelines/{kind}", "read", actions.list_pipelines),
    ("GET", "/crm/v3/pipelines/{kind}/{id}", "read", actions.read_pipeline),
    ("GET", "/account-info/v3/details", "read", actions.account),
)


NONSENSE = {
    "id": "1",
    "properties": {},
    "results": [],
    "status": "COMPLETE",
    "archived": False,
    "createdAt": "2020-01-01T00:00:00Z",
    "updatedAt": "2020-01-01T00:00:00Z",
}
"""Right in form, and about nothing that was asked."""


def routes(crm: Crm, publish: Publish, *, portals: Portals | None = None) -> list[BaseRoute]:
    """To be mounted under /hubspot. `publish("crm")` is called after each change; `portals`: where several are
    connected by OAuth."""
    served: list[BaseRoute] = [
        Route(path, partial(_serve, portals or crm, publish, kind, action), methods=[method])
        for method, path, kind, action in _TABLE
    ]
    shown = Route("/contacts/{portal}/record/{number}/{id}", partial(record_page, crm), methods=["GET"])
    unknown = Route("/{path:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    return [*served, *(portals.routes() if portals else ()), shown, unknown]


async def _serve(held: Crm | Portals, publish: Publish, kind: Kind, action: Action, request: Request) -> Response:
    try:
        crm = _allowed(held, request.headers.get("authorization", "").removeprefix("Bearer "))
        body = await _body(request)
        fault, seconds, retry_after = crm.fault.take(kind), crm.fault.seconds, crm.fault.retry_after
        if fault in ("429", "500", "401"):
            return _struck(fault, retry_after)
        status, answer = action(crm, request, body)
    except Refusal as refusal:
        return JSONResponse(refusal.body, refusal.status)
    if kind == "write":
        publish("crm")
    if fault == "commit_then_drop":
        return _Dropped()
    if fault == "html":
        return HTMLResponse("<html><body><h1>Passerelle</h1></body></html>", status)
    if fault == "nonsense":
        return JSONResponse(NONSENSE, status)
    if fault == "slow":
        await asyncio.sleep(seconds)
    return Response(status_code=status) if answer is None else JSONResponse(answer, status)


def _allowed(held: Crm | Portals, token: str) -> Crm:
    """The portal that the token opens. Raises `Refusal`."""
    crm = held.of(token) if isinstance(held, Portals) else held if token == held.token else None
    if crm is None:
        raise unauthenticated()
    return crm


async def _body(request: Request) -> Any:
    raw = await request.body()
    if not raw:
        return {}
    try:
        body = json.loads(raw)
    except ValueError:
        raise invalid("Invalid input JSON") from None
    if not isinstance(body, dict):
        raise invalid("Invalid input JSON: an object is expected")
    return body


def _struck(fault: str, retry_after: float | None) -> Response:
    if fault == "429":
        headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
        return JSONResponse(rate_limited(), 429, headers)
    if fault == "401":
        refusal = unauthenticated()
        return JSONResponse(refusal.body, refusal.status)
    return JSONResponse(error_body("INTERNAL_ERROR", "There was a problem with the request."), 500)


async def _unknown(request: Request) -> Response:
    refusal = not_found(f"no such path: {request.url.path}")
    return JSONResponse(refusal.body, refusal.status)


class _Dropped(Response):
    """Announces more than it sends: the server then cuts the connection and the client never has a body."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"4096")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})
