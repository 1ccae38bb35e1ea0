"""Yearly deduction of the « Relance logement » scheme (Jeanbrun) from rents of an unfurnished let."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked, choice, money
from pipeline.types import Computed, Figure

BASE = 80.0
"""Percent of the price that is depreciated: land counts for a fixed 20 %."""
LEAST_WORKS = 30.0
"""Percent of the price that works must reach in an existing home."""
LEVELS = {"intermediate": "intermédiaire", "social": "social", "very_social": "très social"}
STATES = {"new": "neuf", "existing": "ancien rénové"}
SOURCE = "CGI 31, I, 1°, i et j (loi 2026-103 du 19/02/2026, art. 47)"
URL = "https://www.service-public.gouv.fr/particuliers/vosdroits/F39735"


@dataclass(frozen=True, slots=True)
class Terms:
    """Percent a year of the base for a new home and for an existing one; ceiling in euros a year."""

    new: float
    existing: float
    ceiling: float


TERMS: Mapping[str, Terms] = {
    "intermediate": Terms(3.5, 3.0, 8_000),
    "social": Terms(4.5, 3.5, 10_000),
    "very_social": Terms(5.5, 4.0, 12_000),
}


def deduction(*, price: float, level: str, state: str = "new") -> tuple[float, float]:
    """Euros a year, before and after the ceiling: price x 80 % x rate, at most 8,000 / 10,000 / 12,000 euros a year for
    the household, all homes together (CGI 31, I, 1°, i and j, loi 2026-103, art. 47)."""
    terms = TERMS[level]
    raw = cents(price * BASE / 100 * (terms.new if state == "new" else terms.existing) / 100)
    return raw, min(raw, terms.ceiling)


def work(inputs: Inputs) -> Worked:
    """`price`, `level`: intermediate, social, very_social; `state`: new (default) or existing, which needs `works`;
    `house` True is refused. Raises `Nonsense`."""
    price = money(inputs, "price", label="le prix du logement", least=1_000)
    level = choice(inputs, "level", LEVELS, label="le niveau de loyer")
    state = choice(inputs, "state", STATES, label="l'état du logement", default="new")
    if inputs.get("house") is True:
        raise Nonsense("Les maisons individuelles sont exclues du dispositif Relance logement.")
    if state == "existing":
        _check_works(inputs, price)
    terms = TERMS[level]
    rate = terms.new if state == "new" else terms.existing
    raw, kept = deduction(price=price, level=level, state=state)
    base = cents(price * BASE / 100)
    given = (Figure("Prix du logement", price, "€"),)
    results = (
        Computed(Figure("Assiette de l'amortissement", base, "€"), "80 % du prix"),
        Computed(Figure("Part du prix amortie", BASE, "%"), SOURCE),
        Computed(Figure("Taux d'amortissement", rate, "%"), SOURCE),
        Computed(Figure("Déduction avant plafond", raw, "€/an"), "prix x 80 % x taux"),
        Computed(Figure("Plafond annuel du foyer", terms.ceiling, "€/an"), SOURCE),
        Computed(Figure("Déduction annuelle", kept, "€/an"), "le plus petit de la déduction et du plafond"),
    )
    limit = "plafonnée par" if raw > kept else "sous"
    said = [
        f"Déduction annuelle Relance logement : {euros(kept)}, {limit} le plafond de {euros(terms.ceiling)} par an et "
        f"par foyer, tous logements confondus.",
        f"Calcul pour un logement {STATES[state]} en loyer {LEVELS[level]} : {euros(price)} x {percent(BASE)} x "
        f"{percent(rate)} = {euros(raw)} par an.",
    ]
    if state == "existing":
        said.append("Les travaux ne sont pas dans cette assiette : leur prise en compte est à relire à l'article 31.")
    if level != "intermediate":
        said.append("Ce plafond demande qu'au moins la moitié des loyers des logements amortis soit sociale.")
    said.append("Logement collectif loué nu en résidence principale, acquis du 21/02/2026 au 31/12/2028.")
    return Worked("Déduction Relance logement", tuple(said), given, results, SOURCE, URL)


def _check_works(inputs: Inputs, price: float) -> None:
    """The 30 % are read on the price; some pages read them on the whole operation, which asks for more."""
    works = money(inputs, "works", label="les travaux prévus dans le logement ancien")
    if works * 100 < LEAST_WORKS * price:
        raise Nonsense("Dans l'ancien, les travaux doivent atteindre 30 % du prix : la déduction n'est pas ouverte.")
