"""What a computation over geo-dvf files gives: a price with all it rests on, or a French reason."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from pipeline.errors import PipelineError

Kind = Literal["flat", "house"]

RULE = (
    "règle stricte : ventes (hors VEFA et adjudications) d'un seul local, 9 m² et 5 000 € au moins, "
    "de 300 à 30 000 €/m², valeurs extrêmes écartées (1,5 écart interquartile)"
)
SOURCE = "Source : DGFiP – DVF, traitement Etalab, Licence Ouverte 2.0"
FEWEST = 10
"""Sales under which no price is given."""
FRAGILE = 30
"""Sales under which a price is said to be of low confidence."""


class UnreadableFile(PipelineError):
    """Le fichier DVF est illisible : aucun prix n'en est tiré."""


@dataclass(frozen=True, slots=True)
class Price:
    """€/m² of built area for one commune, year and type: median, quartiles, `n` sales kept. `rooms` 1..5 (5: five and
    more) when the price is of one size of flat. `last_sale` is the latest deed among those kept."""

    insee: str
    year: int
    kind: Kind
    n: int
    median: float
    q1: float
    q3: float
    last_sale: date
    rooms: int | None = None
    rule: str = RULE
    source: str = SOURCE

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
