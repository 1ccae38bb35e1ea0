"""Rules of one rate or ceiling, applied to the figure of a case: a deposit, a smaller Carrez area, a reduction of
Malraux or Loc'Avantages, the allowance of so many years."""

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import (
    CARREZ_MARGIN,
    DEPOSIT_BARE,
    DEPOSIT_FURNISHED,
    GAIN_SOURCE,
    LETTING_RATES,
    LETTING_SOURCE,
    MALRAUX_MOST,
    MALRAUX_RATES,
)
from pipeline.tools.calculation.gains.holding import income_tax_allowance, social_allowance
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

PLANS = {"psmv": "avec un PSMV approuvé", "pvap": "avec un PVAP approuvé"}
LEVELS = {"loc1": "Loc1", "loc2": "Loc2", "loc3": "Loc3"}


def deposit(told: Told, sheet: Sheet) -> Worked:
    """The most that a landlord may ask, bare or furnished; both where neither is told."""
    title, rent, source = "Dépôt de garantie", told.one("rent_monthly"), DEPOSIT_BARE.source
    if not rent:
        sheet.ask("rent_monthly")
        return sheet.worked(title, source)
    sheet.given("Loyer mensuel hors charges", rent, "€/mois")
    furnished = told.flag("furnished")
    for name, rule, meant in (("en location nue", DEPOSIT_BARE, False), ("en meublé", DEPOSIT_FURNISHED, True)):
        if furnished is not None and furnished is not meant:
            continue
        sheet.rule(f"Mois de loyer au plus, {name}", rule)
        most = sheet.found(f"Dépôt de garantie au plus, {name}", rent * rule.value, "€",
                           f"{rule.value:g} × {euros(rent)}")  # fmt: skip
        sheet.say(f"Dépôt de garantie au plus {name} : {euros(most)}, soit {rule.value:g} mois de loyer hors charges.")
    return sheet.worked(title, source)


def carrez(told: Told, sheet: Sheet) -> Worked:
    """What the price comes down by where the area is more than a twentieth smaller than told. Raises `Nonsense`."""
    title, price, areas = "Baisse de prix, surface Carrez", told.one("sale_price"), told.all("areas")
    if price is None or len(areas) < 2:
        sheet.ask("sale_price" if price is None else "areas")
        return sheet.worked(title, CARREZ_MARGIN.source)
    said, real = max(areas[:2]), min(areas[:2])
    if said == real:
        raise Nonsense("Les deux surfaces sont égales : le prix ne baisse pas.")
    sheet.given("Prix de vente", price, "€")
    sheet.given("Surface annoncée", said, "m²")
    sheet.given("Surface mesurée", real, "m²")
    sheet.rule("Tolérance", CARREZ_MARGIN)
    told_areas = f"({_area(said)} − {_area(real)}) / {_area(said)}"
    less = sheet.found("Surface en moins", 100 * (said - real) / said, "%", told_areas)
    if less <= CARREZ_MARGIN.value:
        sheet.say(f"Surface en moins : {percent(less)}, dans la tolérance de {percent(CARREZ_MARGIN.value)} : pas de "
                  "baisse de prix.")  # fmt: skip
        return sheet.worked(title, CARREZ_MARGIN.source)
    off = sheet.found("Baisse du prix", price * (said - real) / said, "€", f"{euros(price)} × {told_areas}")
    sheet.say(f"Baisse du prix : {euros(off)}, en proportion des {percent(less)} de surface en moins, au-delà de la "
              f"tolérance de {percent(CARREZ_MARGIN.value)}.")  # fmt: skip
    sheet.assume("L'acheteur agit dans l'année de l'acte authentique.")
    return sheet.worked(title, CARREZ_MARGIN.source)


def malraux(told: Told, sheet: Sheet) -> Worked:
    """The reduction, for the plan that was told or for both."""
    title, works = "Réduction d'impôt Malraux", told.one("works")
    if works is None:
        sheet.ask("works")
        return sheet.worked(title, MALRAUX_MOST.source)
    sheet.given("Travaux", works, "€")
    sheet.rule("Plafond des travaux", MALRAUX_MOST)
    counted, plan = min(works, MALRAUX_MOST.value), told.choice("plan")
    for name, rate in MALRAUX_RATES.items():
        if plan in ("", name):
            _reduction(sheet, f"Malraux {PLANS[name]}", rate, counted, "€", "de travaux retenus")
    if works > counted:
        sheet.say(f"Les travaux de {euros(works)} sont retenus dans la limite de {euros(counted)}.")
    sheet.assume("Durées des travaux et de la location supposées respectées.")
    return sheet.worked(title, MALRAUX_MOST.source)


def letting(told: Told, sheet: Sheet) -> Worked:
    """The yearly reduction of Loc'Avantages on a year's rents, for the level that was told or for each."""
    title, rents = "Réduction d'impôt Loc'Avantages", told.one("rent_yearly")
    if not rents:
        sheet.ask("rent_yearly")
        return sheet.worked(title, LETTING_SOURCE)
    sheet.given("Loyers annuels hors charges", rents, "€/an")
    level, between = told.choice("level"), told.flag("intermediation")
    if level == "loc3" and not between:
        raise Nonsense("Le niveau Loc3 suppose une intermédiation locative.")
    through = "avec intermédiation" if between else "sans intermédiation"
    for name, rate in LETTING_RATES[bool(between)].items():
        if level in ("", name):
            _reduction(sheet, f"au niveau {LEVELS[name]} {through}", rate, rents, "€/an", "de loyers bruts par an")
    if between is None:
        sheet.assume("Intermédiation locative non indiquée : calculé sans elle.")
    return sheet.worked(title, LETTING_SOURCE)


def allowance(told: Told, sheet: Sheet) -> Worked:
    """What full years of holding take off a private seller's gain."""
    title, years = "Abattement pour durée de détention", told.one("holding_years")
    if years is None:
        sheet.ask("holding_years")
        return sheet.worked(title, GAIN_SOURCE)
    held = int(years)
    sheet.given("Durée de détention", held, "ans")
    tax = sheet.found("Abattement pour l'impôt sur le revenu", income_tax_allowance(held), "%",
                      f"6 % × {max(0, min(held, 21) - 5)}" + (" + 4 %" if held >= 22 else ""))  # fmt: skip
    levies = sheet.found("Abattement pour les prélèvements sociaux", social_allowance(held), "%",
                         f"1,65 % × {max(0, min(held, 21) - 5)}" + (" + 1,60 %" if held >= 22 else "")
                         + (f" + 9 % × {min(held, 30) - 22}" if held > 22 else ""))  # fmt: skip
    sheet.say(f"Abattement après {held} ans de détention : {percent(tax)} pour l'impôt sur le revenu et "
              f"{percent(levies)} pour les prélèvements sociaux.")  # fmt: skip
    return sheet.worked(title, GAIN_SOURCE)


def _reduction(sheet: Sheet, of: str, rate: float, base: float, unit: str, said: str) -> None:
    """One line: a share in per cent of a base in euros."""
    sheet.given(f"Taux de la réduction {of}", rate, "%")
    won = sheet.found(f"Réduction d'impôt {of}", base * rate / 100, unit, f"{percent(rate)} × {euros(base)}")
    yearly = " par an" if unit == "€/an" else ""
    sheet.say(f"Réduction d'impôt {of} : {euros(won)}{yearly}, soit {percent(rate)} de {euros(base)} {said}.")


def _area(value: float) -> str:
    return f"{value:g} m²".replace(".", ",")
