"""What a conversation may see of the team's sources: all of them, or those that some words find."""

from dataclasses import dataclass

from bot import uploads
from bot.store import sources
from bot.store.database import Database
from bot.store.tables import Row
from corpus.errors import CorpusError
from corpus.french import distinct
from corpus.ports import PassageIndex
from corpus.types import SHARED_TENANT, Filters

SEARCHED = 200
"""Passages looked at for the words of a search."""


@dataclass(frozen=True, slots=True)
class Listing:
    """`rows` newest first; `built_in`: articles of our own, None while the index does not answer."""

    rows: tuple[Row, ...]
    words: str
    total: int
    built_in: int | None


async def listing(database: Database, index: PassageIndex, *, team_id: str, channel: str, words: str) -> Listing:
    """Sources of the team's and of this conversation, by name first, then by what they say."""
    audiences = uploads.audiences_of(channel)
    rows = await database.read(lambda c: sources.listed(c, team_id=team_id, audiences=audiences))
    found = rows
    if wanted := distinct(words):
        named = [row for row in rows if set(wanted) <= set(distinct(row["name"]))]
        holding = await _holding(index, words, team_id=team_id, audiences=frozenset(audiences))
        found = [*named, *(row for row in rows if row not in named and row["source_id"] in holding)]
    return Listing(tuple(found), words.strip(), len(rows), await _built_in(index))


async def count(database: Database, *, team_id: str) -> int:
    """Sources that the whole team may be answered from."""
    everywhere = uploads.audiences_of("")[:1]
    return len(await database.read(lambda c: sources.listed(c, team_id=team_id, audiences=everywhere)))


async def _holding(index: PassageIndex, words: str, *, team_id: str, audiences: frozenset[str]) -> set[str]:
    """Documents with all of these words in one passage; nothing while the index is away, names are searched anyway."""
    try:
        passages = await index.search(
            words, vector=None, tenants=(team_id,), filters=Filters(audiences=audiences), limit=SEARCHED
        )
    except CorpusError:
        return set()
    return {passage.document_id.partition("/")[0] for passage in passages if passage.coverage == 1.0}


async def _built_in(index: PassageIndex) -> int | None:
    try:
        return sum(":" not in name for name in await index.digests(tenant=SHARED_TENANT))
    except CorpusError:
        return None
