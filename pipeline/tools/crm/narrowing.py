"""What the CRM's search cannot be asked, looked for among the deals that it found: what they lack, their priority."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.crm_types import DealList, TaskSearch
from pipeline.ports import CrmReader
from pipeline.tools.crm.arguments import DealsAsked
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


async def _of_somebody(found: DealList, asked: DealsAsked, reader: CrmReader) -> tuple[DealList, DealsAsked]:
    """Where no deal holds the words: the deals of the contact who bears that name, open and closed."""
    bare = replace(asked.search, text="", stage_ids=())
    matches = await reader.find_deals(asked.search.text, limit=_MOST_NAMED)
    if not matches.found or any(
        getattr(bare, name) for name in ("commune", "owner_id", "closes_after", "closes_before")
    ):
        return found, asked
    of_text = "où il est question"
    others = tuple(words for words in asked.wordings if not words.startswith(of_text))
    told = (*others, f"au nom de « {quoted(asked.search.text).title()} »")
    return DealList(matches.found, matches.total), replace(asked, wordings=told, open=None, search=bare)
