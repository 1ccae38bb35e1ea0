"""What a computation over geo-dvf files gives: a price with all it rests on, or a French reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pipeline.errors import PipelineError

Kind = Literal["flat", "house", "garage", "land"]
"""What is sold. A garage is DVF's "dépendance": it does not tell garages, parking spaces and cellars apart."""

RULE = (
    "règle stricte : ventes (hors VEFA et adjudications) d'un seul local, 9 m² et 5 000 € au moins, "
    "de 300 à 30 000 €/m², valeurs extrêmes écartées (1,5 écart interquartile)"
)
GARAGE_RULE = (
    "ventes (hors VEFA et adjudications) d'une seule dépendance, sans logement ni terrain sur le même acte, de 500 à "
    "200 000 €, valeurs extrêmes écartées (1,5 écart interquartile)"
)
LAND_RULE = (
    "ventes sans bâtiment de terrains à bâtir, de 50 à 10 000 m², 1 000 € au moins, de 1 à 5 000 €/m², valeurs "
    "extrêmes écartées (1,5 écart interquartile)"
)
RULES: Mapping[Kind, str] = {"flat": RULE, "house": RULE, "garage": GARAGE_RULE, "land": LAND_RULE}
SOURCE = "Source : DGFiP – DVF, traitement Etalab, Licence Ouverte 2.0"
FEWEST = 10
"""Sales under which no price is given."""
FRAGILE = 30
"""Sales under which a price is said to be of low confidence."""


class UnreadableFile(PipelineError):
    """Le fichier DVF est illisible : aucun prix n'en est tiré."""


@dataclass(frozen=True, slots=True)
class Price:
    """€/m² of built area for one commune, year and type (of ground for land; a garage's whole price, since DVF tells
    no area of it): median, quartiles, `n` sales kept. `rooms` 1..5 (5: five and more) when the price is of one size of
    flat. `last_sale` is the latest deed among those kept."""

    insee: str
    year: int
    kind: Kind
    n: int
    median: float
    q1: float
    q3: float
    last_sale: date
    rooms: int | None = None
    source: str = SOURCE

    @property
    def rule(self) -> str:
        """How the sales were chosen, in French."""
        return RULES[self.kind]

    @property
    def unit(self) -> str:
        return "€" if self.kind == "garage" else "€/m²"

    @property
    def fragile(self) -> bool:
        """Between 10 and 30 sales: a handful of deeds would move the median."""
        return self.n < FRAGILE

    @property
    def partial(self) -> bool:
        """No deed kept in the last quarter: the file may not hold the whole year, or the market is very thin."""
        return self.last_sale.month < 10


@dataclass(frozen=True, slots=True)
class NoPrice:
    """Why there is no price, in French; `n` is the number of sales that the rule kept."""

    insee: str
    year: int | None
    kind: Kind
    reason: str
    n: int = 0
    rooms: int | None = None
