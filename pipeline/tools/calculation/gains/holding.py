"""How long a property was held, and what that takes off a private seller's gain."""

from dataclasses import dataclass
from datetime import date

from pipeline.tools.calculation.constants import INCOME_TAX_FREE, SOCIAL_FREE, WORKS_AFTER
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told


@dataclass(frozen=True, slots=True)
class Held:
    """Full years, whether for more than 5 years, and the day or year of the sale. `sure` False: counted from calendar
    years, so that the anniversary may not be reached at the sale."""

    years: int
    over_five: bool
    sold: date
    sure: bool = True


def income_tax_allowance(years: int) -> float:
    """Percent off the gain for income tax: 6 % for each full year from the 6th to the 21st, 4 % for the 22nd
    (CGI 150 VC, I)."""
    if years >= INCOME_TAX_FREE.value:
        return 100.0
    return 6.0 * max(0, years - 5)


def social_allowance(years: int) -> float:
    """Percent off the gain for social levies: 1.65 % a year from the 6th to the 21st, 1.60 % for the 22nd, 9 % a year
    from the 23rd to the 30th (CSS L136-7, VI)."""
    if years >= SOCIAL_FREE.value:
        return 100.0
    first = 1.65 * min(16, max(0, years - 5))
    after = INCOME_TAX_FREE.value
    return round(first + (1.60 if years >= after else 0.0) + 9.0 * max(0, years - after), 2)


def holding(told: Told, sheet: Sheet, *, today: date) -> Held | None:
    """From two days, else from years, else from the duration told; None when the purchase is not dated. A sale that is
    not dated is taken to be of `today`. Raises `Nonsense` for a sale before the purchase."""
    bought, sold = told.day("purchase_date"), told.day("sale_date")
    bought_year, sold_year = told.one("purchase_year"), told.one("sale_year")
    if bought is None and bought_year is None:
        years = told.one("holding_years")
        if years is None:
            return None
        sheet.given("Durée de détention", years, "ans")
        sheet.given("Durée de détention", int(years), "ans")
        when = sold or (date(int(sold_year), 12, 31) if sold_year else today)
        return Held(int(years), years > WORKS_AFTER.value, when)
    if sold is None and sold_year is None:
        sold = today
        sheet.assume(f"Date de vente non indiquée : vente supposée le {today:%d/%m/%Y}.")
    if bought is not None and sold is not None:
        return _by_days(sheet, bought, sold)
    return _by_years(sheet, bought, sold, int(bought_year or 0), int(sold_year or 0))


def _by_days(sheet: Sheet, bought: date, sold: date) -> Held:
    _in_order(bought, sold)
    years = sold.year - bought.year - ((sold.month, sold.day) < (bought.month, bought.day))
    five = int(WORKS_AFTER.value)
    over = years > five or (years == five and (sold.month, sold.day) > (bought.month, bought.day))
    sheet.given("Année d'achat", bought.year, "")
    sheet.given("Durée de détention", years, "ans")
    return Held(years, over, sold)


def _by_years(sheet: Sheet, bought: date | None, sold: date | None, bought_year: int, sold_year: int) -> Held:
    first, last = bought.year if bought else bought_year, sold.year if sold else sold_year
    if last < first:
        raise Nonsense("La vente ne peut pas précéder l'achat : le calcul n'est pas fait.")
    years = last - first
    sheet.given("Année d'achat", first, "")
    sheet.given("Année de vente", last, "")
    sheet.given("Durée de détention", years, "ans")
    if years:
        sheet.assume(
            f"Durée comptée d'année en année : {years} ans pleins, si la date anniversaire de l'achat est passée."
        )
    when = sold or date(last, 12, 31)
    return Held(years, years > WORKS_AFTER.value, when, sure=not years)


def _in_order(bought: date, sold: date) -> None:
    if sold < bought:
        raise Nonsense("La vente ne peut pas précéder l'achat : le calcul n'est pas fait.")
