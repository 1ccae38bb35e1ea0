"""The tool "crm": deals, contacts and tasks of HubSpot in French sentences, private to those who may see them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pipeline.crm_types import ContactSearch, Deal, TaskSearch
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.text.names import folded, telling_words
from pipeline.tools.crm_arguments import MINE, Unreadable, day, deals_asked, limit_asked, owner_asked, said
from pipeline.tools.crm_deal import brief_text, deal_figures, deal_text
from pipeline.tools.crm_lists import contacts_text, deals_computed, deals_text, near_names, tasks_text
from pipeline.tools.crm_wording import PARIS, capital, deal_label, quoted
from pipeline.types import Figure, ToolCall, ToolResult

MISSING = "Précisez le dossier, par exemple « dossier 1234 » ou « dossier Martin »."
WHICH_CONTACT = "Dites-moi quel contact chercher : un nom, une ville ou un dossier."
UNKNOWN_ASKER = "Je ne sais pas quel utilisateur de HubSpot vous êtes : voici ce qui concerne toute l'équipe."
UNKNOWN_VIEW = "Je ne sais lire dans HubSpot que les dossiers, les contacts et les tâches."


def _asks_for_mine(arguments: Mapping[str, Any]) -> bool:
    return folded(said(arguments, "owner")) in MINE and not said(arguments, "asker_email")


class CrmTool:
    """`arguments`: `view`, one of deals, deal (the default), brief, contacts, tasks, with

    - deals: text, commune, owner (a name, or `me` with asker_email), stage (words), open (true unless said, false:
      closed ones, null: both), stale_days, closes_before/closes_after (ISO days, inclusive), min_amount, max_amount,
      sort (amount, closedate, updated), limit;
    - deal, brief: deal_id, or name (also deal_name) that one deal alone must fit;
    - contacts: name, text, commune, or deal_id; limit;
    - tasks: open ones; owner, late, due_before (ISO, inclusive), deal_id or name; limit.

    Everything it returns is `private`; CRM text is data and cites nothing. A name that fits several deals or none is
    an error with `choices`.
    """

    name = "crm"

    def __init__(self, reader: CrmReader, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._reader = reader
        self._now = now

    async def run(self, call: ToolCall) -> ToolResult:
        views: Mapping[str, Callable[[Mapping[str, Any]], Awaitable[ToolResult]]] = {
            "deals": self._deals,
            "deal": self._deal,
            "brief": self._brief,
            "contacts": self._contacts,
            "tasks": self._tasks,
        }
        view = views.get(said(call.arguments, "view") or "deal")
        try:
            found = await view(call.arguments) if view else _failed(UNKNOWN_VIEW)
        except Unreadable as error:
            found = _failed(str(error))
        except CrmUnavailable as error:
            found = replace(_failed(f"{str(error).rstrip('.')}."), outage=True)
        if found.error is None and _asks_for_mine(call.arguments):
            found = replace(found, text=f"{UNKNOWN_ASKER} {found.text}")
        return replace(found, call=call, private=True)

    async def _deals(self, arguments: Mapping[str, Any]) -> ToolResult:
        now = self._now()
        asked = await deals_asked(arguments, self._reader, now=now)
        found = await self._reader.deals(asked.search)
        today = now.astimezone(PARIS).date()
        text = deals_text(found, asked, stages=await self._reader.stages(), today=today)
        figures = (Figure("Nombre de dossiers", float(found.total), "dossiers"),)
        return replace(self._listed("dossiers", text), figures=figures, computed=deals_computed(found))

    async def _deal(self, arguments: Mapping[str, Any]) -> ToolResult:
        deal = await self._one_deal(arguments)
        return deal if isinstance(deal, ToolResult) else _about(deal, deal_text(deal))

    async def _brief(self, arguments: Mapping[str, Any]) -> ToolResult:
        chosen = await self._one_id(arguments)
        if isinstance(chosen, ToolResult):
            return chosen
        brief = await self._reader.brief(chosen)
        if brief is None:
            return _unknown(chosen)
        return _about(brief.deal, brief_text(brief, today=self._now().astimezone(PARIS).date()))

    async def _contacts(self, arguments: Mapping[str, Any]) -> ToolResult:
        name, text, commune = (said(arguments, key) for key in ("name", "text", "commune"))
        wordings = [f"au nom de « {quoted(name)} »"] if name else []
        wordings += [f"à {capital(quoted(commune))}"] if commune else []
        wordings += [f"avec « {quoted(text)} »"] if text else []
        deal_id = said(arguments, "deal_id")
        if deal_id:
            deal = await self._reader.deal(deal_id)
            if deal is None:
                return _unknown(deal_id)
            wordings.insert(0, f"du dossier « {quoted(deal.name)} »")
        if not deal_id and not commune and not telling_words(name) and not telling_words(text):
            return _failed(WHICH_CONTACT)
        wanted = ContactSearch(name=name, text=text, commune=commune, deal_id=deal_id, limit=limit_asked(arguments))
        found = await self._reader.contacts(wanted)
        if name and not found.total:
            said_name = f"Aucun contact ne correspond à « {quoted(name)} » dans HubSpot."
            return _failed(f"{said_name}{near_names(found.near)}")
        return self._listed("contacts", contacts_text(found, wordings))

    async def _tasks(self, arguments: Mapping[str, Any]) -> ToolResult:
        today = self._now().astimezone(PARIS).date()
        owner = await owner_asked(arguments, self._reader)
        wordings = [f"pour {quoted(owner.name)}"] if owner else []
        deal_id = ""
        if said(arguments, "deal_id", "name", "deal_name"):
            deal = await self._one_deal(arguments)
            if isinstance(deal, ToolResult):
                return deal
            deal_id = deal.id
            wordings.append(f"sur le dossier « {quoted(deal.name)} »")
        due = day(arguments, "due_before")
        wordings += [f"à faire au plus tard le {due:%d/%m/%Y}"] if due else []
        if arguments.get("late") is True:
            yesterday = today - timedelta(days=1)
            due = min(due, yesterday) if due else yesterday
            wordings.insert(0, "en retard")
        wanted = TaskSearch(
            owner_id=owner.id if owner else "", due_before=due, deal_id=deal_id, limit=limit_asked(arguments)
        )
        found = await self._reader.tasks(wanted)
        return self._listed("tâches", tasks_text(found, wordings, today=today))

    async def _one_deal(self, arguments: Mapping[str, Any]) -> Deal | ToolResult:
        chosen = await self._one_id(arguments)
        if isinstance(chosen, ToolResult):
            return chosen
        # The search brings neither notes nor contacts.
        return await self._reader.deal(chosen) or _unknown(chosen)

    async def _one_id(self, arguments: Mapping[str, Any]) -> str | ToolResult:
        """The deal's number, or why there is none, with what the name may mean."""
        deal_id, name = said(arguments, "deal_id"), said(arguments, "name", "deal_name")
        if deal_id or name.isdigit():
            return deal_id or name
        if not name:
            return _failed(MISSING)
        matches = await self._reader.find_deals(name)
        if matches.total == 1:
            return matches.found[0].id
        return _ambiguous(name, matches.found, matches.total) if matches.found else _nobody(name, matches.near)

    def _listed(self, what: str, text: str) -> ToolResult:
        today = self._now().astimezone(PARIS).date()
        return ToolResult(call=_NO_CALL, title=f"HubSpot : {what}", text=text, as_of=today)


