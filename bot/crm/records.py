"""Records by their ids, and what they are associated with: neither lags behind a write, as search does."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from hubspot.crm.associations.v4 import (
    BatchInputPublicFetchAssociationsBatchRequest,
    PublicFetchAssociationsBatchRequest,
)
from hubspot.crm.deals import BatchReadInputSimplePublicObjectId, SimplePublicObjectId

from bot.crm.transport import Transport

BATCH, ASSOCIATIONS_BATCH = 100, 1000
"""What HubSpot reads at once."""


async def associated_ids(hubspot: Transport, record_id: str, kind: str, *, origin: str = "deals") -> list[str]:
    """Ids of the records of `kind` that belong to a record of `origin`, oldest association first."""
    ids: list[str] = []
    after: str | None = None
    for _ in range(10):
        options = {"limit": 500, **({"after": after} if after else {})}
        page = await hubspot.get(hubspot.reads.associations.get_page, origin, record_id, kind, **options)
        if page is None:
            break
        ids += [str(r.to_object_id) for r in page.results]
        after = page.paging.next.after if page.paging and page.paging.next else None
        if not after:
            break
    return ids


async def associated_to_each(
    hubspot: Transport, ids: Iterable[str], kind: str, *, origin: str
) -> Mapping[str, tuple[str, ...]]:
    """For each record of `origin` that has any: the ids of its records of `kind`. The first page of each."""
    unique = list(dict.fromkeys(ids))
    found: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(unique), ASSOCIATIONS_BATCH):
        inputs = [PublicFetchAssociationsBatchRequest(id=i) for i in unique[start : start + ASSOCIATIONS_BATCH]]
        request = BatchInputPublicFetchAssociationsBatchRequest(inputs=inputs)
        read = hubspot.reads.associations_batch.get_page
        page = await hubspot.get(read, origin, kind, batch_input_public_fetch_associations_batch_request=request)
        for one in page.results if page is not None else ():
            found[str(one._from.id)] = tuple(str(other.to_object_id) for other in one.to)
    return found


async def read_records(hubspot: Transport, kind: str, ids: Iterable[str], properties: Iterable[str]) -> list[Any]:
    """Those that still exist, in the order of `ids`; a hundred a call."""
    unique, wanted = list(dict.fromkeys(ids)), list(properties)
    read = hubspot.reads.batch[kind].read

    async def part(some: list[str]) -> list[Any]:
        inputs = [SimplePublicObjectId(id=i) for i in some]
        request = BatchReadInputSimplePublicObjectId(inputs=inputs, properties=wanted, properties_with_history=[])
        page = await hubspot.get(read, batch_read_input_simple_public_object_id=request)
        return list(page.results) if page is not None else []

    parts = await asyncio.gather(*(part(unique[start : start + BATCH]) for start in range(0, len(unique), BATCH)))
    order = {id_: place for place, id_ in enumerate(unique)}
    return sorted((record for found in parts for record in found), key=lambda record: order[str(record.id)])
