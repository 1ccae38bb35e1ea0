"""On which record a write would be made: the deal that the user named, else the thread's; never guessed."""

from dataclasses import dataclass

from pipeline.crm_types import ContactSearch, Deal, DealChoice
from pipeline.ports import CrmReader
from pipeline.types import Target

NO_DEAL = "Aucun dossier n'est rattaché à ce fil : précisez-le, par exemple « sur le dossier 1234 »."


@dataclass(frozen=True, slots=True)
class Found:
    """A target, with its deal if it is one; else a French sentence and the deals that the name may mean."""

    target: Target | None = None
    deal: Deal | None = None
    remark: str = ""
    choices: tuple[DealChoice, ...] = ()


async def find_target(deal_id: str | None, name: str | None, *, thread_deal: str | None, crm: CrmReader) -> Found:
    """A deal named in vain never falls back to the thread's. Raises `CrmUnavailable`."""
    if name and name.strip().isdigit() and not deal_id:
        deal_id = name.strip()
    if deal_id:
        return await _by_id(deal_id, crm)
    if name:
        return await _by_name(name, thread_deal, crm)
    return await _by_id(thread_deal, crm) if thread_deal else Found(remark=NO_DEAL)


async def _by_id(deal_id: str, crm: CrmReader) -> Found:
    deal = await crm.deal(deal_id)
    if deal is None:
        return Found(remark=f"Le dossier {deal_id} est introuvable dans HubSpot.")
    return Found(Target(object="deal", id=deal.id, name=deal.name), deal)


async def _by_name(name: str, thread_deal: str | None, crm: CrmReader) -> Found:
    matches = await crm.find_deals(name)
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
