"""The sandbox's HubSpot on a real socket, with our adapters over it: what the CRM contract tests stand on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Mount

from bot.crm.reader import HubspotReader
from bot.crm.transport import Transport, connect
from bot.crm.writer import HubspotWriter
from bot.ports import Approval
from pipeline.action_types import ActionKind, ProposedAction, Target
from sandbox.hubspot import Crm, routes
from tests.loopback import served

MARTIN = "9001"
TODAY = date(2026, 11, 20)
"""A Friday, around which this HubSpot's seed lies."""


NOTES = Crm(today=TODAY).snapshot()["notes"]
"""Those of the seed."""


@dataclass(slots=True)
class Wire:
    """`crm` is the other side; `requests` holds `METHOD path` of what reached it since the last `reset`."""

    crm: Crm
    base_url: str
    requests: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    def reset(self) -> None:
        self.crm.reset()
        self.requests.clear()
        self.changes.clear()

    def transport(self, *, token: str | None = None, seconds: float = 60.0, **options: Any) -> Transport:
        return connect(token or self.crm.token, base_url=self.base_url, timeout=(60.0, seconds), **options)

    def reader(self, **options: Any) -> HubspotReader:
        return HubspotReader(self.transport(**options))

    def writer(self, **options: Any) -> HubspotWriter:
        transport = self.transport(**options)
        return HubspotWriter(transport, reader=HubspotReader(transport))

    def sent(self, method: str) -> int:
        return sum(line.startswith(method) for line in self.requests)


@contextmanager
def hubspot_wire() -> Iterator[Wire]:
    wire = Wire(crm=Crm(today=TODAY), base_url="")
    served_routes = [Mount("/hubspot", routes=routes(wire.crm, wire.changes.append))]
    app = Starlette(routes=served_routes)

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        wire.requests.append(f"{scope['method']} {scope['path']}")
        await app(scope, receive, send)

    with served(counted) as address:
        wire.base_url = f"{address}/hubspot"
        yield wire


def approval(proposal_id: str = "prop-1", *, by_name: str = "Camille Renaud") -> Approval:
    return Approval(
        proposal_id=proposal_id, by="U0CAMILLE", by_name=by_name, at=datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
    )


def action(kind: ActionKind = "create_note", *, base: Any = None, **fields: str) -> ProposedAction:
    fields = fields or {"hs_note_body": "Le client accepte."}
    target = Target(object="deal", id=MARTIN, name="Dossier Martin")
    return ProposedAction(kind=kind, target=target, fields=fields, summary="", base=base or {})


async def update(wire: Wire, name: str = "hs_priority", value: str = "low") -> ProposedAction:
    """An update of the Martin deal, proposed from what it says now."""
    deal = await wire.reader().deal(MARTIN)
    assert deal is not None
    base = {"value": deal.properties.get(name, ""), "label": "Priorité", "changed_at": deal.changed_at[name]}
    return action("update_property", base=base, **{name: value})


def priority(wire: Wire) -> str:
    return str(wire.crm.get("deals", MARTIN).value("hs_priority"))


def notes(wire: Wire) -> list[dict[str, Any]]:
    """The notes written since the seed."""
    return wire.crm.snapshot()["notes"][len(NOTES) :]
