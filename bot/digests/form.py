"""What the form of a digest offers and what it means: communes of the open deals first; a preview of what is chosen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.digests.content import build, record_of
from bot.digests.due import PARIS, WEEKDAYS, Week, next_slot
from bot.digests.gathering import Order, Sources, gather
from bot.digests.subscriptions import TOPICS, Wanted, checked, communes_in
from bot.digests.values import Digest
from bot.slack.blocks.digest_form import Choices
from corpus.places import Gazetteer
from pipeline.schemes import schemes

NO_CRM_NOW: Final = "HubSpot ne répond pas assez vite : les communes des dossiers ne sont pas proposées cette fois."


async def choices(
    sources: Sources, *, team_id: str, chosen: Sequence[str], seconds: float, with_deals: bool
) -> tuple[Choices, str]:
    """(what to offer, why no commune of a deal is offered). Those chosen already are always among them."""
    places, gap = sources.deps.places, ""
    counted: Counter[str] = Counter()
    if with_deals:
        deals = await sources.deals.of(team_id).within(seconds)
        gap = NO_CRM_NOW if deals is None else ""
        counted.update(code for deal in deals or () for code in deal.towns)
    ranked = [code for code, _count in counted.most_common()]
    towns = []
    for code in dict.fromkeys((*chosen, *ranked)):
        if (place := places.get(code)) is not None:
            deals_there = counted[code]
            beside = f" · {deals_there} dossier{'s' if deals_there > 1 else ''}" if deals_there else ""
            towns.append((code, f"{place.name} ({place.department}){beside}"))
    known = [(name, scheme.short[:1].upper() + scheme.short[1:]) for name, scheme in schemes().items()]
    weekdays = [(str(number), name.capitalize()) for number, name in enumerate(WEEKDAYS, start=1)]
    return Choices(towns, known, list(TOPICS.items()), weekdays), gap


def wanted_from(filled: Mapping[str, Any], places: Gazetteer) -> Wanted:
    """The fields as a subscription. Raises `Refused`."""
    others = communes_in(str(filled.get("others") or ""), places)
    return checked(
        Wanted(
            communes=(*filled.get("communes", ()), *others),
            schemes=tuple(filled.get("schemes", ())),
            topics=tuple(filled.get("topics", ())),
            weekday=int(filled.get("weekday") or 1),
            at=str(filled.get("at") or ""),
            length=filled.get("length") or "normal",
            alerts=bool(filled.get("alerts")),
            alert_days=int(filled.get("alert_days") or 30),
            shared_allowed=bool(filled.get("shared_allowed")),
        ),
        places,
    )


async def preview(sources: Sources, *, team_id: str, channel: str, wanted: Wanted, with_deals: bool) -> Digest:
    """The next one, as things stand now; nothing is kept."""
    slot = next_slot(sources.clock(), weekday=wanted.weekday, at=wanted.at)
    week = Week.of(slot.astimezone(PARIS).date())
    found, _snapshots = await gather(sources, Order(team_id, channel, week, slot, wanted, with_deals=with_deals))
    return build(found, sources.deps.places)


def preview_record(content: Mapping[str, Any]) -> dict[str, Any]:
    """Its record, with a remark that nobody else sees it."""
    record = record_of(content)
    return record | {"remarks": ["Vous seul voyez cet aperçu : rien n'est publié.", *record["remarks"]]}