_NO_CALL = ToolCall("crm", {})


def _about(deal: Deal, text: str) -> ToolResult:
    return ToolResult(
        call=_NO_CALL,
        title=f"HubSpot : {quoted(deal.name)}",
        text=text,
        figures=deal_figures(deal),
        url=deal.url,
        as_of=deal.updated_at.date() if deal.updated_at else None,
    )


def _failed(reason: str, choices: tuple[tuple[str, str], ...] = ()) -> ToolResult:
    return ToolResult(call=_NO_CALL, error=reason, choices=choices)


def _unknown(deal_id: str) -> ToolResult:
    return _failed(f"Le dossier {quoted(deal_id)} est introuvable dans HubSpot.")


def _ambiguous(name: str, found: tuple[Deal, ...], total: int) -> ToolResult:
    listed = ", ".join(deal_label(deal) for deal in found)
    more = f" et {total - len(found)} autres" if total > len(found) else ""
    reason = f"Plusieurs dossiers correspondent à « {quoted(name)} » : {listed}{more}. Précisez le numéro."
    return _failed(reason, _choices(found))


def _nobody(name: str, near: tuple[Deal, ...]) -> ToolResult:
    closest = f" Les plus proches : {', '.join(deal_label(deal) for deal in near)}." if near else ""
    return _failed(f"Aucun dossier ne correspond à « {quoted(name)} » dans HubSpot.{closest}", _choices(near))


def _choices(deals: tuple[Deal, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((deal.id, deal_label(deal)) for deal in deals)
