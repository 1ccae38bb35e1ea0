"""Lists of the CRM in French: a first sentence that counts, then one line a deal, contact or task."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from pipeline.crm_types import Contact, ContactList, Deal, DealList, Stage, Task, TaskList
from pipeline.text.persons import whose
from pipeline.tools.crm.arguments import DealsAsked
from pipeline.tools.crm.wording import (
    amount_of,
    capital,
    counted,
    day_of,
    deal_name,
    euros,
    inside,
    lines,
    local_day,
    lowered,
    others,
    quoted,
)
from pipeline.types import Computed, Figure

_LAST = date.max
_FIRST = {
    "amount": ("plus gros", "plus gros"),
    "smallest": ("plus petit", "plus petits"),
    "closedate": ("premier à signer", "premiers à signer"),
    "oldest": ("plus ancien", "plus anciens"),
    "newest": ("plus récent", "plus récents"),
}
"""How the first deals of an order are called, one or several."""
_MOST_NAMED = 4
"""Rows that the first sentence names."""
_MOST_CLIENTS = 10
"""Clients of more rows than that, by their name alone."""
_LONGEST_HEAD = 70
"""Words of it."""


def deals_text(found: DealList, asked: DealsAsked, *, stages: Sequence[Stage], today: date) -> str:
    """What was not applied, the count and total of all of them, then the first ones in the order asked, or one line a
    group."""
    closed = {stage.id for stage in stages if stage.closed}
    head = f"{before_list(asked.ignored)}{_head(found, asked, closed=closed)}"
    if not found.deals:
        return f"{head} dans HubSpot."
    if asked.group:
        order = [stage.label for stage in stages]
        rows = _grouped(found.deals, asked.group, order)
        return lines([f"{_with_names(head, [row.rstrip('.') for row in rows])}.", *rows])
    shown = shown_of(found, asked)
    rows = [_deal_line(deal, asked, closed=closed, today=today) for deal in shown]
    if asked.top or found.total == len(shown):
        few = len(shown) <= _MOST_NAMED
        head = _with_names(
            head, [f"{deal_name(deal.name)} (n° {deal.id})" for deal in shown] if few else clients(shown)
        )
    return lines([f"{head}.", *rows, *([] if asked.top else others(found.total - len(shown), "dossier"))])


def before_list(ignored: Sequence[str]) -> str:
    """In the sentence that counts, so that nobody takes the list for the one that was asked for."""
    return f"{capital(' et '.join(ignored))}, voici sans en tenir compte : " if ignored else ""


def shown_of(found: DealList, asked: DealsAsked) -> list[Deal]:
    return ordered(found.deals, asked.sort)[: asked.limit]


def clients(deals: Sequence[Deal]) -> list[str]:
    """Whose they are, each once, with how many where there are several; nothing of more than a sentence holds."""
    names = Counter(inside(whose(deal.name)).removeprefix("Dossier ") for deal in deals)
    told = [f"{name} ({number})" if number > 1 else name for name, number in names.items()]
    return told if len(told) <= _MOST_CLIENTS else []


def _head(found: DealList, asked: DealsAsked, *, closed: set[str]) -> str:
    state = {True: "ouvert", False: "clos", None: ""}[asked.open]
    which = " ".join(asked.wordings)
    which = which.replace("suivis ", "suivi ") if len(found.deals) == 1 else which
    head = " ".join(filter(None, (_count(found.total, state), which)))
    if asked.ignored and not found.deals:
        head = lowered(head)
    counted_deals = shown_of(found, asked) if asked.top else list(found.deals)
    if asked.top and len(found.deals) > 1:
        one, many = _FIRST.get(asked.sort, ("dernier modifié", "derniers modifiés"))
        number = len(counted_deals)
        head = f"{'Le ' if number == 1 else f'Les {number} '}{one if number == 1 else many} sur {head}"
    amounts = [amount for deal in counted_deals if (amount := amount_of(deal)) is not None]
    is_open = sum(deal.properties.get("dealstage", "") not in closed for deal in found.deals)
    complete = found.total == len(found.deals)
    if asked.open is None and not asked.search.stage_ids and complete and found.deals:
        head += f", dont {counted(is_open, 'ouvert') if is_open else 'aucun ouvert'}"
    missing = len(counted_deals) - len(amounts)
    without = f" ({missing} sans montant)" if missing and amounts else ""
    if found.total > len(found.deals) and not asked.top:
        return (
            f"{head}, dont les {len(found.deals)} modifiés le plus récemment totalisent {euros(sum(amounts))}{without}"
        )
    if not amounts:
        return f"{head}{without}"
    mean = f", soit {euros(round(sum(amounts) / len(amounts), 2))} en moyenne" if asked.average else ""
    return f"{head}, pour un montant {'total ' if len(amounts) > 1 else ''}de {euros(sum(amounts))}{without}{mean}"


def _grouped(deals: Sequence[Deal], group: str, order: Sequence[str]) -> list[str]:
    """Count and total of each owner, largest total first, or of each stage, in the pipeline's order."""
    groups: dict[str, list[Deal]] = {}
    for deal in deals:
        name = (deal.owner or "Sans conseiller") if group == "owner" else (deal.stage or "Sans étape")
        groups.setdefault(name, []).append(deal)

    def total(name: str) -> float:
        return sum(amount_of(deal) or 0.0 for deal in groups[name])

    names = sorted(groups, key=lambda name: -total(name) if group == "owner" else _place(name, order))
    return [
        f"{capital(inside(name))} : {counted(len(groups[name]), 'dossier')}, {euros(total(name))}." for name in names
    ]


