"""The tool "crm": deals, contacts and tasks of HubSpot in French sentences, private to those who may see them."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from corpus.ports import Embedder
from pipeline.crm_types import ContactSearch, Deal, DealMatches, Owner, TaskSearch
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.proposal_targets import deals_meant
from pipeline.text.asked_words import topics
from pipeline.text.names import folded
from pipeline.text.persons import whose
from pipeline.tools.crm.arguments import (
    MINE,
    SHOWN,
    Unreadable,
    day,
    deals_asked,
    limit_asked,
    message_said,
    one_owner,
    owner_asked,
    said,
    unapplied,
)
from pipeline.tools.crm.choosing import (
    ANSWERED,
    MISSING,
    MOST_TOLD,
    Chosen,
    about,
    ambiguous,
    choices_of,
    failed,
    listed,
    nearest,
    nobody,
    several,
    told_first,
    unknown,
    unsaid,
    without,
)
from pipeline.tools.crm.comparing import compared
from pipeline.tools.crm.deal import brief_text, deal_text
from pipeline.tools.crm.lists import deals_computed, deals_text, shown_of, tasks_text
from pipeline.tools.crm.named import owners_named
from pipeline.tools.crm.narrowing import MOST_TASKS, about_these, narrowed, of_those
from pipeline.tools.crm.people import contacts
from pipeline.tools.crm.said_of import said_of
from pipeline.tools.crm.wording import ABSENT, PARIS, lines, quoted
from pipeline.types import Figure, ToolCall, ToolResult

UNKNOWN_ASKER = "Je ne sais pas quel utilisateur de HubSpot vous êtes : voici ce qui concerne toute l'équipe."
UNKNOWN_VIEW = "Je ne sais lire dans HubSpot que les dossiers, les contacts et les tâches."


def _asks_for_mine(arguments: Mapping[str, Any]) -> bool:
    return folded(said(arguments, "owner")) in MINE and not said(arguments, "asker_email")


class CrmTool:
    """`arguments`: `view`, one of deals, deal (the default), brief, contacts, tasks, with

    - deals: text, commune, owner (a name, or `me` with asker_email), stage (words), open (true unless said, false:
      closed ones, null: both), stale_days, closes_before/closes_after (ISO days, inclusive), min_amount, max_amount,
      sort (keys of `SORTS`), limit, top (the first so many alone), group (owner, stage), lacking, priority, average,
      ignored (French infinitives of what was asked in vain), words, among (ids of the only ones that count);
    - compare: names or deal_ids, fields, words;
    - deal, brief: deal_id, or name (also deal_name) that one deal alone must fit, or one alone of those still open;
      words; fields (keys of `TOLD`): what is told first; text_asked: only a text of the deal can answer; alone: where a
      few fit, which of them is asked;
    - contacts: name, text, commune, without_deals, or deal_id; limit;
    - tasks: open ones; owner, late, due_after/due_before (ISO, inclusive), deal_id or name; limit, words.

    `words`: those of the message that no other argument holds. In lists they may name a colleague, stages or a topic,
    and those that name nothing are told; beside a name they tell apart the deals that it fits. `absent`: what was
    asked and the CRM has no field for, a key of `ABSENT`.

    Everything it returns is `private`; CRM text is data and cites nothing. A name that fits several deals or none is
    an error with `choices`; a list of deals has those that it shows as `choices`, in their order.
    """

    name = "crm"

    def __init__(
        self,
        reader: CrmReader,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        embedder: Embedder | None = None,
    ) -> None:
        """`embedder`: finds what of a deal comes nearest to a question that shares no word with it."""
        self._reader, self._now, self._embedder = reader, now, embedder

    async def run(self, call: ToolCall) -> ToolResult:
        views: Mapping[str, Callable[[Mapping[str, Any]], Awaitable[ToolResult]]] = {
            "deals": self._deals,
            "deal": self._deal,
            "brief": self._brief,
            "contacts": self._contacts,
            "tasks": self._tasks,
            "compare": self._compare,
        }
        view = views.get(said(call.arguments, "view") or "deal")
        try:
            found = await view(call.arguments) if view else failed(UNKNOWN_VIEW)
        except Unreadable as error:
            found = failed(str(error))
        except CrmUnavailable as error:
            found = replace(failed(f"{str(error).rstrip('.')}."), outage=True)
        if found.error is None and _asks_for_mine(call.arguments):
            head, *rows = found.text.split("\n")
            found = replace(found, text=lines([head, UNKNOWN_ASKER, *(row.removeprefix("- ") for row in rows)]))
        if absent := ABSENT.get(said(call.arguments, "absent")):
            found = without(absent, found)
        return replace(found, call=call, private=True)

    async def _deals(self, arguments: Mapping[str, Any]) -> ToolResult:
        now = self._now()
        asked = await deals_asked(arguments, self._reader, now=now)
        found = await self._reader.deals(asked.search)
        if among := tuple(arguments.get("among") or ()):
            found, asked = of_those(found, asked, among)
        narrow = await narrowed(found, asked, arguments, self._reader)
        found, asked = narrow.found, narrow.asked
        if arguments.get("one") is True and (alone := await self._alone(found.deals)):
            return await self._brief({**arguments, "deal_id": alone.id})
        everything = not asked.search.text or not found.deals
        if everything and (people := await self._of_that_kind(arguments, asked.unknown)):
            return people
        today = now.astimezone(PARIS).date()
        text = deals_text(found, asked, stages=await self._reader.stages(), today=today)
        shown = () if asked.group else choices_of(tuple(shown_of(found, asked)))
        figures = (Figure("Nombre de dossiers", float(found.total), "dossiers"),)
        told = listed("dossiers", text, as_of=self._today())
        computed, persons = deals_computed(found, asked), tuple(whose(deal.name) for deal in found.deals)
        return replace(told, figures=figures, computed=computed, choices=shown, persons=persons)

    async def _alone(self, deals: Sequence[Deal]) -> Deal | None:
        """The only one, or the only one of a few that is still open."""
        if len(deals) == 1:
            return deals[0]
        closed = {stage.id for stage in await self._reader.stages() if stage.closed}
        still = [deal for deal in deals if deal.properties.get("dealstage") not in closed]
        return still[0] if len(still) == 1 and len(deals) <= MOST_TOLD else None

    async def _of_that_kind(self, arguments: Mapping[str, Any], unknown: Sequence[str]) -> ToolResult | None:
        """« quels clients sont vétérinaires ? »: the contacts whose record holds a word that no deal holds."""
        if not unknown or set(arguments) - {"view", "words", "one"}:
            return None
        for word in unknown[:MOST_TOLD]:
            found = await self._contacts({"text": re.sub(r"(?<=\w{3})s$", "", word)})
            if found.error is None and found.persons:
                return found
        return None

    async def _deal(self, arguments: Mapping[str, Any]) -> ToolResult:
        if arguments.get("fields") or arguments.get("words"):
            return await self._brief(arguments)
        chosen = await self._one_id(arguments, asked=arguments)
        if isinstance(chosen, ToolResult):
            return chosen
        # The search brings neither notes nor contacts.
        deal = await self._reader.deal(chosen.id)
        return about(deal, f"{deal_text(deal)}{chosen.others}") if deal else unknown(chosen.id)

    async def _brief(self, arguments: Mapping[str, Any]) -> ToolResult:
        chosen = await self._one_id(arguments, asked=arguments)
        if isinstance(chosen, ToolResult):
            return chosen
        brief = await self._reader.brief(chosen.id)
        if brief is None:
            return unknown(chosen.id)
        if (why := unsaid(brief, arguments)) is not None:
            return await nearest(brief, why, arguments, self._embedder)
        asked = await told_first(brief, arguments, self._reader, today=self._today())
        told = about(brief.deal, f"{brief_text(brief, asked=asked, today=self._today())}{chosen.others}")
        told = replace(told, call=ANSWERED) if said_of(brief, message_said(arguments)) else told
        return replace(told, persons=(*told.persons, *(contact.name for contact in brief.contacts)))

    async def _compare(self, arguments: Mapping[str, Any]) -> ToolResult:
        return await compared(arguments, self._reader, today=self._today())

    async def _contacts(self, arguments: Mapping[str, Any]) -> ToolResult:
        return await contacts(arguments, self._reader, today=self._today())

    async def _tasks(self, arguments: Mapping[str, Any]) -> ToolResult:
        today = self._today()
        owner, deal, unknown = await self._tasks_of(arguments)
        if isinstance(deal, ToolResult):
            return deal
        wordings = [f"pour {quoted(owner.name)}"] if owner else []
        wordings += [f"sur le dossier « {quoted(deal.name)} »"] if deal else []
        since, due = day(arguments, "due_after"), day(arguments, "due_before")
        if since and due:
            wordings.append(f"du {since:%d/%m/%Y} au {due:%d/%m/%Y}" if since < due else f"pour le {due:%d/%m/%Y}")
        elif since or due:
            wordings.append(
                f"à faire {f'à partir du {since:%d/%m/%Y}' if since else f'au plus tard le {due:%d/%m/%Y}'}"
            )
        if arguments.get("late") is True:
            yesterday = today - timedelta(days=1)
            due = min(due, yesterday) if due else yesterday
            wordings.insert(0, "en retard")
        wanted = TaskSearch(
            owner_id=owner.id if owner else "",
            due_after=since,
            due_before=due,
            deal_id=deal.id if deal else "",
            limit=limit_asked(arguments),
        )
        found = await self._reader.tasks(wanted)
        if unknown and (kept := about_these(await self._reader.tasks(replace(wanted, limit=MOST_TASKS)), unknown)):
            (found, held), unknown = kept, ()
            wordings.append(f"où il est question de {' ou '.join(f'« {quoted(word)} »' for word in held)}")
        ignored = unapplied(arguments, unknown)
        persons = tuple(whose(deal.label) for task in found.tasks for deal in task.deals)
        told = listed("tâches", tasks_text(found, wordings, today=today, ignored=ignored), as_of=today)
        return replace(told, persons=persons)

    async def _tasks_of(
        self, arguments: Mapping[str, Any]
    ) -> tuple[Owner | None, Deal | ToolResult | None, tuple[str, ...]]:
        """Whose tasks, of which deal (or why that is not known), and the words that name neither."""
        owner = await owner_asked(arguments, self._reader)
        named, words = said(arguments, "deal_id", "name", "deal_name"), message_said(arguments)
        team = await self._reader.owners() if words or named else ()
        people, used = owners_named(f"{words} {named}", team)
        owner = owner or one_owner(arguments, people)
        left = tuple(word for word in topics(words) if folded(word) not in used)
        if named and (said(arguments, "deal_id") or not set(map(folded, topics(named))) <= used):
            return owner, await self._one_deal(arguments), ()
        if not left:
            return owner, None, ()
        matches = await deals_meant(" ".join(left), message=words, crm=self._reader)
        if not matches.found:
            return owner, None, left
        return owner, await self._one_deal({"name": " ".join(left), "words": words}), ()

    async def _one_deal(self, arguments: Mapping[str, Any]) -> Deal | ToolResult:
        chosen = await self._one_id(arguments)
        if isinstance(chosen, ToolResult):
            return chosen
        return await self._reader.deal(chosen.id) or unknown(chosen.id)

    async def _one_id(
        self, arguments: Mapping[str, Any], *, asked: Mapping[str, Any] | None = None
    ) -> Chosen | ToolResult:
        """The deal's number, or why there is none, with what the name may mean. Where one alone of the deals of a name
        is still open, it is meant, and the closed ones are told. `asked`: what is told of each where a few fit."""
        deal_id, name = said(arguments, "deal_id"), said(arguments, "name", "deal_name")
        if deal_id or name.isdigit():
            return Chosen(deal_id or name)
        if not name:
            return failed(MISSING)
        matches = await deals_meant(name, message=message_said(arguments), crm=self._reader)
        if matches.total == 1:
            return Chosen(matches.found[0].id)
        if 1 < matches.total <= len(matches.found):
            closed = {stage.id for stage in await self._reader.stages() if stage.closed}
            still = [deal for deal in matches.found if deal.properties.get("dealstage") not in closed]
            if len(still) == 1:
                return Chosen(still[0].id, tuple(deal for deal in matches.found if deal is not still[0]))
        if not matches.found and owners_named(name, await self._reader.owners())[0]:
            return await self._deals({"words": message_said(arguments) or name})  # « chez Hugo »: a colleague's deals
        if 1 < matches.total <= MOST_TOLD and asked is not None and not asked.get("alone"):
            return await self._of_each(name, matches.found, asked)
        return ambiguous(name, matches.found, matches.total) if matches.found else await self._somebody(name, matches)

    async def _of_each(self, name: str, found: Sequence[Deal], asked: Mapping[str, Any]) -> ToolResult:
        """What was asked of each of the few deals that a name fits, rather than a question back."""
        read = await asyncio.gather(*(self._reader.brief(deal.id) for deal in found))
        briefs = [brief for brief in read if brief is not None]
        if not briefs:
            return ambiguous(name, tuple(found), len(found))
        answering = [b for b in briefs if said_of(b, message_said(asked))]
        if len(answering) == 1 and not asked.get("fields"):
            return await self._brief({**asked, "deal_id": answering[0].deal.id})
        asked = {**asked, "fields": asked.get("fields") or ("stage", "amount", "owner")}
        return several(name, [(b, await told_first(b, asked, self._reader, today=self._today())) for b in briefs])

    async def _somebody(self, name: str, matches: DealMatches) -> ToolResult:
        """A contact who bears the name and is part of no deal."""
        people = await self._reader.contacts(ContactSearch(name=name, limit=SHOWN))
        if not people.total or any(person.deals for person in people.contacts):
            return nobody(name, matches.near)
        return await self._contacts({"name": name})

    def _today(self) -> date:
        return self._now().astimezone(PARIS).date()
