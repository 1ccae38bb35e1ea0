"""Whether a question names what a live tool tells, by `told_by.toml`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.understanding import cues
from pipeline.understanding.own_words import flat

FILE: Final = Path(__file__).with_suffix(".toml")
CRM_CUES: Final = ("crm_view", "crm_field")
"""How views and fields of the CRM are asked for."""
OWN_DEALS: Final = re.compile(r"\b(?:dossiers?|deals?|hubspot|crm|taches?|relances?|notes?|pipe(?:line)?)\b")
"""The CRM's own words: with one of them, names of people and towns say nothing against it."""


def names_what(tool: str, question: str) -> bool:
    """Of a tool that is not in the file, always."""
    low, words = flat(question), _words().get(tool)
    if words is None or words.search(low):
        return True
    return tool == "crm" and any(cues.said(section, low) for section in CRM_CUES)


def is_of_the_crm(question: str) -> bool:
    """Whether it is asked of deals or tasks by these words, or of what the CRM is known to have no field for."""
    low = flat(question)
    return OWN_DEALS.search(low) is not None or bool(cues.said("crm_absent", low))


@cache
def _words() -> Mapping[str, re.Pattern[str]]:
    with FILE.open("rb") as file:
        return {tool: re.compile("|".join(forms)) for tool, forms in tomllib.load(file).items()}
