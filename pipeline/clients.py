"""Whom of the CRM a message names, where no reader was sure that it speaks of a deal."""

import re
from typing import Final

from pipeline.errors import CrmUnavailable
from pipeline.planning.crm import full_name
from pipeline.ports import CrmReader
from pipeline.proposal_targets import is_somebody
from pipeline.text.asked_words import IDLE
from pipeline.text.names import folded

_CAPITAL: Final = re.compile(r"^\W*\w[\w'’-]+|\b[A-ZÀ-Ý][\w'’-]+")
_MOST_NAMES, _SHORTEST = 4, 2
"""Words that are looked for among the contacts, and letters that are too few for a name."""


async def client_of(text: str, crm: CrmReader | None) -> str:
    """The client whom the message names anywhere: a word with its capital, or that begins it, which a contact of the
    CRM bears; "" where there is none, and where the CRM is not to be read."""
    if crm is None:
        return ""
    words = [word for word in _CAPITAL.findall(text) if len(word) > _SHORTEST and folded(word) not in IDLE]
    for word in words[:_MOST_NAMES]:
        try:
            if await is_somebody(word.lower(), crm):
                return full_name(word, text)
        except CrmUnavailable:
            return ""
    return ""
