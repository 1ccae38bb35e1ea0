"""A year of rents, and what the landlord pays out of them before tax and loan."""

from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.sheet import Sheet, listed
from pipeline.tools.calculation.values import Nonsense, Told

_FIXED = {
    "charges_yearly": "Charges annuelles non récupérables",
    "property_tax": "Taxe foncière",
    "insurance_yearly": "Assurance du logement",
}
_VACANCY = {"vacancy_percent": ("%", 100.0), "vacancy_months": ("mois", 12.0), "vacancy_weeks": ("semaines", 52.0)}


@dataclass(frozen=True, slots=True)
class Rents:
    """Euros: `monthly` rent without charges, `yearly` = 12 months of it, `vacancy` the rents lost, `charges` all that
    comes off (vacancy included). `counted`: the arguments that were told of them."""

    monthly: float
    yearly: float
    vacancy: float
    charges: float
    counted: tuple[str, ...]

    @property
    def net(self) -> float:
        return cents(self.yearly - self.charges)


def rents_of(told: Told, sheet: Sheet) -> Rents | None:
    """Writes rents and charges down; None without a rent. Management is a share of the rents that come in."""
    lots = told.all("rent_monthly")
    monthly = told.one("rent_monthly")
    if not monthly:
        return None
    for lot in lots:
        sheet.given("Loyer mensuel hors charges", lot, "€/mois")
    if len(lots) > 1:
        sheet.found("Loyer mensuel de tous les lots", monthly, "€/mois", " + ".join(euros(lot) for lot in lots))
    yearly = sheet.found("Loyers annuels", 12 * monthly, "€/an", f"12 × {euros(monthly)}")
    vacancy, empty = _vacancy(told, sheet, yearly)
    parts = [vacancy] if empty else []
    for name, label in _FIXED.items():
        sheet.given(label, told.one(name), "€/an")
        parts += [told.amount(name)] if name in told else []
    rate = told.one("management_percent")
    if rate is not None:
        sheet.given("Frais de gestion", rate, "%")
        collected = cents(yearly - vacancy)
        parts.append(sheet.found("Gestion", collected * rate / 100, "€/an", f"{percent(rate)} × {euros(collected)}"))
    counted = (*empty, *(name for name in (*_FIXED, "management_percent") if name in told))
    charges = cents(sum(parts))
    if counted:
        sheet.found("Charges et vacance", charges, "€/an", " + ".join(euros(part) for part in parts))
        how = f"{euros(yearly)} − {euros(charges)}"
        sheet.found("Loyer net annuel", yearly - charges, "€/an", how)
    return Rents(monthly, yearly, vacancy, charges, counted)


def fixed_charges(told: Told, sheet: Sheet) -> tuple[float, float, str]:
    """(euros a year whatever the rent, share of the rents that is kept after vacancy and management, how)."""
    for name, label in _FIXED.items():
        sheet.given(label, told.one(name), "€/an")
    fixed = cents(sum(told.amount(name) for name in _FIXED))
    empty = next(((told.amount(name), *_VACANCY[name]) for name in _VACANCY if name in told), None)
    kept, how = 1.0, ""
    if empty:
        value, unit, whole = empty
        sheet.given("Vacance", value, unit)
        kept *= 1 - value / whole
        how += f" / (1 − {value:g} / {whole:.0f})".replace(".", ",")
    if rate := told.amount("management_percent"):
        sheet.given("Frais de gestion", rate, "%")
        kept *= 1 - rate / 100
        how += f" / (1 − {percent(rate)})"
    if kept <= 0:
        raise Nonsense("Vacance et gestion prennent tous les loyers : aucun loyer ne donne ce rendement.")
    return fixed, kept, how


def _vacancy(told: Told, sheet: Sheet, yearly: float) -> tuple[float, tuple[str, ...]]:
    given = tuple(name for name in _VACANCY if name in told)
    if len(given) > 1:
        raise Nonsense("La vacance est donnée de plusieurs façons : gardez le pourcentage, les mois ou les semaines.")
    if not given:
        return 0.0, ()
    unit, whole = _VACANCY[given[0]]
    value = told.amount(given[0])
    sheet.given("Vacance", value, unit)
    written = f"{value:g}".replace(".", ",")
    return sheet.found("Loyers perdus (vacance)", yearly * value / whole, "€/an",
                       f"{euros(yearly)} × {written} / {whole:.0f}"), given  # fmt: skip


def counted_names(rents: Rents) -> str:
    """`la taxe foncière et la gestion`, for what was told."""
    names = {"charges_yearly": "les charges", "property_tax": "la taxe foncière", "insurance_yearly": "l'assurance",
             "management_percent": "la gestion"}  # fmt: skip
    return listed([names.get(name, "la vacance") for name in rents.counted])
