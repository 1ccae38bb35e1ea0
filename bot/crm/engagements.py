"""Notes and tasks of a record, read through associations, which do not lag behind a write as search does."""

from collections.abc import Iterable
from typing import Any

from hubspot.crm.objects.notes import BatchReadInputSimplePublicObjectId, SimplePublicObjectId

from bot.crm.transport import Transport


async def associated_ids(hubspot: Transport, deal_id: str, kind: str, *, origin: str = "deals") -> list[str]:
    """Ids of the notes or tasks of a record, oldest association first."""
    ids: list[str] = []
    after: str | None = None
    for _ in range(10):
        options = {"limit": 500, **({"after": after} if after else {})}
        page = await hubspot.get(hubspot.reads.associations.get_page, origin, deal_id, kind, **options)
        if page is None:
            break
        ids += [str(r.to_object_id) for r in page.results]
        after = page.paging.next.after if page.paging and page.paging.next else None
        if not after:
            break
    return ids


async def read_bodies(hubspot: Transport, batch: Any, ids: Iterable[str], properties: Iterable[str]) -> list[Any]:
    """Up to 100 records in one call; those that are gone are left out."""
    inputs = [SimplePublicObjectId(id=i) for i in ids]
    request = BatchReadInputSimplePublicObjectId(inputs=inputs, properties=list(properties), properties_with_history=[])
    page = await hubspot.get(batch.read, batch_read_input_simple_public_object_id=request)
    return list(page.results) if page is not None else []
