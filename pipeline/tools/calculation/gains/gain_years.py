"""The tax on a private seller's gain by how long the property will have been held: values for a table and a picture."""

from collections.abc import Callable
from dataclasses import replace

from pipeline.series import Column, Schedule
from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import (
    GAIN_INCOME_TAX,
    GAIN_SOCIAL,
    INCOME_TAX_FREE,
    RULES_AS_OF,
    SOCIAL_FREE,
    WORKS_AFTER,
    WORKS_LUMP,
)
from pipeline.tools.calculation.gains.holding import Held
from pipeline.tools.calculation.gains.taxed_gain import Gain, taxed
from pipeline.tools.calculation.values import Told

LAST = int(SOCIAL_FREE.value)
"""Years from which nothing is due."""
FEWEST = 2
"""Years of tax to come that a picture needs."""


def of_gain(told: Told, held: Held, gross: float) -> tuple[Schedule, ...]:
    """From the years held to those from which nothing is due, at today's rules; none without a gain, for a sale of
    an earlier year, or where all but nothing is left to fall due."""
    if gross <= 0 or held.years > LAST - FEWEST or held.sold.year < RULES_AS_OF.year:
        return ()
    lump = _lump_to_come(told, held)
    after = int(WORKS_AFTER.value)

    def gross_at(years: int) -> float:
        return gross - lump if years > after else gross

    found = by_years(gross_at, first=held.years, year=held.sold.year)
    if not lump:
        return (found,)
    less = f"Après {after} ans, forfait de travaux de {percent(WORKS_LUMP.value)} du prix déduit"
    return (replace(found, notes=(*found.notes, less)),)


def by_years(gross_at: Callable[[int], float], *, first: int, year: int) -> Schedule:
    """Euros of income tax, social levies and surtax (where there is any) for each number of full years, from `first`,
    reached in the calendar year `year`. `gross_at`: the gain before allowances for so many years."""
    gains = [taxed(gross_at(years), years) for years in range(first, LAST + 1)]
    columns = [
        Column(
            "Impôt sur la plus-value",
            "€",
            tuple(gain.ir for gain in gains),
            f"{percent(GAIN_INCOME_TAX.value)} après abattement",
        ),
        Column(
            "Prélèvements sociaux",
            "€",
            tuple(gain.ps for gain in gains),
            f"{percent(GAIN_SOCIAL.value)} après abattement",
        ),
    ]
    if any(gain.surtax.due for gain in gains):
        due = tuple(gain.surtax.due for gain in gains)
        columns.append(Column("Surtaxe", "€", due, "barème de CGI 1609 nonies G"))
    whole = tuple(gain.tax for gain in gains)
    columns.append(Column("Impôt et prélèvements", "€", whole, "somme des colonnes précédentes"))
    return Schedule(
        kind="gain",
        title="Impôts selon l'année de vente",
        axis="Années pleines de détention à la vente",
        steps=tuple(_step(gain, year + gain.years - first) for gain in gains),
        columns=tuple(columns),
        notes=(
            f"Plus-value brute de {euros(gains[0].gross)}, à prix et règles inchangés",
            f"Exonération d'impôt à {INCOME_TAX_FREE.value:g} ans, de prélèvements à {SOCIAL_FREE.value:g} ans",
        ),
    )


def _step(gain: Gain, year: int) -> str:
    return f"{gain.years} an{'s' if gain.years > 1 else ''} ({year})"


def _lump_to_come(told: Told, held: Held) -> float:
    """Euros of works that the law will presume once the property is held for more than five years."""
    price = told.one("purchase_price")
    known = "gain" in told or "works" in told or told.amount("depreciation") > 0
    if price is None or known or held.over_five:
        return 0.0
    return price * WORKS_LUMP.value / 100 * (told.one("share") or 100.0) / 100
