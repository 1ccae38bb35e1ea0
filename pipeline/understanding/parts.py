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
SENTENCE: Final = re.compile(r"(?<=[.?;])")
LEAD: Final = re.compile(r"^[^?;]{3,160}?\s?:\s+")
"""What is told before the first thing asked: « Benali, maison à Toulon : »."""
FEWEST: Final = 2
"""Words of a piece that may stand alone."""
MOST_PARTS: Final = 4
LONGEST: Final = 600
"""Characters; a longer message tells a story, and its pieces lean on each other."""
FEWEST_ASKED: Final = 4
"""Words of one that is known by a word of asking alone."""
SHORT: Final = 5
"""Words of a piece that names no subject of its own."""
LITTLE: Final = frozenset(
    ("a", "de", "du", "des", "la", "le", "les", "et", "pour", "chez", "rdv", "mon", "dossier", "client")
)
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
    if not (seams := list(SEAM.finditer(low))):
        return (text,)
    ends = [m.start() for m in seams[1:]] + [len(low)]
    cuts = [m.end() for m, end in zip(seams, ends, strict=True) if _asks(m[0], low[m.end() : end], low[end:])]
    if cuts and not _begins(low[: cuts[0]]):  # tells something, and asks nothing yet
        cuts = cuts[1:]
    while short := [cut for cut, end in pairwise([*cuts, len(text)]) if len(text[cut:end].split()) < FEWEST]:
        cuts.remove(short[0])  # « Fontaine, combien ? Et la taxe foncière ? »
    found = [text[a:b].strip(" ,;") for a, b in pairwise([0, *cuts, len(text)])]
    return (text,) if len(found[0].split()) < FEWEST else tuple(found)


def _begins(low: str) -> bool:
    """Whether the beginning of a message asks something already."""
    first = re.sub(r"^\W*dossiers? (?!en|a|au|sans|de plus)", "", LEAD.sub("", low))  # « dossier Roux, » asks nothing
    return bool("?" in first or cue("part.asks").match(first) or cue("part.open").search(first))


def _asks(seam: str, said: str, behind: str) -> bool:
    """Whether one more thing is asked behind a seam: by how it begins, else by a word of asking, or a question mark at
    its end, behind what ends a question or adds to it."""
    if cue("part.asks").match(said):
        return True
    if len(said.split()) < FEWEST_ASKED:
        return False
    ends = "?" in seam or ";" in seam
    adds = ends or said.startswith(("et ", "puis ", "sinon "))
    polar = ((ends or "," in seam) and "?" in said + behind[:2]) or (ends and "?" in SENTENCE.split(said + behind)[0])
    return adds and bool(polar or cue("part.open").search(said))


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
    sure = whole.main in CALCULATIONS and whole.confidence >= SURE
    return sure and wanted not in [(p.reading.main, p.reading.options & KINDS) for p in read]


def nameless(piece: Piece) -> bool:
    """Whether it asks something of a deal and says of none which."""
    reading = piece.reading
    return _source(piece, client="?") == "crm" and not (reading.deal_id or any(map(topics, reading.deal_names)))


def _source(piece: Piece, *, client: str) -> str:
    """As `source_of`, but beside a client what only a deal has is the CRM's (« la prochaine étape »), and so is what is
    read as nothing sure and names a view or a field of a deal, or the client by « il » or « son ». Anything else that
    asks there and is read as nothing sure is looked for in the articles."""
    source, low = source_of(piece.reading), flat(piece.text)
    if client and cue("part.of_deal").search(low):
        return "crm"
    if source == "crm" and not (client or _names_deals(piece)):
        return ""
    if source:
        return source
    if client and (cues.said("crm_view", low) or cues.said("crm_field", low) or cue("part.of_client").search(low)):
        return "crm"
    asks = len(low.split()) >= FEWEST_ASKED and cue("part.open").search(low)
    return "rules" if client and asks else ""


def _names_deals(piece: Piece) -> bool:
    """Whether it says of which deal it asks, or asks of deals by that word: « il risque quoi ? » may be a tenant's."""
    reading = piece.reading
    named = reading.deal_id or any(map(topics, reading.deal_names))
    return bool(named or cue("part.of_deals").search(flat(piece.text)))


