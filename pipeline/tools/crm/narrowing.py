"""What the CRM's search cannot be asked, looked for among the deals that it found: what they lack, their priority."""

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.crm_types import DealList, TaskList, TaskSearch
from pipeline.ports import CrmReader
from pipeline.text.names import folded
from pipeline.tools.crm.arguments import DealsAsked, message_said
from pipeline.tools.crm.said_of import shared_words
from pipeline.tools.crm.wording import quoted

LACKING: Final = {
    "closedate": "sans date de signature",
    "amount": "sans montant",
    "hs_next_step": "sans prochaine étape",
    "tasks": "sans tâche ouverte",
}
"""A property, or the tasks, -> how a list of deals without it is called."""
PRIORITIES: Final = {"high": "haute", "medium": "moyenne", "low": "basse"}
"""HubSpot's own three."""
MOST_TASKS: Final = 1_000
NOT_ALL: Final = "je n'ai pas pu lire tous les dossiers"
_MOST_NAMED: Final = 25
_SEVERAL: Final = 2
_OF_TEXT: Final = "où il est question"
_BOUNDS: Final = (
    "commune", "owner_id", "closes_after", "closes_before", "min_amount", "max_amount", "unchanged_since"
)  # fmt: skip
"""What a search is bound by beside its words."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The deals that stand, and how they were asked for."""

    found: DealList
    asked: DealsAsked


async def narrowed(found: DealList, asked: DealsAsked, arguments: Mapping[str, Any], reader: CrmReader) -> Narrowed:
    """`arguments`: `lacking` (keys of `LACKING`), `priority` (a key of `PRIORITIES`). Where not all deals were read,
    that is told. Raises `CrmUnavailable`."""
    if not found.deals and asked.search.text:
        found, asked = await _of_somebody(found, asked, reader)
    if not found.deals and asked.search.text:
        found, asked = await _of_any_word(found, asked, reader)
    if not found.deals and asked.search.text:
        found, asked = await _without_words(found, asked, message_said(arguments), reader)
    lacking = [name for name in arguments.get("lacking") or () if name in LACKING]
    priority = str(arguments.get("priority") or "")
    if not lacking and priority not in PRIORITIES:
        return Narrowed(found, asked)
    kept = list(found.deals)
    complete = found.total == len(kept)
    for name in lacking:
        if name == "tasks":
            tasks = await reader.tasks(TaskSearch(limit=MOST_TASKS))
            complete = complete and tasks.total <= len(tasks.tasks)
            busy = {deal.deal_id for task in tasks.tasks for deal in task.deals}
            kept = [deal for deal in kept if deal.id not in busy]
        else:
            kept = [deal for deal in kept if not deal.properties.get(name, "").strip()]
    if priority in PRIORITIES:
        kept = [deal for deal in kept if deal.properties.get("hs_priority", "").lower() == priority]
    words = [LACKING[name] for name in lacking]
    words += [f"de priorité {PRIORITIES[priority]}"] if priority in PRIORITIES else []
    ignored = asked.ignored if complete else (*asked.ignored, NOT_ALL)
    asked = replace(asked, wordings=(*asked.wordings, *words), ignored=ignored)
    return Narrowed(DealList(tuple(kept), len(kept)), asked)


def about_these(found: TaskList, words: Sequence[str]) -> tuple[TaskList, tuple[str, ...]] | None:
    """The tasks whose subject shares most of the words, with those that it shares; None where none shares any."""
    shared = [shared_words(words, task.subject) for task in found.tasks]
    most = max(shared, default=0)
    kept = tuple(task for task, count in zip(found.tasks, shared, strict=True) if most and count == most)
    held = tuple(word for word in words if any(shared_words([word], task.subject) for task in kept))
    return (TaskList(kept, len(kept)), held) if kept else None


def of_those(found: DealList, asked: DealsAsked, among: Collection[str]) -> tuple[DealList, DealsAsked]:
    """Those of the deals found that a list which was shown before had."""
    kept = tuple(deal for deal in found.deals if deal.id in among)
    asked = replace(asked, wordings=(*asked.wordings, "de cette liste"))
    return DealList(kept, len(kept)), asked


async def _of_any_word(found: DealList, asked: DealsAsked, reader: CrmReader) -> tuple[DealList, DealsAsked]:
    """Where no deal holds all of the words: those that hold one of them, « une société ou une SCI »."""
    words = asked.search.text.split()
    if len(words) < _SEVERAL:
        return found, asked
    lists = await asyncio.gather(*(reader.deals(replace(asked.search, text=word)) for word in words))
    deals = tuple({deal.id: deal for one in lists for deal in one.deals}.values())
    if not deals or any(one.total > len(one.deals) for one in lists):
        return found, asked
    held = [word for word, one in zip(words, lists, strict=True) if one.deals]
    said = " ou ".join(f"« {quoted(word)} »" for word in held)
    told = (*_but_the_words(asked), f"où il est question de {said}")
    return DealList(deals, len(deals)), replace(asked, wordings=told)


async def _without_words(
    found: DealList, asked: DealsAsked, message: str, reader: CrmReader
) -> tuple[DealList, DealsAsked]:
    """Where something else was asked too, and the words bear no capital: what the rest finds, and that nothing was
    found on the words. A name that is not found stays the answer."""
    words = asked.search.text.split()
    names = {folded(word) for word in re.findall(r"(?<=.)\b[A-ZÀ-Ý][\w-]+", message)}
    bare = replace(asked.search, text="")
    bound = any(getattr(bare, name) for name in _BOUNDS) or (asked.open is None and bare.stage_ids)
    if names & set(map(folded, words)) or not bound:
        return found, asked
    left = await reader.deals(bare)
    if not left.deals:
        return found, asked
    vain = ", ".join(f"« {quoted(word)} »" for word in words)
    ignored = (*asked.ignored, f"je ne trouve rien sur {vain} parmi eux")
    return left, replace(asked, wordings=_but_the_words(asked), ignored=ignored, search=bare)


def _but_the_words(asked: DealsAsked) -> tuple[str, ...]:
    return tuple(words for words in asked.wordings if not words.startswith(_OF_TEXT))


async def _of_somebody(found: DealList, asked: DealsAsked, reader: CrmReader) -> tuple[DealList, DealsAsked]:
    """Where no deal holds the words: the deals of the contact who bears that name, open and closed."""
    bare = replace(asked.search, text="", stage_ids=())
    matches = await reader.find_deals(asked.search.text, limit=_MOST_NAMED)
    if not matches.found or any(
        getattr(bare, name) for name in ("commune", "owner_id", "closes_after", "closes_before")
    ):
        return found, asked
    told = (*_but_the_words(asked), f"au nom de « {quoted(asked.search.text).title()} »")
    return DealList(matches.found, matches.total), replace(asked, wordings=told, open=None, search=bare)
