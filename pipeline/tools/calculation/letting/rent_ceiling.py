"""The highest rent of an intermediate let (Relance logement, Denormandie): zone and area of the home."""

from pipeline.text.amounts import cents, euros
from pipeline.tools.calculation.constants import AREA_BASE, AREA_MOST, AREA_SHARE, CEILING_SOURCE, RENT_CEILINGS
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Plafond de loyer intermédiaire 2026"


def coefficient(area: float) -> float:
    """0.7 + 19 / S, rounded to the hundredth, at most 1.2."""
    return min(AREA_MOST.value, cents(round(AREA_BASE.value + AREA_SHARE.value / area, 6)))


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["rent_ceiling"]`."""
    zone, area = told.choice("zone"), told.one("area")
    if not zone or area is None:
        sheet.ask(*(name for name in ("zone", "area") if name not in told))
        return sheet.worked(TITLE, CEILING_SOURCE)
    base, of_area = RENT_CEILINGS[zone], coefficient(area)
    sheet.given("Surface", area, "m²")
    sheet.given("Plafond de la zone", base, "€/m²")
    sheet.rule("Plafond du coefficient", AREA_MOST)
    written, size = f"{of_area:g}".replace(".", ","), f"{area:g}".replace(".", ",")
    sheet.found("Coefficient de surface", of_area, "", f"0,7 + 19 / {size}, au plus 1,2")
    each = sheet.found("Plafond au m²", base * of_area, "€/m²", f"{euros(base)} × {written}")
    how = f"{euros(base)} × {written}, soit {euros(each)} au centime, × {size} m²"
    rent = sheet.found("Loyer mensuel maximal", each * area, "€/mois", how)
    sheet.say(
        f"Loyer mensuel maximal : {euros(rent)} hors charges, pour {size} m² en zone {zone.replace('Abis', 'A bis')}, "
        "niveau intermédiaire 2026.",
        f"Plafond au m² : {euros(each)}/m², soit {euros(base)}/m² dans la zone, multiplié par {written} pour sa "
        "surface.",
    )
    sheet.assume("Barème commun au Relance logement intermédiaire et au Denormandie ; celui du Pinel est autre.")
    return sheet.worked(TITLE, CEILING_SOURCE)
