"""One deal of the CRM in French: its facts, and all that is worth knowing before a meeting."""

import re
from datetime import date

from pipeline.crm_types import Deal, DealBrief
from pipeline.tools.crm.lists import contact_line, task_line
from pipeline.tools.crm.wording import amount_of, day_of, euros, inside, lines, local_day, quoted
from pipeline.types import Figure


def deal_text(deal: Deal) -> str:
    """One fact a sentence, in the order in which a colleague would tell them."""
    said = _facts(deal)
    if deal.contacts:
        label = "Contact" if len(deal.contacts) == 1 else "Contacts"
        said.insert(_after_dates(said), f"{label} : {', '.join(map(quoted, deal.contacts))}.")
    notes = [_noted(note) for note in deal.notes] or ["Aucune note n'est enregistrée sur ce dossier."]
    return " ".join((*said, *notes))


def _after_dates(said: list[str]) -> int:
    return 2 if len(said) > 1 and said[1].startswith("La date de signature") else 1


def _facts(deal: Deal) -> list[str]:
    name = quoted(deal.name)
    known = [f"au stade « {quoted(deal.stage)} »"] if deal.stage else []
    known += [f"pour un montant de {euros(amount)}"] if (amount := amount_of(deal)) is not None else []
    known += [f"suivi par {quoted(deal.owner)}"] if deal.owner else []
    said = [f"Le dossier « {name} » (n° {deal.id}) est {', '.join(known)}." if known else f"Dossier « {name} »."]
    if (day := day_of(deal.properties.get("closedate", ""))) is not None:
        said.append(f"La date de signature prévue est le {day:%d/%m/%Y}.")
    if step := deal.properties.get("hs_next_step"):
        said.append(f"Prochaine étape notée : « {quoted(step)} ».")
    if description := deal.properties.get("description"):
        said.append(f"Description : « {quoted(description)} ».")
    return said


def _noted(note: str) -> str:
    dated = re.match(r"(\d{2}/\d{2}/\d{4}) : (.*)", note, re.DOTALL)
    return f"Note du {dated[1]} : « {quoted(dated[2])} »." if dated else f"Note : « {quoted(note)} »."


def brief_text(brief: DealBrief, *, today: date, asked: str = "") -> str:
    """What was asked of it, then the deal, who to call, what was said last, what is still to be done, and when it last
    moved."""
    said = [*([asked] if asked else []), *_facts(brief.deal)]
    said += [f"Contact : {contact_line(contact)}" for contact in brief.contacts] or ["Aucun contact n'est rattaché."]
    for note in brief.notes:
        day = local_day(note.at)
        said.append(f"Note{f' du {day:%d/%m/%Y}' if day else ''} : « {inside(note.text)} ».")
    said += [] if brief.notes else ["Aucune note n'est enregistrée sur ce dossier."]
    said += [f"À faire : {task_line(task, today=today)}" for task in brief.tasks]
    said += [] if brief.tasks else ["Aucune tâche n'est ouverte sur ce dossier."]
    if changed := local_day(brief.deal.updated_at):
        said.append(f"Le dernier changement du dossier date du {changed:%d/%m/%Y}.")
    return lines(said)


def deal_figures(deal: Deal) -> tuple[Figure, ...]:
    amount = amount_of(deal)
    return (Figure("Montant du dossier", amount, "€"),) if amount is not None else ()
