"""What the words of a message name in this CRM: colleagues, stages, topics; and which of them name nothing there."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pipeline.crm_types import DealSearch, Owner, Stage
from pipeline.ports import CrmReader
from pipeline.text.asked_words import topics
from pipeline.text.names import all_words, folded
from pipeline.text.stages import Named, stages_named

MOST_TOPICS: Final = 4
FEW: Final = 4
"""Words of a message that is no sentence: each of them says something."""
NAMED: Final = re.compile(
    r"\b(?:l[ea]s?|une?|des?|du|aux?|ce(?:tte|s|t)?|[mts](?:on|a|es)|[nv]os|[nv]otre|leurs?|quel(?:le)?s?|aucune?|en|"
    r"sur|avec|sans|pour|par|chez|et|ou|[ld]['’]) ?(?<=[ '’])(?=(\w+)(?: (\w+))?)",
    re.IGNORECASE,
)
"""The two words that an article, a possessive, a preposition or « et » stands before."""
_CLIENTS_WORD: Final = frozenset(
    {"dossier", "deal", "client", "cliente", "m", "mme", "mr", "monsieur", "madame", "affaire"}
)
"""Before a name, these say that it is a client's and no colleague's."""


@dataclass(frozen=True, slots=True)
class Said:
    """`text`: words that deals hold; `unknown`: those that none holds."""

    stages: Named = field(default_factory=Named)
    owners: tuple[Owner, ...] = ()
    text: str = ""
    unknown: tuple[str, ...] = ()


async def said_in(message: str, reader: CrmReader, *, stages: Sequence[Stage], owners: Sequence[Owner]) -> Said:
    """Raises `CrmUnavailable`."""
    named = stages_named(message, stages)
    people, used = owners_named(message, owners)
    left = [word for word in topics(message) if folded(word) not in named.words | used]
    text, unknown = await _topic(left, message, reader)
    return Said(named, people, text, unknown)


def owners_named(message: str, owners: Sequence[Owner]) -> tuple[tuple[Owner, ...], frozenset[str]]:
    """Those whose full name the message holds, else those of whose names it holds one word; and the words that did."""
    words = all_words(folded(message))
    names = {owner.id: all_words(folded(owner.name)) for owner in owners}
    full = tuple(owner for owner in owners if names[owner.id] and set(names[owner.id]) <= set(words))
    if full:
        return full, frozenset(word for owner in full for word in names[owner.id])
    alone = {word for i, word in enumerate(words) if len(word) > 2 and not (i and words[i - 1] in _CLIENTS_WORD)}
    found = tuple(owner for owner in owners if alone & set(names[owner.id]))
    return found, frozenset(word for owner in found for word in names[owner.id] if word in alone)


async def _topic(words: Sequence[str], message: str, reader: CrmReader) -> tuple[str, tuple[str, ...]]:
    """The words to look for, and the things named that no deal holds: behind an article or the like, for other words
    are those of asking (« j'ai laissé filer »). A name with its capital is looked for whatever comes: that nothing is
    found is the answer then."""
    if not words:
        return "", ()
    if len(words) <= MOST_TOPICS and await _count(" ".join(words), reader):
        return " ".join(words), ()
    asked = list(words[:MOST_TOPICS])
    counts = await asyncio.gather(*(_count(word, reader) for word in asked))
    capitals = {word for word in asked if f" {word.capitalize()}" in message or f"'{word.capitalize()}" in message}
    kept = [word for word, count in zip(asked, counts, strict=True) if count or word in capitals]
    things = {folded(word) for pair in NAMED.findall(message) for word in pair}
    things |= set(map(folded, words)) if len(message.split()) <= FEW else set()
    return " ".join(kept), tuple(word for word in words if word not in kept and folded(word) in things)


async def _count(text: str, reader: CrmReader) -> int:
    return (await reader.deals(DealSearch(text=text))).total
