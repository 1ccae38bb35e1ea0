"""The tax on real-estate wealth (IFI): the scale, the main residence's discount and the relief near the threshold."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    WEALTH_FROM,
    WEALTH_HOME,
    WEALTH_RELIEF,
    WEALTH_RELIEF_SHARE,
    WEALTH_RELIEF_TO,
    WEALTH_SCALE,
    WEALTH_SOURCE,
    WEALTH_URL,
)
from pipeline.tools.calculation.scales import by_steps, steps_formula
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Impôt sur la fortune immobilière (IFI)"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["wealth_tax"]`: the wealth told, or homes added up. Gifts and the ceiling of 75 % of income are left
    out."""
    home = told.amount("main_home")
    wealth = _wealth(told, sheet, home)
    if wealth is None:
        sheet.ask("wealth")
        return sheet.worked(TITLE, WEALTH_SOURCE, WEALTH_URL)
    taxable = _without_discount(sheet, wealth, home)
    if taxable <= WEALTH_FROM.value:
        sheet.rule("Seuil", WEALTH_FROM)
        due = sheet.found("Montant de l'IFI", 0.0, "€", f"{euros(taxable)} ≤ {euros(WEALTH_FROM.value)}")
        sheet.lead(f"IFI : {euros(due)}, {euros(taxable)} ne dépassant pas le seuil de {euros(WEALTH_FROM.value)}.")
        return sheet.worked(TITLE, WEALTH_SOURCE, WEALTH_URL)
    gross = sheet.found("Barème de l'IFI", by_steps(taxable, WEALTH_SCALE), "€", steps_formula(taxable, WEALTH_SCALE))
    off = 0.0
    if taxable < WEALTH_RELIEF_TO:
        share = percent(WEALTH_RELIEF_SHARE.value)
        sheet.rule("Décote", WEALTH_RELIEF)
        sheet.given("Fin de la décote", WEALTH_RELIEF_TO, "€")
        off = sheet.found("Décote", WEALTH_RELIEF.value - taxable * WEALTH_RELIEF_SHARE.value / 100, "€",
                          f"{euros(WEALTH_RELIEF.value)} − {euros(taxable)} × {share}")  # fmt: skip
        sheet.say(f"Décote : {euros(off)}, jusqu'à {euros(WEALTH_RELIEF_TO)}.")
    due = sheet.found(
        "Montant de l'IFI",
        cents(gross - off),
        "€",
        f"{euros(gross)} − {euros(off)}" if off else steps_formula(taxable, WEALTH_SCALE),
    )
    sheet.rule("Seuil", WEALTH_FROM)
    over = f"au-dessus du seuil de {euros(WEALTH_FROM.value)}"
    sheet.lead(f"IFI : {euros(due)} pour un patrimoine immobilier net taxable de {euros(taxable)}, {over}.")
    known = "Dettes déductibles en entier" if told.all("debts") else "Dettes déjà déduites"
    sheet.assume(f"{known} ; dons et plafonnement selon les revenus non comptés.")
    return sheet.worked(TITLE, WEALTH_SOURCE, WEALTH_URL)


def _wealth(told: Told, sheet: Sheet, home: float) -> float | None:
    """The net wealth told, the main home in it; or the homes, one by one, less the debts."""
    wealth, debts = told.one("wealth"), told.all("debts")
    if wealth is not None and not debts:
        sheet.given("Patrimoine immobilier net", wealth, "€")
        return wealth
    parts = [wealth] if wealth is not None else [*([home] if home else []), *told.all("assets")]
    if not parts:
        return None
    for part in parts:
        sheet.given("Bien immobilier", part, "€")
    for debt in debts:
        sheet.given("Dettes immobilières", debt, "€")
    how = " + ".join(euros(part) for part in parts) + "".join(f" − {euros(debt)}" for debt in debts)
    return sheet.found("Patrimoine immobilier net", max(0.0, cents(sum(parts) - sum(debts))), "€", how)


def _without_discount(sheet: Sheet, wealth: float, home: float) -> float:
    """30 % off the main residence, where its value was told."""
    if not home:
        sheet.assume(
            "Aucun abattement de résidence principale n'est compté : donnez sa valeur si le patrimoine en contient une."
        )
        return wealth
    sheet.given("Valeur de la résidence principale", home, "€")
    sheet.rule("Abattement sur la résidence principale", WEALTH_HOME)
    off = cents(home * WEALTH_HOME.value / 100)
    return sheet.found(
        "Patrimoine taxable", wealth - off, "€", f"{euros(wealth)} − {euros(home)} × {percent(WEALTH_HOME.value)}"
    )
