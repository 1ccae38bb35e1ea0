"""An address becomes a source of the corpus, and is read again: conditional, idempotent, nothing half-indexed.

What is read is parsed whole before anything is written. What is gone takes its documents out of the index and is looked
for again; a source that somebody removed meanwhile stays removed. A page or entry that gives no date bears the day on
which this text of it was first read.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, Literal

from bot.errors import BotError
from bot.store import sources, web_sources
from bot.store.database import Database
from bot.store.inbox import utc_now
from bot.store.tables import Row
from corpus.chunking import chunk
from corpus.errors import IndexUnavailable, StaleIndex, UnreadableSource
from corpus.ingest import IngestReport, ingest
from corpus.ports import Embedder, PassageArchive
from corpus.sources.feeds import is_past
from corpus.sources.fetching import Reach
from corpus.sources.receiving import NotModified, Seen
from corpus.sources.web import WIKIPEDIA, WebSource, read_source
from corpus.types import Document
from pipeline.errors import Retryable

State = Literal["added", "changed", "unchanged", "gone"]
GONE: Final = "La page n'existe plus à cette adresse : ses passages ont été retirés."
NEVER_THERE: Final = "Il n'y a rien à cette adresse : vérifiez-la."
NO_ARTICLE: Final = "Wikipédia n'a pas d'article de ce titre : vérifiez son orthographe, majuscules comprises."
NOT_KNOWN: Final = "Cette adresse n'est pas retenue pour cet espace et ce canal : rien n'a été retiré."
REMOVED: Final = "Cette source vient d'être retirée : elle n'a pas été relue."


class SourceLate(Retryable, BotError):
    """La base documentaire ne répond pas : la source sera relue plus tard."""


@dataclass(frozen=True, slots=True)
class WebIngestion:
    """What reading an address needs. `api`: MediaWiki's; `today`: the day in Paris."""

    database: Database
    index: PassageArchive
    embedder: Embedder | None
    reach: Reach
    api: str
    today: Callable[[], date]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom the documents belong to, who may see them, who added them."""

    tenant: str
    audience: str
    added_by: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What reading an address did; `skipped`: French sentences on what was left out."""

    state: State
    name: str
    report: IngestReport = field(default_factory=IngestReport)
    skipped: tuple[str, ...] = ()


async def add_file(address: str, *, web_ingestion: WebIngestion, owner: Owner) -> Taken:
    """Read an address that somebody named, and remember it. Raises `UnreadableSource` and `SourceLate`."""
    ids = [source_id(kind, address, owner.audience) for kind in web_sources.KINDS]
    row = await web_ingestion.database.read(lambda c: web_sources.known(c, ids, team_id=owner.tenant))
    return await _read(address, row, web_ingestion=web_ingestion, owner=owner)


async def read_again(row: Row, *, web_ingestion: WebIngestion) -> Taken:
    """Read a remembered address again. Raises `UnreadableSource`, kept as the row's reason, and `SourceLate`."""
    address = f"{WIKIPEDIA}{row['name']}" if row["kind"] == "wikipedia" else row["url"]
    owner = Owner(row["team_id"], row["audience"], row["added_by"])
    try:
        return await _read(address, row, web_ingestion=web_ingestion, owner=owner)
    except UnreadableSource as error:
        await _note(row, web_ingestion, reason=str(error))
        raise


def source_id(kind: str, address: str, audience: str) -> str:
    """`page:0123…`: the same address for another audience is another source, with passages of its own."""
    named = f"{' '.join(address.split())}\n{audience}"
    return f"{kind}:{hashlib.sha256(named.encode()).hexdigest()[:24]}"


async def _read(address: str, row: Row | None, *, web_ingestion: WebIngestion, owner: Owner) -> Taken:
    try:
        held = await _held(row, web_ingestion)
        seen = Seen(row["etag"] or "", row["last_modified"] or "") if row and held else None
        found = await read_source(
            address, reach=web_ingestion.reach, api=web_ingestion.api, kind=row["kind"] if row else None, seen=seen
        )
        if found is None:
            return await _retired(address, row, held, web_ingestion)
        if row and held and (isinstance(found, NotModified) or found.digest == row["digest"]):
            await _note(
                row, web_ingestion, reason=None, **({} if isinstance(found, NotModified) else _said(found.seen))
            )
            return Taken("unchanged", row["name"], IngestReport(unchanged=row["documents"]))
        if isinstance(found, NotModified):
            raise UnreadableSource("Le site dit que rien n'a changé, sans qu'on le lui ait demandé.")
        return await _stored(found, row, held, web_ingestion=web_ingestion, owner=owner, address=address)
    except (IndexUnavailable, StaleIndex) as error:
        raise SourceLate(str(error)) from error


async def _held(row: Row | None, web_ingestion: WebIngestion) -> Sequence[str]:
    """Ids of the source's documents in the index."""
    if row is None:
        return ()
    own = row["source_id"]
    names = await web_ingestion.index.digests(tenant=row["team_id"])
    return [name for name in names if name == own or name.startswith(f"{own}/")]


