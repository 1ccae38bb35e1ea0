"""What a household's tax alone asks for: its income, or a deficit of bare lets."""

from pipeline.tools.calculation.constants import INCOME_TAX_SOURCE, RENT_SOURCE
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.taxes import regime
from pipeline.tools.calculation.values import Told, Worked


def income_tax(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["income_tax"]`."""
    if told.one("income_yearly") is None:
        sheet.ask("income_yearly")
        return sheet.worked("Impôt sur le revenu", INCOME_TAX_SOURCE)
    return regime.work(told, sheet)


def deficit(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["deficit"]`."""
    if told.one("deficit") is None:
        sheet.ask("deficit")
        return sheet.worked("Déficit foncier", RENT_SOURCE)
    return regime.work(told, sheet)
