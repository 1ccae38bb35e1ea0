"""What a conversation may see of the team's sources: all of them, or those that some words find."""

import asyncio
from dataclasses import dataclass

from bot.documents import uploads
from bot.store import sources
from bot.store.database import Database
from bot.store.tables import Row
from corpus.errors import CorpusError
from corpus.french import distinct
from corpus.ports import PassageIndex
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Filters

BY_COMMAND = ("file:/", "own:")
"""What `ingest` calls a file and an article; a dropped file's id has no path."""
SEARCHED = 200
"""Passages looked at for the words of a search."""
INDEX_SECONDS = 1.2
"""Slack lets a list open within three seconds of the command, whatever the index does."""


@dataclass(frozen=True, slots=True)
class Listing:
    """`rows` newest first; `built_in`: articles of our own, None while the index does not answer; `by_command`:
    files that an administrator added with `python -m bot ingest`, which have no row."""

    rows: tuple[Row, ...]
    words: str
    total: int
    built_in: int | None
    by_command: int = 0


async def listing(database: Database, index: PassageIndex, *, team_id: str, channel: str, words: str) -> Listing:
    """Sources of the team's and of this conversation, by name first, then by what they say."""
    audiences = uploads.audiences_of(channel)
    wanted = set(distinct(words))
    rows, holding, (built_in, by_command) = await asyncio.gather(
        database.read(lambda c: sources.listed(c, team_id=team_id, audiences=audiences)),
        _holding(index, words if wanted else "", team_id=team_id, audiences=frozenset(audiences)),
        _without_row(index, team_id=team_id),
    )
    found = rows
    if wanted:
        named = [row for row in rows if wanted <= set(distinct(row["name"]))]
        found = [*named, *(row for row in rows if row not in named and row["source_id"] in holding)]
    return Listing(tuple(found), words.strip(), len(rows), built_in, by_command)


async def count(database: Database, *, team_id: str) -> int:
    """Sources that the whole team may be answered from."""
    everywhere = (PUBLIC_AUDIENCE,)
    return len(await database.read(lambda c: sources.listed(c, team_id=team_id, audiences=everywhere)))


async def _holding(index: PassageIndex, words: str, *, team_id: str, audiences: frozenset[str]) -> set[str]:
    """Sources with all of these words in one passage; none while the index is away, names are searched anyway."""
    if not words:
        return set()
    filters = Filters(audiences=audiences)
    try:
        async with asyncio.timeout(INDEX_SECONDS):
            passages = await index.search(words, vector=None, tenants=(team_id,), filters=filters, limit=SEARCHED)
    except (CorpusError, TimeoutError):
        return set()
    return {passage.document_id.partition("/")[0] for passage in passages if passage.coverage == 1.0}


async def _without_row(index: PassageIndex, *, team_id: str) -> tuple[int | None, int]:
    """(built-in articles, files of the command line); (None, 0) while the index does not answer."""
    try:
        async with asyncio.timeout(INDEX_SECONDS):
            shared = await index.digests(tenant=SHARED_TENANT)
            team = await index.digests(tenant=team_id)
    except (CorpusError, TimeoutError):
        return None, 0
    by_command = sum(name.startswith(BY_COMMAND) for held in (shared, team) for name in held)
    return sum(":" not in name for name in shared), by_command
