"""Lists of the CRM in French: a first sentence that counts, then one line a deal, contact or task."""

from collections.abc import Sequence
from datetime import date

from pipeline.crm_types import Contact, ContactList, Deal, DealList, Stage, Task, TaskList
from pipeline.tools.crm_arguments import DealsAsked
from pipeline.tools.crm_wording import (
    amount_of,
    capital,
    counted,
    day_of,
    deal_name,
    euros,
    inside,
    lines,
    local_day,
    others,
    quoted,
)
from pipeline.types import Computed, Figure

_LAST = date.max


def deals_text(found: DealList, asked: DealsAsked, *, stages: Sequence[Stage], today: date) -> str:
    """The count and total of all of them, then the first ones in the order asked."""
    shown = ordered(found.deals, asked.sort)[: asked.limit]
    state = {True: "ouvert", False: "clos", None: ""}[asked.open]
    which = " ".join(asked.wordings) if len(found.deals) != 1 else " ".join(asked.wordings).replace("suivis ", "suivi ")
    head = " ".join(filter(None, (_count(found.total, state), which)))
    if not found.deals:
        return f"{head} dans HubSpot."
    amounts = [amount for deal in found.deals if (amount := amount_of(deal)) is not None]
    missing = len(found.deals) - len(amounts)
    total = f", pour un montant total de {euros(sum(amounts))}" if amounts else ""
    without = f" ({missing} sans montant)" if missing and amounts else ""
    if found.total > len(found.deals):
        total = f", dont les {len(found.deals)} modifiés le plus récemment totalisent {euros(sum(amounts))}"
    closed = {stage.id for stage in stages if stage.closed}
    rows = [_deal_line(deal, asked, closed=closed, today=today) for deal in shown]
    return lines([f"{head}{total}{without}.", *rows, *others(found.total - len(shown), "dossier")])


def _count(number: int, state: str) -> str:
    # « clos » takes no plural s.
    return f"{counted(number, 'dossier')} clos" if state == "clos" else counted(number, "dossier", adjective=state)


def deals_computed(found: DealList) -> tuple[Computed, ...]:
    """The total, with how it was made; nothing when not all deals were read."""
    amounts = [amount for deal in found.deals if (amount := amount_of(deal)) is not None]
    if not amounts or found.total > len(found.deals):
        return ()
    plural = "s" if len(amounts) > 1 else ""
    return (
        Computed(Figure("Montant total", sum(amounts), "€"), f"somme de {len(amounts)} montant{plural} de HubSpot"),
    )


def ordered(deals: Sequence[Deal], sort: str) -> list[Deal]:
    """By amount, largest first; by closing day, soonest first and none last; else as read, last modified first."""
    if sort == "amount":
        return sorted(deals, key=lambda deal: amount_of(deal) or 0.0, reverse=True)
    if sort == "closedate":
        return sorted(deals, key=lambda deal: day_of(deal.properties.get("closedate", "")) or _LAST)
    return list(deals)


def _deal_line(deal: Deal, asked: DealsAsked, *, closed: set[str], today: date) -> str:
    known = [inside(deal.stage)] if deal.stage else []
    known += [euros(amount)] if (amount := amount_of(deal)) is not None else ["montant non renseigné"]
    if (signing := day_of(deal.properties.get("closedate", ""))) is not None:
        is_open = deal.properties.get("dealstage", "") not in closed
        past = " (date dépassée)" if is_open and signing < today else ""
        known.append(f"signature {'prévue ' if is_open else ''}le {signing:%d/%m/%Y}{past}")
    known += [f"suivi par {inside(deal.owner)}"] if deal.owner else []
    if asked.search.unchanged_since and (changed := local_day(deal.updated_at)):
        known.append(f"dernière modification le {changed:%d/%m/%Y}")
    return f"{deal_name(deal.name)} (n° {deal.id}) : {', '.join(known)}."


def contacts_text(found: ContactList, wordings: Sequence[str]) -> str:
    head = " ".join((counted(found.total, "contact"), *wordings))
    if not found.contacts:
        return f"{head} dans HubSpot."
    rows = [contact_line(contact) for contact in found.contacts]
    return lines([f"{head} dans HubSpot.", *rows, *others(found.total - len(rows), "contact")])


def contact_line(contact: Contact) -> str:
    """Name, address, telephone, town, occupation and deals, as far as they are known."""
    reach = [inside(part) for part in (contact.email, contact.phone) if part] or ["ni e-mail ni téléphone"]
    known = [*reach, *(inside(part) for part in (contact.city, contact.job) if part)]
    known += [f"{deal_name(deal.label)} (n° {deal.deal_id})" for deal in contact.deals]
    return f"{capital(inside(contact.name))} : {', '.join(known)}."


def tasks_text(found: TaskList, wordings: Sequence[str], *, today: date) -> str:
    head = " ".join(filter(None, (counted(found.total, "tâche", adjective="ouverte"), *wordings)))
    if not found.tasks:
        return f"{head} dans HubSpot."
    rows = [task_line(task, today=today) for task in found.tasks]
    return lines([f"{head} dans HubSpot.", *rows, *others(found.total - len(rows), "tâche")])


def task_line(task: Task, *, today: date) -> str:
    """What, for when and how late, on which deal, whose."""
    known = [due_words(task, today=today)]
    known += [f"{deal_name(deal.label)} (n° {deal.deal_id})" for deal in task.deals]
    known += [f"pour {inside(task.owner)}"] if task.owner else []
    return f"« {capital(inside(task.subject)) or 'Tâche sans objet'} » : {', '.join(known)}."


def due_words(task: Task, *, today: date) -> str:
    due = local_day(task.due)
    if due is None:
        return "sans échéance"
    late = (today - due).days
    if late > 0:
        return f"échéance le {due:%d/%m/%Y}, en retard de {late} jour{'s' if late > 1 else ''}"
    return f"échéance aujourd'hui, le {due:%d/%m/%Y}" if late == 0 else f"échéance le {due:%d/%m/%Y}"


def near_names(names: Sequence[str]) -> str:
    """The closest spellings, when there are any."""
    return f" Noms les plus proches : {', '.join(quoted(name) for name in names[:5])}." if names else ""
