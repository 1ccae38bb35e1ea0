"""Reads the records from their TOML files, strictly: what is wrong is told with its file and its record."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from corpus.errors import CorpusError
from corpus.facts.values import BOUNDS, DELAYS, STATUSES, Attribute, Base, Content, Fact, Source, Unit, Vocabulary

FOLDER: Final = Path(__file__).parent
VOCABULARY, SOURCES = "vocabulary.toml", "sources.toml"
RENAMED: Final = {"from": "effective_from", "to": "effective_to", "by": "said_by"}
"""Short keys of the files -> fields of a `Fact`."""
SHARED: Final = frozenset((
    "scheme", "attribute", "label", "unit", "condition", "zone", "from", "to", "status", "source", "article", "also",
    "words", "bound", "verb", "dated", "main", "closes", "after", "consulted_on", "of",
    "since", "until",
))  # fmt: skip
"""What a group may say for all of its records."""
OWN: Final = frozenset((
    "id", "value", "unit", "condition", "hints", "zone", "from", "to", "status", "source", "bound", "verb", "dated",
    "sentence", "after", "by", "seen", "official", "of",
))  # fmt: skip
"""What a record may say for itself."""


class FactsUnreadable(CorpusError):
    """Les faits chiffrés n'ont pas pu être lus."""


@cache
def load_facts(folder: Path = FOLDER) -> tuple[Fact, ...]:
    """Every record, in the order of the files. Read once. Raises `FactsUnreadable`."""
    vocabulary, sources = load_vocabulary(folder), _sources(folder)
    found: list[Fact] = []
    for path in sorted(folder.glob("*.toml")):
        if path.name not in (VOCABULARY, SOURCES):
            found.extend(_of_file(path, vocabulary, sources))
    _check_whole(found)
    cases = Counter((*fact.group, *fact.case) for fact in found)
    return tuple(replace(fact, revised=cases[(*fact.group, *fact.case)] > 1) for fact in found)


@cache
def load_vocabulary(folder: Path = FOLDER) -> Vocabulary:
    """The closed lists of attributes and units. Raises `FactsUnreadable`."""
    rows = _read(folder / VOCABULARY)
    try:
        attributes = {
            name: Attribute(name, row["title"], row.get("words", ""), tuple(row.get("cues", ())),
                            tuple(row.get("weak", ())))
            for name, row in rows["attributes"].items()
        }  # fmt: skip
        units = {name: Unit(name, row["one"], row["many"], row.get("of", "")) for name, row in rows["units"].items()}
        bases = {
            name: Base(name, row["said"], frozenset(row["roles"]), row["least"])
            for name, row in rows.get("bases", {}).items()
        }
    except (KeyError, TypeError) as error:
        raise FactsUnreadable(f"{VOCABULARY} : il manque {error}.") from error
    asks = {name: tuple(said) for name, said in rows.get("asks", {}).items()}
    return Vocabulary(attributes, units, bases, asks, rows.get("short", {}))


def _sources(folder: Path) -> Mapping[str, Source]:
    found = {}
    for name, row in _read(folder / SOURCES).items():
        if set(row) != {"title", "url"} or not str(row["url"]).startswith("https://"):
            raise FactsUnreadable(f"{SOURCES}, {name} : il faut un titre et une adresse https.")
        found[name] = Source(row["title"], row["url"])
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FactsUnreadable(f"{path.name} n'a pas pu être lu : {error}") from error