def _place(name: str, order: Sequence[str]) -> float:
    return order.index(name) if name in order else len(order)


def _count(number: int, state: str) -> str:
    # « clos » takes no plural s.
    return f"{counted(number, 'dossier')} clos" if state == "clos" else counted(number, "dossier", adjective=state)


def deals_computed(found: DealList, asked: DealsAsked) -> tuple[Computed, ...]:
    """The total, of the first ones alone where these were asked for, with how it was made; nothing when not all deals
    were read."""
    deals = shown_of(found, asked) if asked.top else found.deals
    amounts = [amount for deal in deals if (amount := amount_of(deal)) is not None]
    if not amounts or (found.total > len(found.deals)):
        return ()
    rows = f"{len(amounts)} montant{'s' if len(amounts) > 1 else ''} de HubSpot"
    whole = Computed(Figure("Montant total", sum(amounts), "€"), f"somme de {rows}")
    mean = Computed(Figure("Montant moyen", round(sum(amounts) / len(amounts), 2), "€"), f"moyenne de {rows}")
    return (whole, mean) if asked.average else (whole,)


def ordered(deals: Sequence[Deal], sort: str) -> list[Deal]:
    """By amount, largest or smallest first and none last; by closing day, soonest first and none last; else as read,
    last modified first."""
    if sort == "amount":
        return sorted(deals, key=lambda deal: amount_of(deal) or 0.0, reverse=True)
    if sort == "smallest":
        return sorted(deals, key=lambda deal: amount_of(deal) or float("inf"))
    if sort == "closedate":
        return sorted(deals, key=lambda deal: day_of(deal.properties.get("closedate", "")) or _LAST)
    if sort in ("oldest", "newest"):
        return sorted(deals, key=lambda deal: _created(deal) or _LAST, reverse=sort == "newest")
    return list(deals)


def _created(deal: Deal) -> date | None:
    return day_of(deal.properties.get("createdate", ""))


