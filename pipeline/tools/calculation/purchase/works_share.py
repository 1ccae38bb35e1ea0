"""The works that a Denormandie asks for: a quarter of the whole cost, which is a third of price and fees."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import DENORMANDIE_WORKS
from pipeline.tools.calculation.purchase.acquisition import fees_of
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked, share

TITLE = "Travaux minimaux en Denormandie"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["works_share"]`. Without fees told, none are counted, which is said."""
    price, source = told.one("purchase_price"), DENORMANDIE_WORKS.source
    if price is None and (cost := told.one("total_cost")) is not None:
        return _of_all(sheet, cost)
    if price is None:
        sheet.ask("purchase_price")
        return sheet.worked(TITLE, source)
    sheet.given("Prix d'achat", price, "€")
    fees = fees_of(told, sheet, price)
    least = DENORMANDIE_WORKS.value
    sheet.rule("Part des travaux dans le coût total", DENORMANDIE_WORKS)
    bought = cents(price + (fees or 0.0))
    whole = f"({euros(price)} + {euros(fees)} de frais)" if fees else euros(price)
    need = sheet.found("Travaux minimaux", bought * least / (100 - least), "€",
                       f"{whole} × {percent(least)} / (100 % − {percent(least)})")  # fmt: skip
    sheet.say(f"Travaux minimaux : {euros(need)}, pour qu'ils fassent {percent(least)} du coût total de l'opération.")
    if fees is None:
        sheet.assume("Frais d'acquisition non indiqués, donc non comptés : avec eux il faut davantage de travaux.")
        sheet.ask("fees_amount")
    planned = told.one("works")
    if planned is not None:
        sheet.given("Travaux prévus", planned, "€")
        part = sheet.found("Part des travaux prévus", share(planned, bought + planned), "%",
                           f"{euros(planned)} / {euros(bought + planned)}")  # fmt: skip
        verdict = "suffit" if planned >= need else "ne suffit pas"
        sheet.say(f"Part des travaux prévus : {percent(part)} du coût total, ce qui {verdict}.")
    return sheet.worked(TITLE, source)


def _of_all(sheet: Sheet, cost: float) -> Worked:
    """Of a cost that holds the works already."""
    least = DENORMANDIE_WORKS.value
    sheet.given("Coût total, travaux et frais compris", cost, "€")
    sheet.rule("Part des travaux dans le coût total", DENORMANDIE_WORKS)
    need = sheet.found("Travaux minimaux", cost * least / 100, "€", f"{percent(least)} × {euros(cost)}")
    sheet.say(f"Travaux minimaux : {euros(need)}, soit {percent(least)} du coût total de {euros(cost)}.")
    return sheet.worked(TITLE, DENORMANDIE_WORKS.source)