def parts(text: str, read: Sequence[Piece], *, client: str = "") -> tuple[str, ...]:
    """The questions that one message holds, each of another source than the one before; the text as it is where all is
    one question's, or where a piece leans on a later one. `read`: its pieces as read each by itself; `client`: whom the
    message names, for the pieces that ask something of a deal and say not which."""
    if any(name.startswith("crm_write") or name == "unsafe" for piece in read for name in piece.reading.names):
        return (text,)
    named = [client] if client else [n for n in deal_of(text, ())[1] if not flat(n).startswith("dossier")]
    grouped: list[tuple[str, list[Piece]]] = []
    for piece in read:
        source = _source(piece, client=next(iter(named), ""))
        if grouped and (source in ("", grouped[-1][0]) or _goes_on(piece, source, grouped[-1][0])):
            grouped[-1][1].append(piece)
        else:
            grouped.append((source, [piece]))
    lead = LEAD.match(text)
    told, name = lead[0].strip() if lead else "", next(iter(named), "")
    ((source, only),) = grouped if len(grouped) == 1 else (("", []),)
    if source == "crm" and name and all(source_of(piece.reading) != "crm" for piece in only[:1]):
        return tuple(_alone(source, [piece], told, name) for piece in only)  # as a whole it would not be the deal's
    if not 1 < len(grouped) <= MOST_PARTS or not grouped[0][0] or _leans(grouped):
        return (text,)
    if told and {source for source, _ in grouped} <= {"place", "rules"} and not _only_place(told, grouped, client):
        return (text,)  # « un T3 en LMNP à Villeurbanne : quels prix, et quelle fiscalité ? » is one subject
    (_, opening), *others = grouped
    scheme = told if opening[0].reading.schemes else ""
    numbers = told if re.search(r"\d", told) else ""
    before = {"calculation": numbers, "rules": scheme}
    first = _alone(grouped[0][0], opening, told, name)
    return (first, *(_alone(source, own, told, name, before=before.get(source, "")) for source, own in others))


def _alone(source: str, own: Sequence[Piece], told: str, name: str, *, before: str = "") -> str:
    """Pieces of one source as a question that stands alone. `told`: what leads the message, `name`: the client's;
    `before`: what of the lead a later part needs, numbers for a calculation, the scheme for a rule that names none."""
    said = " ".join(re.sub(r"^(?:et|puis)\s+", "", piece.text) for piece in own)
    if before and not (source == "rules" and any(piece.reading.schemes for piece in own)):
        said = f"{before} {said}"
    elif source == "rules" and name and _is_bare(told, name):
        said = said.removeprefix(told).strip()
    meant = any(source_of(piece.reading) != "crm" for piece in own)
    if source == "crm" and name and (meant or all(map(nameless, own))):
        said = f"dossier {_of_lead(told, name)} : {said.removeprefix(told).strip() if told else said}"
    return said if said.endswith(("?", ".", "!")) else f"{said} ?"


def _only_place(told: str, grouped: Sequence[tuple[str, Sequence[Piece]]], client: str) -> bool:
    """« Nantes : prix des maisons, et quel abattement sur la plus-value ? »: the town is of the first thing alone, and
    so is the client for whom all of it is asked."""
    rules = [piece for source, own in grouped if source == "rules" for piece in own]
    little = len(told.split()) <= FEWEST + 1 or (client and flat(client) in flat(told))
    return bool(little) and all(piece.reading.schemes for piece in rules)


def _of_lead(told: str, name: str) -> str:
    """The words that tell the deal from others of the name, where they begin the message: « Guérin T4 Nantes »."""
    return told.rstrip(" :,") if _is_bare(told, name) and len(told.split()) <= SHORT + 1 else name


def _is_bare(told: str, name: str) -> bool:
    """Whether what is told first says for whom it is asked, and nothing of the case."""
    words = told.rstrip(" :,").split()
    bare = all(word[0].isupper() or word.isdigit() or flat(word) in LITTLE for word in words)
    return bare and flat(name) in flat(told)


def _goes_on(piece: Piece, source: str, before: str) -> bool:
    """Whether a piece says too little to be asked alone: « et avec quel abattement », « et combien gagne-t-on en plus »
    are about what stands before them."""
    if source == "calculation":
        return not piece.reading.quantities and not cue("deal_amount.pointed").search(flat(piece.text))
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