async def _stored(
    found: WebSource, row: Row | None, held: Sequence[str], *, web_ingestion: WebIngestion, owner: Owner, address: str
) -> Taken:
    """Index it, then say so in its row; where the row was removed meanwhile, take it out again."""
    # Two titles may lead to one article: it is known by its own.
    named = f"{WIKIPEDIA}{found.name}" if found.kind == "wikipedia" else address
    name = row["source_id"] if row else source_id(found.kind, named, owner.audience)
    days = {each: await _day(each, owner.tenant, web_ingestion) for each in held} if found.kind == "feed" else {}
    documents = [_dated(each, name, days, owner=owner, today=web_ingestion.today()) for each in found.documents]
    staying = {each.id for each in documents}
    leaving = {
        each for each in set(held) - staying if each not in days or is_past(days[each], today=web_ingestion.today())
    }
    report = await ingest(
        documents,
        index=web_ingestion.index,
        embedder=web_ingestion.embedder,
        tenant=owner.tenant,
        retire=lambda each: each in leaving,
    )
    passages = sum(len(chunk(each)) for each in documents)
    whole = not report.without_vectors  # else it is read whole again tomorrow, for the vectors that are missing
    values = {
        "kind": found.kind, "name": found.name, "url": found.url, "digest": found.digest if whole else None,
        "documents": len(staying | set(held) - leaving), "passages": passages, "skipped": list(found.skipped) or None,
        "reason": None, "checked_at": utc_now(), **_said(found.seen if whole else Seen()),
    }  # fmt: skip
    who = {"audience": owner.audience, "added_by": owner.added_by}
    if not await web_ingestion.database.write(
        lambda c: web_sources.remember(c, name, again=row is not None, team_id=owner.tenant, who=who, **values)
    ):
        await web_ingestion.index.delete([*staying, *held], tenant=owner.tenant)
        raise UnreadableSource(REMOVED)
    state: State = "unchanged"
    if report.added or report.replaced or report.retired:
        state = "changed" if held else "added"
    return Taken(state, found.name, report, found.skipped)


async def _retired(address: str, row: Row | None, held: Sequence[str], web_ingestion: WebIngestion) -> Taken:
    """Out of the index at once; the address is looked for again tomorrow, as pages come back."""
    if row is None:
        raise UnreadableSource(NO_ARTICLE if address.lower().startswith(WIKIPEDIA) else NEVER_THERE)
    retired = await web_ingestion.index.delete(held, tenant=row["team_id"]) if held else 0
    moved = await web_ingestion.database.write(
        lambda c: sources.move(
            c, row["source_id"], team_id=row["team_id"], expected=("ready",), to="failed", actor="web",
            reason=GONE, checked_at=utc_now(), documents=0, passages=0, etag=None, last_modified=None,
        )
    )  # fmt: skip
    if not moved:
        await _note(row, web_ingestion, reason=row["reason"])
    return Taken("gone", row["name"], IngestReport(retired=retired))


async def _note(row: Row, web_ingestion: WebIngestion, *, reason: str | None, **values: Any) -> None:
    """Somebody looked, and the documents are what they were."""
    await web_ingestion.database.write(
        lambda c: sources.change(
            c, row["source_id"], team_id=row["team_id"], reason=reason, checked_at=utc_now(), **values
        )
    )


def _dated(document: Document, name: str, days: Mapping[str, date | None], *, owner: Owner, today: date) -> Document:
    """With its source's name before its own, its audience, and the day of its first reading if it says none."""
    whole = f"{name}{document.id}"
    published = document.published or days.get(whole) or today
    return replace(document, id=whole, audience=owner.audience, published=published)


async def _day(document_id: str, tenant: str, web_ingestion: WebIngestion) -> date | None:
    passages = await web_ingestion.index.passages(document_id, tenant=tenant)
    return passages[0].published if passages else None


def _said(seen: Seen) -> dict[str, str | None]:
    return {"etag": seen.etag or None, "last_modified": seen.last_modified or None}


async def remove(address: str, *, web_ingestion: WebIngestion, owner: Owner) -> str:
    """Takes a remembered address and its documents out; its name. Raises `UnreadableSource` and `SourceLate`."""
    ids = [source_id(kind, address, owner.audience) for kind in web_sources.KINDS]
    row = await web_ingestion.database.read(lambda c: web_sources.known(c, ids, team_id=owner.tenant))
    if row is None:
        raise UnreadableSource(NOT_KNOWN)
    # The row first: a reading under way then takes out what it has just put in.
    await web_ingestion.database.write(
        lambda c: sources.move(
            c, row["source_id"], team_id=owner.tenant, expected=web_sources.REMEMBERED, to="removed",
            actor=owner.added_by, removed_by=owner.added_by, removed_at=utc_now(),
        )
    )  # fmt: skip
    try:
        await web_ingestion.index.delete(await _held(row, web_ingestion), tenant=owner.tenant)
    except (IndexUnavailable, StaleIndex) as error:
        await web_ingestion.database.write(
            lambda c: sources.move(
                c, row["source_id"], team_id=owner.tenant, expected=("removed",), to=row["state"],
                removed_by=None, removed_at=None,
            )
        )  # fmt: skip
        raise SourceLate(str(error)) from error
    return str(row["name"])
