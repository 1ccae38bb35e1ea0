"""A home beside the market: its price per m² against a median, or what its area would cost at that median."""

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked, share

TITLE = "Prix au m²"
RENT_TITLE = "Loyer au m²"
RENT_SOURCE = "loyer indiqué divisé par la surface indiquée"
SOURCE = "prix indiqué divisé par la surface indiquée ; médiane citée dans ce fil"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["market"]`."""
    price, area, median = told.one("purchase_price"), told.one("area"), told.one("median")
    if area is None or (price is None and median is None):
        sheet.ask("area" if area is None else "purchase_price")
        return sheet.worked(TITLE, SOURCE)
    size, named = f"{area:g} m²".replace(".", ","), told.choice("named") or "la médiane"
    sheet.given("Surface", area, "m²")
    sheet.given("Prix médian", median, "€/m²")
    if price is None:
        value = sheet.found("Prix estimé", area * (median or 0.0), "€", f"{size} × {euros(median or 0.0)}/m²")
        sheet.say(f"Prix estimé : {euros(value)} pour {size} à {euros(median or 0.0)}/m², {named}.")
        sheet.assume("Une médiane ne dit rien de l'état, de l'étage ni de la rue : c'est un ordre de grandeur.")
        return sheet.worked(TITLE, SOURCE)
    sheet.given("Prix d'achat", price, "€")
    each = sheet.found("Prix au m²", price / area, "€/m²", f"{euros(price)} / {size}")
    said = f"Prix au m² : {euros(each)}/m², soit {euros(price)} pour {size}"
    if median is None:
        sheet.say(f"{said}.")
        return sheet.worked(TITLE, SOURCE)
    gap = sheet.found("Écart avec la médiane", share(abs(each - median), median), "%",
                      f"({euros(max(each, median))} − {euros(min(each, median))}) / {euros(median)}")  # fmt: skip
    way = "au-dessus de" if each > median else "au-dessous de"
    sheet.say(
        f"{said}.",
        f"Écart avec la médiane : {percent(gap)} {way} {euros(median)}/m², {named}.",
    )
    sheet.assume("Une médiane ne dit rien de l'état, de l'étage ni de la rue du logement.")
    return sheet.worked(TITLE, SOURCE)


def rent(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["rent_area"]`: a month's rent by m²."""
    monthly, area, each = told.one("rent_monthly"), told.one("area"), told.one("rent_per_area")
    if monthly is None and area is not None and each is not None:
        size = f"{area:g} m²".replace(".", ",")
        sheet.given("Surface", area, "m²")
        sheet.given("Loyer au m²", each, "€/m²")
        whole = sheet.found("Loyer mensuel", each * area, "€/mois", f"{euros(each)}/m² × {size}")
        sheet.say(f"Loyer mensuel : {euros(whole)}, soit {size} à {euros(each)}/m².")
        return sheet.worked(RENT_TITLE, RENT_SOURCE)
    if monthly is None or area is None:
        sheet.ask(*(name for name in ("rent_monthly", "area") if name not in told))
        return sheet.worked(RENT_TITLE, RENT_SOURCE)
    size = f"{area:g} m²".replace(".", ",")
    sheet.given("Surface", area, "m²")
    sheet.given("Loyer mensuel", monthly, "€/mois")
    each = sheet.found("Loyer au m²", monthly / area, "€/m²", f"{euros(monthly)} / {size}")
    sheet.say(f"Loyer au m² : {euros(each)}/m² par mois, soit {euros(monthly)} pour {size}.")
    return sheet.worked(RENT_TITLE, RENT_SOURCE)
