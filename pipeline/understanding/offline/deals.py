"""The deals that a message names: by number, by name, and where each of them is said."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline import schemes
from pipeline.understanding import cues
from pipeline.understanding.dates import DAYS
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
    r"\b(?:m\.|mr|mme|monsieur|madame|m(?= [a-z]{3})|(?:sur|pour|du|de la|au|avec) (?:le |la )?cliente?s?|famille|chez|"
    r"dossier|deal) (?:et mme )?([a-zà-ÿ][a-zà-ÿ'’-]{2,})\b",
    re.IGNORECASE,
)
"""« rappeler m lefevre », « note chez garnier »: as thumbs write it."""
NO_NAME: Final = frozenset((
    "crm", "hubspot", "lmnp", "lmp", "dpe", "pinel", "cif", "sci", "malraux", "denormandie", "jeanbrun", "t1", "t2",
    "t3", "t4", "celui", "celle", "lui", "elle", "eux", "est", "client", "clients", "pour", "que", "qui", "les",
    "des", "t5", "m", "mme", "le", "la", "ce", "ca", "moi", "toi", "nous", "vous", "demain", "aujourd'hui", *DAYS,
))  # fmt: skip
ALONE: Final = r"(?!(?:19|20)\d\d\b)(\d{4}|\d{8,15})\b(?! ?(?:€|%|euros?|k\b|m2|/|h\b|de\b|d')| \d{3}\b)"
"""A number that may be a deal's: no year, amount, date or area."""
AMOUNT: Final = re.compile(r"\b(?:montant|budget|prix)\b[^,.;]*\ba $")
BARE: Final = re.compile(
    rf"(?:^|\b(?:le|les|et|sur|du|au|pour|note|taches?|rappels?|relance|passe|fiche|brief)\b|[,;:]) ?{ALONE}"
)
LED: Final = re.compile(
    r"(?:\b(?:sur|du)|(?:\b(?:et|puis)|[,;]) (?:(?:une?|la|celle|note|tache|autre|aussi) ){0,2}(?:au|pour)) "
    rf"(?:le )?{ALONE}"
)
"""Inside of a text to be noted, only these words lead to another deal."""
CAPITAL: Final = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÖØ-Ý][a-zà-öø-ÿ]+(?:[-'’][A-ZÀ-Ý]?[a-zà-ÿ]+)*")
OF_DEAL: Final = re.compile(r" (?:prevue? )?(?:du|de ce|sur le) (?:dossier|deal)\b")
Deal = tuple[str | None, str | None]
"""A deal as it was said: (number, name)."""
Reference = tuple[int, str | None, str | None]
"""Where a deal is said, and how: (position, number, name)."""


def deal_of(text: str, found: Sequence[Field]) -> tuple[str | None, tuple[str, ...]]:
    """(number, names) of the deals that a message names, by what was learned and by how deals are always written."""
    numbers = [deal for _, deal, _ in references(text, found) if deal]
    names = [f.text for f in found if f.name == "deal_name"]
    if not names:
        names = [next(filter(None, match.groups())).strip() for match in CALLED.finditer(text)]
    if not names and not numbers:
        names = [match[1] for match in TITLED.finditer(text)]
    kept = [n for name in names if len(n := plain_name(name)) > 1 and flat(n) not in NO_NAME and not n.isdigit()]
    return (numbers[0] if numbers else None), tuple(dict.fromkeys(kept))


def plain_name(said: str) -> str:
    """A deal's name without the words before and behind it."""
    name = said.strip(" .,:;?!'’«»\"()")
    return re.sub(
        r"^(?:[dl]['’])?(?:(?:le|la|les|m\.?|mme|mr|monsieur|madame|dossier|deal)\s+)*|(?:\s+(?:que|qu|qui|comme|pour|le|la|et|sur))+$",
        "",
        name,
        flags=re.IGNORECASE,
    )


def number_said(text: str) -> bool:
    """Whether a deal's number is said as such: « dossier 1234 », « #1234 »."""
    return NUMBERED.search(flat(text)) is not None


def without_deal(said: str, deal: Deal) -> str:
    """A text without the deal that it goes to and the words that lead there: « client absent sur le 9004 »."""
    name = re.escape(deal[0] or deal[1] or "")
    return re.sub(rf"(?:{LINK.pattern})?(?:\s*\b(?:une?|{LEADING})\b)*\s*{name}\b", " ", said, flags=re.IGNORECASE)


def deal_said(text: str) -> bool:
    """Whether a deal or its client is named as one: « dossier 1234 », « le dossier Benali », « la fiche « X » »."""
    names = [next(filter(None, match.groups())) for match in CALLED.finditer(text)]
    return number_said(text) or any(flat(name).split()[0] not in NO_NAME for name in names if flat(name).split())


def field_of_deal(low: str) -> bool:
    """Whether one thing of a deal is asked for by its name: « montant du dossier Cohen nue-propriété »."""
    fields = cues.patterns("crm_field").values()
    return any(OF_DEAL.match(low, said.end()) for field in fields for said in field.finditer(low))


def somebody(text: str, places: Sequence[tuple[int, int]]) -> str:
    """A name that its capital alone shows, inside of a question: « quand signe Lefèvre ? ». Empty where the word is a
    town's, a scheme's or begins the message."""
    names = [
        match
        for match in CAPITAL.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in places)
        and not schemes.said_in(flat(match[0]))
        and flat(match[0]) not in NO_NAME
    ]
    return " ".join(match[0] for match in names[:2])


def references(text: str, found: Sequence[Field]) -> list[Reference]:
    """Every deal that the message names, in order; one that is named twice in a row once."""
    low = flat(text)
    told: list[Reference] = [(m.start(), next(filter(None, m.groups())), None) for m in NUMBERED.finditer(low)]
    told += [
        (f.start, digits, None)
        for f in found
        if f.name == "deal_id" and (digits := re.sub(r"\D", "", f.text)) and not AMOUNT.search(low[: f.start])
    ]
    bodies = [(f.start, f.end) for f in found if f.name in ("body", "value")]
    alone = [m for m in BARE.finditer(low) if not any(start <= m.start(1) < end for start, end in bodies)]
    alone += list(LED.finditer(low))
    told += [(m.start(1), m[1], None) for m in alone]
    told += [
        (f.start, called if called.isdigit() else None, None if called.isdigit() else called)
        for f in found
        if f.name == "deal_name" and (called := plain_name(f.text))
    ]
    kept: list[Reference] = []
    for at, number, name in sorted(told, key=lambda said: said[0]):
        before: Reference = kept[-1] if kept else (0, None, None)
        if number and before[2] and re.fullmatch(r"[\s(#n°:-]*", text[before[0] + len(before[2]) : at]):
            kept[-1] = (before[0], number, None)  # « Martin (9001) » is one deal
        elif (number, name) != before[1:]:
            kept.append((at, number, name))
    return kept


LINK: Final = re.compile(r"[,;.+\n]|\b(?:et|puis|ainsi que)\b", re.IGNORECASE)
LEADING: Final = "sur|pour|au|du|de|dans|chez|le|la|dossier|deal|n"
LEAD: Final = re.compile(rf"(?:\b(?:{LEADING})\b[ °]*)+$", re.IGNORECASE)
IDLE: Final = re.compile(
    r"et|puis|ainsi|que|sur|pour|aux?|d[ue]|des|dans|chez|l[ea]s?|une?|celui|celle|dossiers?|deals?|note|tache|aussi|"
    r"pareil|idem|stp|svp|merci|heures?"
)
"""Words between two deals that say nothing of either."""
LONGEST_LEAD: Final = 5
"""Words between « et » and the deal that it leads to: « et une au dossier 9004 »."""


def clauses(text: str, said: Sequence[Reference], days: Sequence[tuple[int, int]]) -> list[tuple[int, int, Deal]]:
    """The message cut where it goes on to another deal: (start, end, deal). A deal stands before what is said of it
    (« sur 9001 : ok et sur 9004 : absent »), or behind all of it (« ok sur 9001 et absent sur 9004 »). `days`: where
    days are said, which may follow the deal in either."""
    if len(said) < 2:
        return []

    def told(start: int, end: int) -> bool:
        words = "".join(" " if any(a <= at < b for a, b in days) else text[at] for at in range(start, end))
        return any(IDLE.fullmatch(flat(word)) is None for word in re.findall(r"[^\W\d_]{2,}", words))

    after = [at + len(number or name or "") for at, number, name in said]
    gaps = [(end, following[0]) for end, following in zip(after, said[1:], strict=False)]
    behind = not told(after[-1], len(text)) and all(told(*gap) for gap in gaps)
    cuts = []
    for end, follows in gaps:
        gap = text[end:follows]
        links = [m for m in LINK.finditer(gap) if len(gap[m.end() :].split()) <= LONGEST_LEAD]
        lead = links[-1] if links else LEAD.search(gap)
        cuts.append(end if behind else end + (lead.start() if lead else len(gap)))
    ends = [*cuts, len(text)]
    return [(start, end, (ref[1], ref[2])) for start, end, ref in zip([0, *cuts], ends, said, strict=True)]
