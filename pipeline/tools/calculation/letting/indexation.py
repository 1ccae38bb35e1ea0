"""A rent after its yearly revision, by the index that the lease names."""

from pipeline.text.amounts import euros
from pipeline.tools.calculation.constants import REVISION_SOURCE
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Révision du loyer"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["rent_revision"]`: rent × new index / old index."""
    rent, indices = told.one("rent_monthly"), told.all("indices")
    if rent is None or len(indices) != 2:
        sheet.ask(*(("rent_monthly",) if rent is None else ("indices",)))
        return sheet.worked(TITLE, REVISION_SOURCE)
    old, new = indices
    sheet.given("Loyer mensuel hors charges", rent, "€/mois")
    sheet.given("Indice de référence", old, "")
    sheet.given("Nouvel indice", new, "")
    said = f"{old:g} à {new:g}".replace(".", ",")
    revised = sheet.found(
        "Loyer révisé", rent * new / old, "€/mois", f"{euros(rent)} × {new:g} / {old:g}".replace(".", ",")
    )
    gap = sheet.found("Hausse mensuelle", revised - rent, "€/mois", f"{euros(revised)} − {euros(rent)}")
    sheet.say(
        f"Loyer révisé : {euros(revised)} par mois hors charges, l'indice passant de {said}.",
        f"Hausse mensuelle : {euros(gap)}.",
    )
    if told.choice("wanted") == "gap":
        by_year = sheet.found("Hausse annuelle", gap * 12, "€/an", f"{euros(gap)} × 12")
        sheet.lead(f"Hausse du loyer : {euros(gap)} par mois, soit {euros(by_year)} par an.")
    sheet.assume("La révision demande une clause du bail, et un logement dont la classe ne l'interdit pas.")
    return sheet.worked(TITLE, REVISION_SOURCE)
