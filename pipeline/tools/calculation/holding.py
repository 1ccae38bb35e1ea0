"""How long a property was held, and what that takes off a private seller's gain."""

from datetime import date

from pipeline.tools.calculation.values import Inputs, Nonsense, number

IR_FREE, PS_FREE = 22, 30
"""Full years of holding after which the gain bears no income tax, no social levies."""


def income_tax_allowance(years: int) -> float:
    """Percent off the gain for income tax: 6 % for each full year from the 6th to the 21st, 4 % for the 22nd
    (CGI 150 VC, I)."""
    if years >= IR_FREE:
        return 100.0
    return 6.0 * max(0, years - 5)


def social_allowance(years: int) -> float:
    """Percent off the gain for social levies: 1.65 % a year from the 6th to the 21st, 1.60 % for the 22nd, 9 % a year
    from the 23rd to the 30th (CSS L136-7, VI)."""
    if years >= PS_FREE:
        return 100.0
    first = 1.65 * min(16, max(0, years - 5))
    return round(first + (1.60 if years >= IR_FREE else 0.0) + 9.0 * max(0, years - IR_FREE), 2)


def holding(inputs: Inputs) -> tuple[int, bool]:
    """Full years held, and whether for more than 5 years: from `acquired` and `sold` (dates or ISO texts), else from
    `years` (the fraction only counts for the 5 years). Raises `Nonsense`."""
    if inputs.get("acquired") is not None or (inputs.get("sold") is not None and inputs.get("years") is None):
        bought, sold = _day(inputs.get("acquired"), "l'achat"), _day(inputs.get("sold"), "la vente")
        if sold < bought:
            raise Nonsense("La vente ne peut pas précéder l'achat : le calcul n'est pas fait.")
        full = sold.year - bought.year - ((sold.month, sold.day) < (bought.month, bought.day))
        return full, full > 5 or (full == 5 and (sold.month, sold.day) > (bought.month, bought.day))
    years = number(inputs, "years", label="la durée de détention en années", least=0, most=100)
    return int(years), years > 5


def sold_on(inputs: Inputs) -> date | None:
    """The day of the sale when it is given. Raises `Nonsense`."""
    return None if inputs.get("sold") is None else _day(inputs.get("sold"), "la vente")


def _day(value: object, what: str) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise Nonsense(f"Précisez la date de {what} (jour, mois, année).")
