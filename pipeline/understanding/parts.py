"""A message that asks several things of several sources: where each of them begins, and what each is for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, Reading
from pipeline.text.asked_words import topics
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import KINDS
from pipeline.understanding.offline.deals import deal_of
from pipeline.understanding.own_words import flat

SEAM: Final = re.compile(r"\s*[?;]\s+|(?<=\w)\.\s+|\s*,\s+|\s+(?=(?:et|puis)\b)")
LEAD: Final = re.compile(r"^[^?;]{3,160}?\s?:\s+")
"""What is told before the first thing asked: « Benali, maison à Toulon : »."""
FEWEST: Final = 2
"""Words of a piece that may stand alone."""
MOST_PARTS: Final = 4
LONGEST: Final = 600
"""Characters; a longer message tells a story, and its pieces lean on each other."""
SHORT: Final = 5
"""Words of a piece that names no subject of its own."""
LITTLE: Final = frozenset(("a", "de", "du", "des", "la", "le", "les", "et"))
SURE: Final = 0.5
"""Confidence below which a piece is no question of its own."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of the message and what they were read as."""

    text: str
    reading: Reading


def pieces(text: str) -> tuple[str, ...]:
    """The text cut before each thing that it asks; itself where it asks one."""
    low = flat(text)
    if len(text) > LONGEST or "\n" in text.strip():
        return (text,)
    cuts = [m.end() for m in SEAM.finditer(low) if cue("part.asks").match(low, m.end())]
    if not cuts:
        return (text,)
    edges = [0, *cuts, len(text)]
    found = [text[a:b].strip(" ,;") for a, b in pairwise(edges)]
    if any(len(piece.split()) < FEWEST for piece in found):
        return (text,)
    if cue("part.asks").search(LEAD.sub("", flat(found[0]))) is None:  # tells something, and asks nothing yet
        found = [f"{found[0]}, {found[1]}", *found[2:]]
    return tuple(found)


def source_of(reading: Reading) -> str:
    """What would answer it: the CRM, the calculator, a place's services or the articles; empty where that is unsure."""
    main = reading.main
    if main == "crm_read":
        return "crm"
    if main in CALCULATIONS:
        return "calculation"
    if reading.confidence < SURE:
        return "rules" if reading.schemes and main in ("rules", "status") else ""
    return "place" if main in PLACE_INTENTS else "rules" if main == "rules" else ""


def one_case(whole: Reading, read: Sequence[Piece]) -> bool:
    """Whether the message is one calculation that none of its pieces is: a gift's duties, the donor's age before."""
    wanted = whole.main, whole.options & KINDS
    return whole.main in CALCULATIONS and wanted not in [(p.reading.main, p.reading.options & KINDS) for p in read]


def nameless(piece: Piece) -> bool:
    """Whether it asks something of a deal and says of none which."""
    reading = piece.reading
    return _source(piece, client="?") == "crm" and not (reading.deal_id or any(map(topics, reading.deal_names)))


def _source(piece: Piece, *, client: str) -> str:
    """As `source_of`; beside a client, what is read as nothing sure and names a view or a field of a deal is the
    CRM's: « résumé de l'immeuble de rapport »."""
    source, low = source_of(piece.reading), flat(piece.text)
    return "crm" if client and not source and (cues.said("crm_view", low) or cues.said("crm_field", low)) else source


def parts(text: str, read: Sequence[Piece], *, client: str = "") -> tuple[str, ...]:
    """The questions that one message holds, each of another source than the one before; the text as it is where all is
    one question's, or where a piece leans on a later one. `read`: its pieces as read each by itself; `client`: whom the
    message names, for the pieces that ask something of a deal and say not which."""
    if any(name.startswith("crm_write") or name == "unsafe" for piece in read for name in piece.reading.names):
        return (text,)
    grouped: list[tuple[str, list[Piece]]] = []
    for piece in read:
        source = _source(piece, client=client)
        if grouped and (source in ("", grouped[-1][0]) or _goes_on(piece, source, grouped[-1][0])):
            grouped[-1][1].append(piece)
        else:
            grouped.append((source, [piece]))
    if not 1 < len(grouped) <= MOST_PARTS or not grouped[0][0] or _leans(grouped):
        return (text,)
    lead = LEAD.match(text)
    told = lead[0].strip() if lead else ""
    if told and {source for source, _ in grouped} <= {"place", "rules"} and not _only_place(told, grouped):
        return (text,)  # « un T3 en LMNP à Villeurbanne : quels prix, et quelle fiscalité ? » is one subject
    numbers = told if re.search(r"\d", told) else ""
    named = [client] if client else [n for n in deal_of(text, ())[1] if not flat(n).startswith("dossier")]
    asked = []
    for at, (source, own) in enumerate(grouped):
        said = " ".join(re.sub(r"^(?:et|puis)\s+", "", piece.text) for piece in own)
        if at and source == "calculation" and numbers:
            said = f"{numbers} {said}"
        if source == "crm" and named and all(map(nameless, own)):
            said = f"dossier {_of_lead(told, named[0])} : {said}"
        asked.append(said if said.endswith(("?", ".", "!")) else f"{said} ?")
    return tuple(asked)


def _only_place(told: str, grouped: Sequence[tuple[str, Sequence[Piece]]]) -> bool:
    """« Nantes : prix des maisons, et quel abattement sur la plus-value ? »: the town is of the first thing alone."""
    rules = [piece for source, own in grouped if source == "rules" for piece in own]
    return len(told.split()) <= FEWEST + 1 and all(piece.reading.schemes for piece in rules)


def _of_lead(told: str, name: str) -> str:
    """The words that tell the deal from others of the name, where they begin the message: « Guérin T4 Nantes »."""
    lead = told.rstrip(" :,")
    bare = all(word[0].isupper() or word.isdigit() or flat(word) in LITTLE for word in lead.split())
    return lead if bare and flat(name) in flat(lead) and len(lead.split()) <= SHORT else name


def _goes_on(piece: Piece, source: str, before: str) -> bool:
    """Whether a piece says too little to be asked alone: « et avec quel abattement », « et combien gagne-t-on en plus »
    are about what stands before them."""
    if source == "calculation":
        return not piece.reading.quantities
    if source == "rules":
        return before != "crm" and not piece.reading.schemes and len(piece.text.split()) <= SHORT
    return False


def _leans(grouped: Sequence[tuple[str, Sequence[Piece]]]) -> bool:
    """Whether one needs what another says: sums of money beside a calculation in what is none (« un T2 à 145 000 €,
    prix au m² et rendement »), or the town that only a later one names."""
    counts = any(source == "calculation" for source, _ in grouped)
    others = (piece.reading for source, own in grouped if source not in ("calculation", "crm") for piece in own)
    if counts and any(q.unit == "€" for reading in others for q in reading.quantities):
        return True
    towns = [(source, any(piece.reading.places for piece in own)) for source, own in grouped]
    first = next((at for at, (source, _) in enumerate(towns) if source == "place"), len(towns))
    return not any(named for _, named in towns[: first + 1]) and any(named for _, named in towns[first + 1 :])
