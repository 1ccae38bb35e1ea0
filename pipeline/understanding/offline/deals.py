"""The deals that a message names: by number, by name, and where each of them is said."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.understanding.offline.fields import Field
from pipeline.understanding.own_words import flat

NUMBERED: Final = re.compile(
    r"--deal[ =]+#?(\d{1,15})|\b(?:dossiers?|deals?|affaires?|opportunites?)\s?:?\s?(?:n ?[°o]\.? ?|numero |"
    r"no\.? |id )?#?(\d{2,15})\b"
    r"(?! ?(?:€|%|euros|k\b|m2))|(?<![\w&])#(\d{2,15})\b"
)
CALLED: Final = re.compile(
    r"\b(?:[Dd]ossier|[Dd]eal|[Aa]ffaire|[Cc]lient|[Ff]iche)\s+(?:de\s+|des\s+|d')?(?:la\s+famille\s+)?(?:(?:M\.|Mme|Mr|Mlle|Monsieur|Madame)\s+)?"
    r"(?:«\s*([^»\n]{2,80}?)\s*»|\"([^\"\n]{2,80})\"|([A-ZÀ-ÖØ-Ý][\w'’-]*(?:\s+[A-ZÀ-ÖØ-Ý][\w'’-]+){0,3}))"
)
TITLED: Final = re.compile(
    r"\b(?:m\.|mr|mme|monsieur|madame|m(?= [a-z]{3})|clients?|famille|chez|dossier|"
    r"deal) (?:et mme )?([a-zà-ÿ][a-zà-ÿ'’-]{2,})\b",
    re.IGNORECASE,
)
"""« rappeler m lefevre », « note chez garnier »: as thumbs write it."""
NO_NAME: Final = frozenset(
    [
        "crm",
        "hubspot",
        "lmnp",
        "lmp",
        "dpe",
        "pinel",
        "cif",
        "sci",
        "malraux",
        "denormandie",
        "jeanbrun",
        "t1",
        "t2",
        "t3",
        "t4",
        "celui",
        "celle",
        "lui",
        "elle",
        "eux",
        "est",
        "client",
        "clients",
        "pour",
        "que",
        "qui",
        "les",
        "des",
        "t5",
        "m",
        "mme",
        "le",
        "la",
        "les",
        "ce",
        "ca",
    ]
)
BARE: Final = re.compile(r"\b(?:le|les|et|sur|du|au|,) ?(\d{3,15})\b(?! ?(?:€|%|euros?|k\b|m2|/|h\b|d[e']))")
Deal = tuple[str | None, str | None]
"""A deal as it was said: (number, name)."""
Reference = tuple[int, str | None, str | None]
"""Where a deal is said, and how: (position, number, name)."""


def deal_of(text: str, found: Sequence[Field]) -> tuple[str | None, tuple[str, ...]]:
    """(number, names) of the deals that a message names, by what was learned and by how deals are always written."""
    numbers = [deal for _, deal, _ in references(text, found) if deal]
    names = [f.text.strip(" .,:;?!'’«»\"()") for f in found if f.name == "deal_name"]
    if not names:
        names = [next(filter(None, match.groups())).strip() for match in CALLED.finditer(text)]
    if not names and not numbers:
        names = [match[1] for match in TITLED.finditer(text)]
    names = [
        re.sub(r"^(?:(?:le|la|les|m\.?|mme|mr|monsieur|madame|dossier|deal)\s+)+", "", n, flags=re.IGNORECASE)
        for n in names
    ]
    kept = [name for name in names if len(name) > 1 and flat(name) not in NO_NAME and not name.isdigit()]
    return (numbers[0] if numbers else None), tuple(dict.fromkeys(kept))


def number_said(text: str) -> bool:
    """Whether a deal's number is said as such: « dossier 1234 », « #1234 »."""
    return NUMBERED.search(flat(text)) is not None


def deal_said(text: str) -> bool:
    """Whether a deal is named as one: « dossier 1234 », « le dossier Benali », « la fiche « X » »."""
    names = (next(filter(None, match.groups())) for match in CALLED.finditer(text))
    return number_said(text) or any(flat(name).split()[0] not in NO_NAME for name in names if flat(name).split())


def references(text: str, found: Sequence[Field]) -> list[Reference]:
    """Every deal that the message names, in order, each once."""
    low = flat(text)
    told: list[Reference] = [(m.start(), next(filter(None, m.groups())), None) for m in NUMBERED.finditer(low)]
    told += [(f.start, digits, None) for f in found if f.name == "deal_id" and (digits := re.sub(r"\D", "", f.text))]
    if told:
        told += [(m.start(1), m[1], None) for m in BARE.finditer(low)]
    told += [(f.start, None, f.text.strip(" .,:;?!'’«»\"()")) for f in found if f.name == "deal_name"]
    seen: set[tuple[str | None, str | None]] = set()
    kept = []
    for at, number, name in sorted(told):
        if (number, name) not in seen:
            seen.add((number, name))
            kept.append((at, number, name))
    return kept


def deal_at(said: Sequence[Reference], start: int, deal: Deal) -> Deal:
    """The deal of one of several requests: the one said last before it, else the first behind it."""
    if len(said) < 2:
        return deal
    before = [r for r in said if r[0] <= start]
    _, number, name = before[-1] if before else said[0]
    return number, name
