"""The duty on the sale of shares of a company that mostly owns homes or land, as an SCI."""

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import DUTIES_URL, SHARES_DUTY, SHARES_SOURCE
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Droits d'enregistrement d'une cession de parts"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["shares_duty"]`."""
    price = told.one("amount")
    if price is None:
        sheet.ask("amount")
        return sheet.worked(TITLE, SHARES_SOURCE, DUTIES_URL)
    sheet.given("Prix des parts", price, "€")
    sheet.rule("Droits d'enregistrement", SHARES_DUTY)
    rate = percent(SHARES_DUTY.value)
    due = sheet.found(
        "Montant des droits d'enregistrement", price * SHARES_DUTY.value / 100, "€", f"{euros(price)} × {rate}"
    )
    sheet.say(f"Droits d'enregistrement de la cession de parts : {euros(due)}, soit {rate} de {euros(price)}.")
    sheet.assume("Société supposée à prépondérance immobilière, comme une SCI patrimoniale ; frais d'acte non comptés.")
    return sheet.worked(TITLE, SHARES_SOURCE, DUTIES_URL)
