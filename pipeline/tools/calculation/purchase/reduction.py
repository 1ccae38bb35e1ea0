"""The tax reduction of a Denormandie: a share of the whole cost by the years of letting, within its ceilings."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    DENORMANDIE_AREA,
    DENORMANDIE_BASE,
    DENORMANDIE_RATES,
    DENORMANDIE_SOURCE,
    DENORMANDIE_WORKS,
)
from pipeline.tools.calculation.purchase.acquisition import fees_of
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked, share

TITLE = "Réduction d'impôt Denormandie"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["reduction"]`; without the years told, each commitment. Raises `Nonsense`."""
    price, works = told.one("purchase_price"), told.one("works")
    if works is None and (cost := told.one("total_cost")) is not None:
        sheet.given("Coût de l'opération, travaux compris", cost, "€")
        sheet.assume(f"Part des travaux supposée d'au moins {percent(DENORMANDIE_WORKS.value)} du coût total.")
        return _reduced(told, sheet, cost)
    if price is None or works is None:
        sheet.ask(*(name for name in ("purchase_price", "works") if name not in told))
        return sheet.worked(TITLE, DENORMANDIE_SOURCE)
    sheet.given("Prix d'achat", price, "€")
    fees = fees_of(told, sheet, price)
    sheet.given("Travaux", works, "€")
    parts = [euros(price), *([f"{euros(fees)} de frais"] if fees else []), f"{euros(works)} de travaux"]
    cost = sheet.found("Coût de l'opération", price + (fees or 0.0) + works, "€", " + ".join(parts))
    if fees is None:
        sheet.assume("Frais d'acquisition non indiqués, donc non comptés.")
    sheet.rule("Part des travaux dans le coût total", DENORMANDIE_WORKS)
    part = sheet.found("Part des travaux prévus", share(works, cost), "%", f"{euros(works)} / {euros(cost)}")
    least = percent(DENORMANDIE_WORKS.value)
    if part < DENORMANDIE_WORKS.value:
        sheet.say(
            f"Part des travaux : {percent(part)} du coût total, moins que les {least} demandés : pas de réduction."
        )
        return sheet.worked(TITLE, DENORMANDIE_SOURCE)
    return _reduced(told, sheet, cost, said=f"Part des travaux : {percent(part)} du coût total, pour {least} demandés.")


def _reduced(told: Told, sheet: Sheet, cost: float, *, said: str = "") -> Worked:
    base = _base(told, sheet, cost)
    years = told.one("months")
    wanted = [int(years / 12)] if years else list(DENORMANDIE_RATES)
    if wanted[0] not in DENORMANDIE_RATES:
        raise Nonsense("L'engagement de location du Denormandie est de 6, 9 ou 12 ans.")
    for each in wanted:
        _of_years(sheet, base, each)
    sheet.say(said)
    sheet.assume("Logement supposé situé dans une commune éligible, et travaux conformes au dispositif.")
    return sheet.worked(TITLE, DENORMANDIE_SOURCE)


def _base(told: Told, sheet: Sheet, cost: float) -> float:
    """The cost within 300,000 euros, and 5,500 euros a m² where the area was told."""
    sheet.rule("Plafond de la base", DENORMANDIE_BASE)
    most, said = DENORMANDIE_BASE.value, euros(DENORMANDIE_BASE.value)
    area = told.one("area")
    if area is not None:
        sheet.given("Surface", area, "m²")
        sheet.rule("Plafond par m²", DENORMANDIE_AREA)
        by_area = cents(area * DENORMANDIE_AREA.value)
        if by_area < most:
            most = sheet.found(
                "Plafond selon la surface", by_area, "€", f"{area:g} m² × {euros(DENORMANDIE_AREA.value)}"
            )
            said = euros(most)
    return sheet.found("Base de la réduction", min(cost, most), "€", f"{euros(cost)}, au plus {said}")


def _of_years(sheet: Sheet, base: float, years: int) -> None:
    rate = DENORMANDIE_RATES[years]
    name = f"sur {years} ans"
    sheet.given(f"Taux de la réduction {name}", rate, "%")
    sheet.given("Durée de l'engagement", years, "ans")
    total = sheet.found(f"Réduction d'impôt {name}", base * rate / 100, "€", f"{euros(base)} × {percent(rate)}")
    yearly = sheet.found(f"Réduction d'impôt par an, {name}", total / years, "€/an", f"{euros(total)} / {years}")
    sheet.say(
        f"Réduction d'impôt {name} : {euros(total)}, soit {percent(rate)} de {euros(base)}, en moyenne {euros(yearly)} "
        "par an."
    )
