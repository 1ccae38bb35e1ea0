"""The questions from which it is learned what our articles and tools answer, and what nothing of ours does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final
from zlib import crc32

from bench.fitted.choosing_other import others
from bench.training.entries.apart import APART, MESSAGES, heads
from bench.training.marked import labelled
from corpus.build_vectors import built_in_passages
from corpus.facts.matching import asked_of
from corpus.questions import bank
from corpus.questions.asked import read_asked
from corpus.questions.prepared import Entry
from pipeline.reading import CALCULATIONS
from pipeline.schemes import said_in
from pipeline.understanding.own_words import flat

DATA: Final = Path(__file__).parents[1] / "data" / "unanswerable.tsv"
HELD: Final = DATA.with_name("answerable.tsv")
FLOOR: Final = DATA.with_name("floor.tsv")
PARTS: Final = 14
SCARCE: Final = 3.0
"""How much more an unanswerable question counts: there are few of them."""
OURS: Final = "ways of asking"
BEREFT: Final = "its entry taken away"
BEREFT_WEIGHT: Final = 0.3
"""Of a question whose own entry is taken away: another one answers some of them."""
BESIDE: Final = "beside an entry"
LIVE, RULES = "to live tools", "to the reader"
TWINS: Final = "twins"
LIVE_INTENTS: Final = frozenset(("prices", "rents", "risks", "energy", "status", "crm_read", "datasets", *CALCULATIONS))
LONGEST_READ: Final = 200


TOWNS: Final = (
    "Lyon", "Nantes", "Bordeaux", "Dijon", "Angers", "Tours", "Metz", "Rennes", "Nice", "Toulouse", "Lille", "Brest",
    "Strasbourg", "Paris 11e", "Saint-Étienne", "La Rochelle", "Clermont-Ferrand", "Villeurbanne", "Rouen", "Vannes",
)  # fmt: skip
ASKED_OF_TOWNS: Final = (
    "prix d'un T2 à {}", "Prix au m² des appartements à {} ?", "prix des maisons {}", "Combien vaut un T3 à {} ?",
    "Quel est le loyer estimé d'un appartement à {} ?", "loyer d'un studio à {}", "évolution des prix à {} depuis 2020",
    "Les risques à {} ?", "{} est en zone tendue ?", "encadrement des loyers à {}", "zone ABC de {}",
    "part des DPE F et G à {}", "et à {} ?", "pareil à {}", "ventes récentes rue de la République à {}",
    "C'est quoi la prochaine étape sur le dossier Martin à {} ?", "mes dossiers à {}", "compare {} et Grenoble",
)  # fmt: skip
"""The plainest questions to live tools: a town's name says nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question; `part`: what is judged together; `kind` of those that nothing answers, else who asks; `entry`: the
    one that is taken away; `known`: the model of the entries learned from it, so that what this says of it is no sign
    of what it says of others."""

    text: str
    kind: str
    part: int
    held: bool
    entry: Entry | None = None
    known: bool = False

    @property
    def weight(self) -> float:
        """What it counts where it is learned what the articles answer."""
        known = {BEREFT: BEREFT_WEIGHT, LIVE: 0.0, RULES: 0.0, OURS: 1.0}
        return known.get(self.kind, 4.0 if self.held else SCARCE)


def rows(*, without: str = "") -> list[Row]:
    """One way of asking each entry, with it and without; the questions by other hands; those that nothing answers and
    their twins; messages to the reader. `without`: a persona whose questions are left out."""
    entries = bank.entries_of(built_in_passages(), read_asked())
    ours = [
        Row(way, OURS, _part(entry), True, known=True)
        for entry in entries
        for way in entry.ways[1 + crc32(entry.ways[0].encode()) % max(1, len(entry.ways) - 1) :][:1]
    ]
    theirs = [Row(one.text, "other hands", crc32(one.sections[0][0].encode()) % PARTS, True) for one in others()]
    lines = lines_of(DATA)
    personas = list(dict.fromkeys(persona for persona, _, _ in lines))
    unanswered = [
        Row(text, kind, personas.index(persona), False, known=persona not in APART)
        for persona, kind, text in lines
        if persona != without
    ]
    held = [line for line in lines_of(HELD) if line[0] != without]
    twins = [Row(text, TWINS if kind == TWINS else LIVE, personas.index(persona), True) for persona, kind, text in held]
    short = [line.split("\t") for line in FLOOR.read_text(encoding="utf-8").splitlines()]
    shorts = [Row(text, f"short, {kind}", crc32(text.encode()) % PARTS, kind == "in") for kind, text in short]
    bereft = [Row(e.ways[-1], BEREFT, _part(e), False, e, known=True) for e in entries if not _on_record(e)]
    return [*ours, *theirs, *unanswered, *twins, *shorts, *bereft, *_written(), *_read()]


def _written() -> Iterator[Row]:
    """What personas who are kept apart wrote entry by entry, and just beside what the entry tells."""
    for _, text, (article, _) in heads():
        yield Row(text, "other hands", crc32(article.encode()) % PARTS, True)
    for line in MESSAGES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["by"] in APART and row["kind"] == "near" and not row.get("before"):
            yield Row(row["text"], BESIDE, crc32(row["article"].encode()) % PARTS, False)


def lines_of(file: Path) -> list[list[str]]:
    """The cells of each line below the header."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def _read() -> Iterator[Row]:
    """Messages that our tools and articles answer, from those that the reader learns from: their words ask for what is
    held, wherever it stands."""
    for one in {one.text: one for one in labelled() if not one.previous}.values():
        intents = set(one.intents)
        if intents and intents <= {*LIVE_INTENTS, "rules"} and len(one.text) <= LONGEST_READ:
            kind = RULES if intents == {"rules"} else LIVE
            yield Row(one.text, kind, crc32(one.text.encode()) % PARTS, True)
    for ask in ASKED_OF_TOWNS:
        for town in TOWNS:
            yield Row(ask.format(town), LIVE, crc32(ask.encode()) % PARTS, True)


def _part(entry: Entry) -> int:
    return crc32(entry.passage.document_id.encode()) % PARTS


def _on_record(entry: Entry) -> bool:
    """Whether a dated record answers it too."""
    way = entry.ways[-1]
    return asked_of(way, schemes=said_in(flat(way)), today=date.today()) is not None
