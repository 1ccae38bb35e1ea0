"""On which record a write would be made: the deal that the user named, else the thread's; never guessed."""

import re
from dataclasses import dataclass
from typing import Final

from pipeline.action_types import Target
from pipeline.crm_types import ContactSearch, Deal, DealChoice, DealMatches
from pipeline.ports import CrmReader
from pipeline.text.names import ACCENTS, all_words, fit, folded, telling_words, told_apart

NO_DEAL = "Aucun dossier n'est rattaché à ce fil : précisez-le, par exemple « sur le dossier 1234 »."

SHOWN, MOST_COMPARED, MOST_LOOKED_UP = 5, 50, 4
NUMBER: Final = re.compile(
    r"(?<![\w.,/€-])(?!(?:19|20)\d\d\b)(\d{4,15})(?![\w/]|[.,]\d| ?(?:€|%|k\b|m2|m²|euros?|eur\b)| \d{3}\b)"
)
"""A number that may be a deal's: no year, amount, date or area."""
ORDINARY: Final = frozenset(
    all_words(
        "rappeler appeler relancer envoyer demander preparer verifier faire prendre confirmer revoir signer "
        "recontacter transmettre obtenir fixer planifier organiser contacter penser dire voir banque notaire "
        "avocat comptable mail rdv rendez vous simulation simulations devis piece pieces document documents "
        "offre pret credit projet visite dossiers lundi mardi mercredi jeudi vendredi samedi dimanche demain "
        "semaine prochaine prochain mois matin soir midi heure heures apres avant son ses leur lui elle que "
        "qui est pas plus tout tous tache taches note notes rappel relance pour avec dans chez tel telephone "
        "signature "
    )
)
"""Words of tasks that are nobody's name, so that they cost no search."""


@dataclass(frozen=True, slots=True)
class Found:
    """A target, with its deal if it is one; else a French sentence and the deals that the name may mean."""

    target: Target | None = None
    deal: Deal | None = None
    remark: str = ""
    choices: tuple[DealChoice, ...] = ()


async def find_target(
    deal_id: str | None, name: str | None, *, thread_deal: str | None, crm: CrmReader, message: str = ""
) -> Found:
    """A deal named in vain never falls back to the thread's. `message`: the user's words, which may tell apart the
    deals that a name fits. Raises `CrmUnavailable`."""
    if name and name.strip().isdigit() and not deal_id:
        deal_id = name.strip()
    if deal_id:
        return await _by_id(deal_id, crm)
    if name:
        return await _by_name(name, thread_deal, crm, message)
    return await _by_id(thread_deal, crm) if thread_deal else Found(remark=NO_DEAL)


async def find_in_words(message: str, body: str, *, crm: CrmReader) -> Found:
    """Where nobody says which deal: one whose number the message holds, else the client whom the text of the note or
    task names (« rappeler M. Lefèvre »). Raises `CrmUnavailable`."""
    for number in NUMBER.findall(message)[:2]:
        if (found := await _by_id(number, crm)).deal:
            return found
    words = [w for w in telling_words(_without_ordinary(body)) if len(w) > 2 and not w.isdigit()]
    names = [word for word in words[:MOST_LOOKED_UP] if await is_somebody(word, crm)]
    return await _by_name(" ".join(names), None, crm, message) if names else Found(remark=NO_DEAL)


def _without_ordinary(body: str) -> str:
    return " ".join(word for word in all_words(body) if folded(word) not in ORDINARY)


async def is_somebody(word: str, crm: CrmReader) -> bool:
    """Whether a contact bears it as a name; slips are not forgiven here, nor is a contact's town a name."""
    people = await crm.contacts(ContactSearch(name=word, limit=SHOWN))
    ranks = (fit((word,), all_words(person.name)) for person in people.contacts)
    return any(rank is not None and rank <= ACCENTS for rank in ranks)


async def deals_meant(name: str, *, message: str, crm: CrmReader) -> DealMatches:
    """The deals that a name fits, but for those that a number in it or the other words of the message rule out.
    Raises `CrmUnavailable`."""
    numbers = set(re.findall(r"\b\d{4,15}\b", name))
    alone = re.sub(r"\b\d{4,15}\b", " ", name)
    matches = await crm.find_deals(alone if telling_words(alone) else name, limit=MOST_COMPARED)
    if numbers and matches.found:
        kept = tuple(deal for deal in matches.found if deal.id in numbers)
        return DealMatches(kept, len(kept)) if kept else DealMatches(near=matches.found[:SHOWN])
    if 1 < matches.total <= len(matches.found):
        left = told_apart([f"{deal.name} {deal.id}" for deal in matches.found], f"{name} {message}")
        found = tuple(matches.found[i] for i in left)
        return DealMatches(found[:SHOWN], len(found))
    return DealMatches(matches.found[:SHOWN], matches.total, matches.near[:SHOWN])


async def _by_id(deal_id: str, crm: CrmReader) -> Found:
    deal = await crm.deal(deal_id)
    if deal is None:
        return Found(remark=f"Le dossier {deal_id} est introuvable dans HubSpot.")
    return Found(Target(object="deal", id=deal.id, name=deal.name), deal)


async def _by_name(name: str, thread_deal: str | None, crm: CrmReader, message: str = "") -> Found:
    matches = await deals_meant(name, message=message, crm=crm)
    # The thread's own deal settles a name that several deals share.
    mine = [deal for deal in matches.found if deal.id == thread_deal]
    if matches.total == 1 or mine:
        return await _by_id((mine or matches.found)[0].id, crm)
    if matches.found:
        listed = ", ".join(choice.label for choice in _choices(matches.found))
        more = f" et {matches.total - len(matches.found)} autres" if matches.total > len(matches.found) else ""
        remark = f"Plusieurs dossiers correspondent à « {name} » : {listed}{more}. Précisez le numéro."
        return Found(remark=remark, choices=_choices(matches.found))
    people = await crm.contacts(ContactSearch(name=name, limit=5))
    if people.total == 1:
        person = people.contacts[0]
        return Found(Target(object="contact", id=person.id, name=person.name))
    if people.total:
        listed = ", ".join(
            f"{person.name} ({person.city})" if person.city else person.name for person in people.contacts
        )
        return Found(remark=f"Aucun dossier mais plusieurs contacts correspondent à « {name} » : {listed}. Lequel ?")
    closest = (
        f" Les plus proches : {', '.join(choice.label for choice in _choices(matches.near))}." if matches.near else ""
    )
    return Found(
        remark=f"Aucun dossier ne correspond à « {name} » dans HubSpot.{closest}", choices=_choices(matches.near)
    )


def _choices(deals: tuple[Deal, ...]) -> tuple[DealChoice, ...]:
    return tuple(DealChoice(deal.id, f"{deal.name} (n° {deal.id})") for deal in deals)
