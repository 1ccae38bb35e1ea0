"""Yearly deduction of the « Relance logement » scheme (Jeanbrun) from rents of an unfurnished let."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

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


def work(told: Told, sheet: Sheet) -> Worked:
    """`price`; `level`: intermediate, social, very_social (without it, all three side by side); `state`: new (default)
    or existing, which needs `works`; `house` True is refused. Raises `Nonsense`."""
    title = "Déduction Relance logement"
    price, state = told.one("price"), told.choice("state") or "new"
    if told.flag("house"):
        raise Nonsense("Les maisons individuelles sont exclues du dispositif Relance logement.")
    if price is None or (state == "existing" and "works" not in told):
        sheet.ask(
            *(name for name in ("price", "works") if name not in told and (name == "price" or state == "existing"))
        )
        return sheet.worked(title, SOURCE, URL)
    if state == "existing":
        _check_works(told.amount("works"), price)
        sheet.given("Travaux", told.one("works"), "€")
    sheet.given("Prix du logement", price, "€")
    sheet.given("Part du prix amortie", BASE, "%")
    sheet.found("Assiette de l'amortissement", price * BASE / 100, "€", f"{percent(BASE)} × {euros(price)}")
    level = told.choice("level")
    for each in [level] if level else LEVELS:
        _level(sheet, price, each, state, alone=bool(level))
    if not level:
        sheet.ask("level", asked="Quel est le niveau de loyer : intermédiaire, social ou très social ?")
        rows = ((LEVELS[each], euros(deduction(price=price, level=each, state=state)[1])) for each in LEVELS)
        sheet.table = (("Niveau de loyer", "Déduction annuelle"), *rows)
    if "state" not in told:
        sheet.assume("Logement supposé neuf, faute d'indication.")
    if state == "existing":
        sheet.say("Les travaux ne sont pas dans cette assiette : leur prise en compte est à relire à l'article 31.")
    if level != "intermediate":
        sheet.say("Le plafond des niveaux social et très social demande qu'au moins la moitié des loyers soit sociale.")
    sheet.say("Logement collectif loué nu en résidence principale, acquis du 21/02/2026 au 31/12/2028.")
    return sheet.worked(title, SOURCE, URL)


def _level(sheet: Sheet, price: float, level: str, state: str, *, alone: bool) -> None:
    terms = TERMS[level]
    rate = terms.new if state == "new" else terms.existing
    raw, kept = deduction(price=price, level=level, state=state)
    name = "" if alone else f", loyer {LEVELS[level]}"
    sheet.given(f"Taux d'amortissement{name}", rate, "%")
    sheet.given(f"Plafond annuel du foyer{name}", terms.ceiling, "€/an")
    how = f"{euros(price)} × {percent(BASE)} × {percent(rate)}"
    sheet.found(f"Déduction avant plafond{name}", raw, "€/an", how)
    least = f"{how}, au plus {euros(terms.ceiling)}"
    sheet.found(f"Déduction annuelle{name}", kept, "€/an", least)
    limit = "plafonnée par" if raw > kept else "sous"
    sheet.say(
        f"Déduction annuelle Relance logement{name}, logement {STATES[state]} : {euros(kept)}, {limit} le plafond de "
        f"{euros(terms.ceiling)} par an et par foyer, tous logements confondus.",
    )


def _check_works(works: float, price: float) -> None:
    """The 30 % are read on the price; some pages read them on the whole operation, which asks for more."""
    if works * 100 < LEAST_WORKS * price:
        raise Nonsense("Dans l'ancien, les travaux doivent atteindre 30 % du prix : la déduction n'est pas ouverte.")
