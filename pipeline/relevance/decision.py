"""Whether what was asked is among what was found, for every source of an answer: articles, dated records, live tools.

A source may hold the question's words and not what it asks for: the level of a rate and not its forecast, the law here
and not abroad, the median of a town and not the price of one flat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from corpus.french import distinct
from corpus.questions.bank import Match
from corpus.types import Passage, is_built_in
from pipeline.relevance.answerable import LEAST, LEAST_BARE, SURE, SURE_BARE, Rarity, answerable, signs_of
from pipeline.relevance.floors import enough
from pipeline.relevance.past import too_old
from pipeline.schemes import said_in
from pipeline.text.names import all_words, folded
from pipeline.types import Route, ToolResult
from pipeline.understanding.own_words import flat
from pipeline.understanding.told_by import is_of_the_crm, names_what

UNHELD: Final = 1.0
"""Log-odds that the question asks for what nothing of ours holds, above which no official page is looked for and no
article stands beside live tools."""
LIVE: Final = 2.5
"""Above which live tools do not answer it: the risks of an address are asked for in the words of what a building's
papers hold."""
OWN: Final = 6.0
"""The same of the CRM, asked in its own words."""
PLACE: Final = frozenset(("sales", "rents", "dpe", "risks", "status"))
UNNAMED: Final = {"crm": 1.2, **dict.fromkeys(PLACE, 0.5)}
NAMED: Final = {"calculator": 1.0, **dict.fromkeys(PLACE, 2.0)}
"""The same of a message that begins a subject, where it does not name what the tool tells, and where it does: judged on
other personas' questions, the first refuses four in five of those that nothing answers for one in seventeen."""
RECORDS: Final = "facts"
LEAST_NAME: Final = 4
"""Letters of a name that no other word is."""
FEW: Final = 5
"""Terms of a question that is short."""
LEADING: Final = 3
"""Passages that say of which years the articles speak."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What was asked. `unheld`: log-odds that by its own words it asks for what nothing of ours holds, of the whole
    question where `query` is a part of it; `places`: how many communes it names; `named`: whether it names a scheme or
    an aspect of the field; `live`: whether tools answer it too: what they tell stands in no article."""

    query: str
    unheld: float
    places: int
    named: bool
    live: bool


def is_live(route: Route) -> bool:
    """Whether tools answer it that tell more than dated records do."""
    return any(call.tool != RECORDS for call in route.tool_calls)


def held(asked: Subject, found: Sequence[Passage], nearest: Match, rarity: Rarity) -> bool:
    """Whether passages and the bank's nearest entry carry an answer: our articles by what was learned of them, a
    team's files by the floors; and by these beside live tools, which were learned of no question."""
    if too_old(asked.query, [passage.text for passage in found[:LEADING]]):
        return False
    if asked.live:
        return asked.unheld <= UNHELD and enough(asked.query, found, places=asked.places, named=asked.named)
    added = [passage for passage in found if not is_built_in(passage.document_id)]
    if added and enough(asked.query, added, places=asked.places, named=asked.named):
        return True
    ours = [passage for passage in found if is_built_in(passage.document_id)]
    if not ours:
        return False
    scheme = bool(said_in(flat(asked.query)))
    signs = signs_of(
        asked.query, ours, [nearest], places=asked.places, named=scheme, unheld=asked.unheld, rarity=rarity
    )
    chance = answerable(signs)
    bare = not asked.named and not scheme and len(distinct(asked.query)) <= FEW
    least, sure = (LEAST_BARE, SURE_BARE) if bare else (LEAST, SURE)
    return chance >= sure or (chance >= least and enough(asked.query, ours, places=asked.places, named=asked.named))


def may_answer(
    result: ToolResult, *, in_articles: bool | None, unheld: float, begins: str = "", known: bool = False
) -> bool:
    """Whether a tool's result may be told. `in_articles`: what was decided of the articles, None where nothing was;
    `begins`: the message where it begins a subject, else ""; `known`: it surely points at a deal. A record
    of a rule stands in the article on that rule, so that it answers no question that this one does not; of live tools
    the question's own words decide."""
    if result.error is None and too_old(begins, [result.text]):
        return False
    if in_articles is None:
        own = (known and result.call.tool == "crm") or _of_a_client(result, begins)
        return unheld <= (OWN if own else _most(result.call.tool, begins))
    return in_articles or result.call.tool != RECORDS


def _of_a_client(result: ToolResult, begins: str) -> bool:
    """Whether the message names a client whom the CRM knows and told of: what it asks for may stand in a note."""
    said = set(all_words(folded(begins)))
    return result.call.tool == "crm" and any(
        len(word) >= LEAST_NAME and word in said for name in result.persons for word in all_words(folded(name))
    )


def _most(tool: str, begins: str) -> float:
    """Log-odds up to which this tool's result is told."""
    if tool == "crm" and is_of_the_crm(begins):
        return OWN
    if not begins:
        return LIVE
    return NAMED.get(tool, LIVE) if names_what(tool, begins) else UNNAMED.get(tool, LIVE)
