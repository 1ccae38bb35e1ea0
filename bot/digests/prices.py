"""Prices of a commune: their level with n and quartiles, and what a new publication of the data changed."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from bot.digests.findings import Finding, evidence, same_source, series_of
from bot.digests.values import Entry
from corpus.places import Place
from corpus.sentences import sentences
from pipeline.tools.french import at, count, decimal
from pipeline.types import Computed, Figure

_LABELS: Final = {
    "median": re.compile(r"Prix médian des (?P<homes>\w+) en (?P<year>\d{4})"),
    "low": re.compile(r"Premier quartile des (?P<homes>\w+) en (?P<year>\d{4})"),
    "high": re.compile(r"Troisième quartile des (?P<homes>\w+) en (?P<year>\d{4})"),
    "sales": re.compile(r"Nombre de ventes, (?P<homes>\w+), en (?P<year>\d{4})"),
}
"""How the price tool labels its figures."""
PUBLISHED: Final = "DVF est publié deux fois l'an, en avril et en octobre"
NO_JUMP: Final = "c'est une nouvelle publication, pas une variation de la semaine"


@dataclass(frozen=True, slots=True)
class Level:
    """The last year of one type of homes: €/m², and the number of sales."""

    homes: str
    year: int
    median: float
    low: float
    high: float
    sales: int

    @property
    def told(self) -> str:
        return (
            f"{self.homes} {count(round(self.median))}\u00a0€/m² en {self.year} (médiane de {count(self.sales)} "
            f"ventes, la moitié centrale de {count(round(self.low))} à {count(round(self.high))}\u00a0€/m²)"
        )


def levels(finding: Finding) -> tuple[Level, ...]:
    """Of each type of homes its last year; empty where the source tells it otherwise."""
    read: dict[tuple[str, int], dict[str, float]] = {}
    for label, value, _unit in finding["figures"]:
        for name, pattern in _LABELS.items():
            if found := pattern.fullmatch(label):
                read.setdefault((found["homes"], int(found["year"])), {})[name] = value
    last: dict[str, Level] = {}
    for (homes, year), values in sorted(read.items(), key=lambda pair: pair[0][1]):
        if values.keys() == _LABELS.keys():
            given = {name: values[name] for name in ("median", "low", "high")}
            last[homes] = Level(homes, year, **given, sales=int(values["sales"]))
    return tuple(last[homes] for homes in sorted(last))


def price_entry(place: Place, now: Finding, before: Finding | None, *, slot: date) -> tuple[Entry | None, str]:
    """(what to tell, "" or what could not be compared). Without an earlier reading, where the commune stands; with
    one, only what is different."""
    if not now["figures"]:
        return None, next(iter(sentences(now["text"])), "")
    if before is None:
        return _entry(place, f"{_where(place)} : {_stands(now)} [1].", now, before=None, slot=slot), ""
    if not same_source(now, before):
        return None, f"Prix {at(place.name)} : lus cette semaine dans une autre source, donc non comparés."
    if now["figures"] == before["figures"]:
        return None, ""
    told, computed = _changed(place, now, before)
    return _entry(place, told, now, before=before, slot=slot, computed=computed), ""


def _changed(place: Place, now: Finding, before: Finding) -> tuple[str, tuple[Computed, ...]]:
    """A later year, or other values of the same year: either way the data was published anew."""
    old = {level.homes: level for level in levels(before)}
    read_on = date.fromisoformat(before["read_on"])
    parts: list[str] = []
    computed: list[Computed] = []
    for level in levels(now):
        earlier = old.get(level.homes)
        if earlier is None:
            parts.append(level.told)
        elif earlier != level:
            moved = round((level.median / earlier.median - 1) * 100, 1)
            sign = "+" if moved > 0 else "-" if moved < 0 else ""
            parts.append(
                f"{level.told}, contre {count(round(earlier.median))}\u00a0€/m² en {earlier.year} au relevé précédent "
                f"({sign}{decimal(abs(moved))}\u00a0%)"
            )
            label = f"Écart du prix médian des {level.homes} entre deux relevés"
            computed.append(
                Computed(Figure(label, abs(moved), "%"), f"({level.median} / {earlier.median} - 1) × 100", (1, 2))
            )
    if not parts:
        return f"{_where(place)}, prix publiés à nouveau depuis le {read_on:%d/%m/%Y} : {_stands(now)} [1][2].", ()
    newer = any(level.year > old[level.homes].year for level in levels(now) if level.homes in old)
    what = "Nouveau millésime de DVF" if newer else "Valeurs révisées de DVF"
    return f"{what} {at(place.name)} ({NO_JUMP}) : {' ; '.join(parts)} [1][2].", tuple(computed)


def _entry(
    place: Place,
    text: str,
    now: Finding,
    *,
    before: Finding | None,
    slot: date,
    computed: tuple[Computed, ...] = (),
) -> Entry:
    chart = chart_of(place, now)
    return Entry(
        kind="price",
        text=text,
        evidence=(evidence(now, told=text), *((evidence(before, earlier=True),) if before else ())),
        key=f"price:{place.insee}:{slot.isoformat()}",
        communes=(place.insee,),
        computed=computed,
        charts=(chart,) if chart else (),
    )


def chart_of(place: Place, finding: Finding) -> dict[str, Any] | None:
    """The series over the years, as the charts of answers have them."""
    series = [{"label": s.label, "unit": s.unit, "points": [list(p) for p in s.points]} for s in series_of(finding)]
    return {"title": finding["title"], "place": place.name, "series": series} if series else None


def _stands(finding: Finding) -> str:
    """Levels in short; else the source's own sentences on prices."""
    if found := levels(finding):
        return " ; ".join(level.told for level in found)
    own = [sentence for sentence in sentences(finding["text"]) if "€/m²" in sentence]
    told = " ".join(own[:2]).rstrip(".")
    return told[:1].lower() + told[1:]


def _where(place: Place) -> str:
    return f"**{place.name}**"
