"""The people of the CRM: of a deal, of a name, of a town, of a word of their records, or without any deal."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pipeline.crm_types import ContactSearch
from pipeline.ports import CrmReader
from pipeline.proposal_targets import deals_meant
from pipeline.text.names import telling_words
from pipeline.tools.crm.arguments import limit_asked, message_said, said
from pipeline.tools.crm.choosing import WHICH_CONTACT, failed, listed, unknown
from pipeline.tools.crm.lists import contacts_text, near_names
from pipeline.tools.crm.wording import capital, quoted
from pipeline.types import ToolResult


async def contacts(arguments: Mapping[str, Any], reader: CrmReader, *, today: date) -> ToolResult:
    """Raises `CrmUnavailable`."""
    name, text, commune = (said(arguments, key) for key in ("name", "text", "commune"))
    alone = arguments.get("without_deals") is True
    wordings = [f"au nom de « {quoted(name)} »"] if name else []
    wordings += [f"à {capital(quoted(commune))}"] if commune else []
    wordings += [f"avec « {quoted(text)} »"] if text else []
    wordings += ["sans aucun dossier"] if alone else []
    deal_id = said(arguments, "deal_id")
    if deal_id:
        deal = await reader.deal(deal_id)
        if deal is None:
            return unknown(deal_id)
        wordings.insert(0, f"du dossier « {quoted(deal.name)} »")
    if not any((deal_id, commune, alone, telling_words(name), telling_words(text))):
        return failed(WHICH_CONTACT)
    wanted = ContactSearch(
        name=name, text=text, commune=commune, deal_id=deal_id, without_deals=alone, limit=limit_asked(arguments)
    )
    found = await reader.contacts(wanted)
    if name and not found.total and not commune and not text:
        matches = await deals_meant(name, message=message_said(arguments), crm=reader)
        if matches.total == 1:
            return await contacts({"deal_id": matches.found[0].id}, reader, today=today)
    if name and not found.total and (kind := await _of_a_kind(name, reader)):
        return await contacts({"text": kind}, reader, today=today)
    if name and not found.total:
        said_name = f"Aucun contact ne correspond à « {quoted(name)} » dans HubSpot."
        return failed(f"{said_name}{near_names(found.near)}")
    persons = (*(contact.name for contact in found.contacts), *found.near)
    return replace(listed("contacts", contacts_text(found, wordings), as_of=today), persons=persons)


async def _of_a_kind(words: str, reader: CrmReader) -> str:
    """Those of the words that people's records hold, in the singular: « officiers de marine », no one's name."""
    kinds = [re.sub(r"(?<=\w{3})s$", "", word) for word in telling_words(words)]
    found = [await reader.contacts(ContactSearch(text=kind, limit=1)) for kind in kinds]
    held = [kind for kind, some in zip(kinds, found, strict=True) if some.total]
    together = await reader.contacts(ContactSearch(text=" ".join(held), limit=1)) if held else None
    return " ".join(held) if together is not None and together.total else next(iter(held), "")