def _of_file(path: Path, vocabulary: Vocabulary, sources: Mapping[str, Source]) -> Iterator[Fact]:
    whole = _read(path)
    for place, group in enumerate(whole.get("group", ()), start=1):
        shared = {"consulted_on": whole.get("consulted_on"), **group}
        records = shared.pop("records", ())
        where = f"{path.name}, groupe {place} ({group.get('label', 'sans libellé')})"
        if unknown := set(shared) - SHARED:
            raise FactsUnreadable(f"{where} : clé inconnue {sorted(unknown)[0]}.")
        if not records:
            raise FactsUnreadable(f"{where} : aucun enregistrement.")
        for number, record in enumerate(records, start=1):
            if unknown := set(record) - OWN:
                raise FactsUnreadable(f"{where}, enregistrement {number} : clé inconnue {sorted(unknown)[0]}.")
            told = {"id": f"{path.stem}.{place}.{number}", **shared, **record}
            try:
                yield _fact(told, vocabulary, sources)
            except (KeyError, TypeError, ValueError) as error:
                raise FactsUnreadable(f"{where}, enregistrement {number} : {error}") from error


def _fact(told: Mapping[str, Any], vocabulary: Vocabulary, sources: Mapping[str, Source]) -> Fact:
    """Raises KeyError, TypeError or ValueError, whose text says what is wrong with the record."""
    row = {RENAMED.get(name, name): value for name, value in told.items()}
    for name in ("scheme", "attribute", "label", "value", "source", "consulted_on"):
        if row.get(name) in (None, ""):
            raise KeyError(f"il manque {name}")
    unit = row.get("unit", "")
    if row["attribute"] not in vocabulary.attributes:
        raise ValueError(f"attribut inconnu : {row['attribute']}")
    if unit and unit not in vocabulary.units:
        raise ValueError(f"unité inconnue : {unit}")
    if (of := row.get("of")) and (of not in vocabulary.bases or unit != "%" or isinstance(row["value"], str)):
        raise ValueError(f"une part en % d'une base connue : {of}")
    if row["source"] not in sources:
        raise ValueError(f"source inconnue : {row['source']}")
    fact = Fact(**{
        **row, "value": _content(row["value"], unit), "source": sources[row["source"]],
        "also": tuple(row.get("also", ())), "article": row.get("article", row["scheme"]),
    })  # fmt: skip
    _check(fact)
    return fact


def _content(value: Any, unit: str) -> Content:
    if isinstance(value, bool) or (isinstance(value, int | float | list) and not unit):
        raise ValueError("un nombre demande une unité")
    if isinstance(value, list):
        low, high = (float(number) for number in value)
        if low >= high:
            raise ValueError("la fourchette est à l'envers")
        return low, high
    return value if isinstance(value, date | str) else float(value)


def _check(fact: Fact) -> None:
    """Raises ValueError."""
    if fact.status not in STATUSES or fact.bound not in BOUNDS:
        raise ValueError(f"statut ou borne inconnus : {fact.status}, {fact.bound}")
    days = (fact.effective_from, fact.effective_to, fact.consulted_on, fact.seen)
    if not all(day is None or isinstance(day, date) for day in days):
        raise ValueError("une date s'écrit 2026-01-31")
    if fact.effective_from and fact.effective_to and fact.effective_from > fact.effective_to:
        raise ValueError("la période est à l'envers")
    if fact.status == "disputed" and not fact.said_by:
        raise ValueError("un fait disputé dit par qui")
    if (fact.since or fact.until) and (fact.unit not in DELAYS or (fact.since and fact.until)):
        raise ValueError("un délai se compte en jours, semaines, mois ou ans, depuis un événement ou avant lui")
    if fact.closes and not isinstance(fact.value, date):
        raise ValueError("une fin est une date")


def _check_whole(facts: list[Fact]) -> None:
    """Names are unique; a case has one value at a time, unless its sources are known to disagree."""
    if twice := [name for name, times in Counter(fact.id for fact in facts).items() if times > 1]:
        raise FactsUnreadable(f"identifiant en double : {twice[0]}.")
    cases: dict[tuple[str, ...], list[Fact]] = {}
    for fact in facts:
        if fact.status != "disputed" and isinstance(fact.value, float | tuple):
            cases.setdefault((*fact.group, fact.unit, *fact.case), []).append(fact)
    for held in cases.values():
        for one, other in combinations(held, 2):
            if one.overlaps(other):
                raise FactsUnreadable(f"deux valeurs à la même date : {one.label}, {one.condition} ({one.id}).")
