"""What hardly changes in a HubSpot account: stages, owners, and the address under which people read its records."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from bot.crm.transport import Transport
from pipeline.crm_types import Owner, Stage

KEPT_SECONDS = 600.0
_PAGES = 10


class Labels:
    """Asked once in ten minutes. Raises `CrmUnavailable`."""

    def __init__(self, transport: Transport) -> None:
        self._hubspot = transport
        self._kept: dict[str, tuple[float, tuple[Any, ...]]] = {}
        self._record_base = ""

    async def stages(self) -> tuple[Stage, ...]:
        return await self._once("stages", self._read_stages)

    async def owners(self) -> tuple[Owner, ...]:
        return await self._once("owners", self._read_owners)

    async def stage(self, stage_id: str) -> str:
        """The firm's own word for a stage; its id when HubSpot does not know it."""
        if not stage_id:
            return ""
        return next((stage.label for stage in await self.stages() if stage.id == stage_id), stage_id)

    async def owner(self, owner_id: str) -> str:
        if not owner_id:
            return ""
        return next((owner.name for owner in await self.owners() if owner.id == owner_id), "")

    async def deal_url(self, deal_id: str) -> str:
        """Where a person opens the deal; an empty string when HubSpot would not say which portal this is."""
        if not self._record_base:
            details = await self._hubspot.get_json("/account-info/v3/details")
            if not details or not details.get("uiDomain") or not details.get("portalId"):
                return ""
            self._record_base = (
                f"{self._hubspot.scheme}://{details['uiDomain']}/contacts/{details['portalId']}/record/0-3"
            )
        return f"{self._record_base}/{deal_id}"

    async def _once(self, name: str, read: Callable[[], Awaitable[tuple[Any, ...]]]) -> tuple[Any, ...]:
        at, found = self._kept.get(name, (0.0, ()))
        if not at or time.monotonic() - at > KEPT_SECONDS:
            found = await read()
            self._kept[name] = (time.monotonic(), found)
        return found

    async def _read_stages(self) -> tuple[Stage, ...]:
        found = await self._hubspot.get(self._hubspot.reads.pipelines.get_all, "deals")
        return tuple(
            _stage(stage, str(pipeline.id))
            for pipeline in (found.results if found is not None else ())
            for stage in sorted(pipeline.stages, key=lambda one: one.display_order)
        )

    async def _read_owners(self) -> tuple[Owner, ...]:
        owners: list[Owner] = []
        after: str | None = None
        for _ in range(_PAGES):
            options = {"limit": 500, **({"after": after} if after else {})}
            page = await self._hubspot.get(self._hubspot.reads.owners.get_page, **options)
            if page is None:
                break
            owners += [_owner(one) for one in page.results]
            after = page.paging.next.after if page.paging and page.paging.next else None
            if not after:
                break
        return tuple(owners)


def _owner(raw: Any) -> Owner:
    name = " ".join(filter(None, (raw.first_name, raw.last_name)))
    return Owner(id=str(raw.id), name=name or raw.email or "", email=raw.email or "")


def _stage(raw: Any, pipeline: str) -> Stage:
    """HubSpot keeps both as text: a stage is closed with a chance of 1 when won, of 0 when lost."""
    metadata = raw.metadata or {}
    closed = str(metadata.get("isClosed", "")).lower() == "true"
    won = closed and str(metadata.get("probability", "")).startswith("1")
    return Stage(id=str(raw.id), label=str(raw.label), pipeline=pipeline, closed=closed, won=won)