def _deal_line(deal: Deal, asked: DealsAsked, *, closed: set[str], today: date) -> str:
    known = [inside(deal.stage)] if deal.stage else []
    known += [euros(amount)] if (amount := amount_of(deal)) is not None else ["montant non renseigné"]
    if (signing := day_of(deal.properties.get("closedate", ""))) is not None:
        is_open = deal.properties.get("dealstage", "") not in closed
        past = " (date dépassée)" if is_open and signing < today else ""
        known.append(f"signature {'prévue ' if is_open else ''}le {signing:%d/%m/%Y}{past}")
    known += [f"suivi par {inside(deal.owner)}"] if deal.owner else []
    if asked.sort in ("oldest", "newest") and (created := _created(deal)) is not None:
        known.append(f"créé le {created:%d/%m/%Y}")
    if asked.search.unchanged_since and (changed := local_day(deal.updated_at)):
        known.append(f"dernière modification le {changed:%d/%m/%Y}")
    return f"{deal_name(deal.name)} (n° {deal.id}) : {', '.join(known)}."


def contacts_text(found: ContactList, wordings: Sequence[str]) -> str:
    head = " ".join((counted(found.total, "contact"), *wordings))
    if not found.contacts:
        return f"{head} dans HubSpot."
    rows = [contact_line(contact) for contact in found.contacts]
    few = found.contacts if found.total == len(rows) <= _MOST_NAMED else ()
    return lines(
        [
            f"{_with_names(f'{head} dans HubSpot', [_reach(contact) for contact in few])}.",
            *rows,
            *others(found.total - len(rows), "contact"),
        ]
    )


def _with_names(head: str, names: Sequence[str]) -> str:
    """The sentence with what it counts, where that stays one to be read."""
    told = f"{head} : {' ; '.join(names)}" if names else head
    return told if len(told.split()) <= _LONGEST_HEAD else head


def _reach(contact: Contact) -> str:
    known = ", ".join(inside(part) for part in (contact.email, contact.phone, contact.city, contact.job) if part)
    return inside(contact.name) + (f" ({known})" if known else "")


def contact_line(contact: Contact) -> str:
    """Name, address, telephone, town, occupation and deals, as far as they are known."""
    reach = [inside(part) for part in (contact.email, contact.phone) if part] or ["ni e-mail ni téléphone"]
    known = [*reach, *(inside(part) for part in (contact.city, contact.job) if part)]
    known += [f"{deal_name(deal.label)} (n° {deal.deal_id})" for deal in contact.deals]
    return f"{capital(inside(contact.name))} : {', '.join(known)}."


def tasks_text(found: TaskList, wordings: Sequence[str], *, today: date, ignored: Sequence[str] = ()) -> str:
    head = " ".join(filter(None, (counted(found.total, "tâche", adjective="ouverte"), *wordings)))
    head = before_list(ignored) + (lowered(head) if ignored else head)
    if not found.tasks:
        return f"{head} dans HubSpot."
    rows = [task_line(task, today=today) for task in found.tasks]
    return lines(
        [f"{head} dans HubSpot{_first_of(found, today=today)}.", *rows, *others(found.total - len(rows), "tâche")]
    )


def _first_of(found: TaskList, *, today: date) -> str:
    """The tasks by name where they are few, else those of today, else the one that is latest."""
    due = [task for task in found.tasks if local_day(task.due) == today]
    if len(found.tasks) == found.total <= _MOST_NAMED:
        return f" : {_subjects(found.tasks)}"
    if 0 < len(due) < len(found.tasks) and local_day(found.tasks[-1].due) == today:
        return f", dont {len(due)} pour aujourd'hui : {_subjects(due)}"
    first = found.tasks[0]
    late = (day := local_day(first.due)) is not None and day < today
    return f", la plus ancienne : {_subjects(found.tasks[:1])}, {due_words(first, today=today)}" if late else ""


def _subjects(tasks: Sequence[Task]) -> str:
    return " ; ".join(
        f"« {capital(inside(task.subject))} »" + "".join(f" ({deal_name(deal.label)})" for deal in task.deals[:1])
        for task in tasks
    )


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
