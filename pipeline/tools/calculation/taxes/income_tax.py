"""Income tax of a household by the scale in force: bracket, tax, family quotient and relief of low taxes."""

from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent, whole
from pipeline.tools.calculation.constants import (
    HALF_PART_CEILING,
    INCOME_SCALE,
    RELIEF_COUPLE,
    RELIEF_SHARE,
    RELIEF_SINGLE,
)
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told


@dataclass(frozen=True, slots=True)
class IncomeTax:
    """`marginal`: percent; `gross`: euros of the scale after the ceiling of the half-parts; `relief`: taken off it;
    `due`: whole euros; `capped`: the ceiling of the half-parts holds."""

    marginal: float
    gross: float
    relief: float
    due: float
    capped: bool


def income_tax(income: float, parts: float) -> IncomeTax:
    """CGI 197, I: the scale on income / parts, times parts; each half-part beyond 1 (2 from two parts on, a couple)
    brings at most 1,807 euros; relief of 897 or 1,483 euros less 45.25 % of the tax. No reduction nor credit."""
    own = 2.0 if parts >= 2 else 1.0
    plain = _scale(income, own)
    least = plain - HALF_PART_CEILING.value * 2 * (parts - own)
    gross, capped = _scale(income, parts), False
    if least > gross:
        gross, capped = least, True
    relief = RELIEF_COUPLE if own == 2 else RELIEF_SINGLE
    off = max(0.0, min(gross, relief.value - gross * RELIEF_SHARE.value / 100))
    return IncomeTax(bracket(income / (own if capped else parts)), cents(gross), cents(off), whole(gross - off), capped)


def bracket(quotient: float) -> float:
    """Percent on the last euro of an income a part."""
    return next(rate for end, rate in INCOME_SCALE if quotient <= end)


def _scale(income: float, parts: float) -> float:
    quotient, start, tax = income / parts, 0.0, 0.0
    for end, rate in INCOME_SCALE:
        tax += max(0.0, min(quotient, end) - start) * rate / 100
        start = end
    return tax * parts


def household(told: Told, sheet: Sheet) -> float | None:
    """The marginal rate: the one told, else the household's, whose tax is then worked out; None without either."""
    rate, income = told.one("tmi"), told.one("income_yearly")
    if income is not None:
        parts = told.one("parts") or 1.0
        sheet.given("Revenu net imposable", income, "€/an")
        sheet.given("Nombre de parts", parts, "parts")
        sheet.given("Nombre de parts", parts, "")
        if "parts" not in told:
            sheet.assume("Nombre de parts non indiqué : une seule part supposée.")
            sheet.ask("parts")
        elif parts >= 2:
            sheet.assume("À partir de deux parts, un couple à imposition commune est supposé.")
        rate = _written(sheet, income, parts, tax_first=told.choice("wanted") == "tax") if rate is None else rate
    if rate is not None:
        sheet.given("Tranche marginale", rate, "%")
    return rate


def _written(sheet: Sheet, income: float, parts: float, *, tax_first: bool) -> float:
    found = income_tax(income, parts)
    each = cents(income / parts)
    how = f"{euros(income)} / {parts:g} = {euros(each)} par part, barème des revenus 2025".replace(".", ",")
    sheet.found("Quotient par part", each, "€", f"{euros(income)} / {parts:g}".replace(".", ","))
    sheet.found("Tranche marginale d'imposition", found.marginal, "%", how)
    start, pieces = 0.0, []
    for end, rate in INCOME_SCALE:
        if rate and each > start:
            pieces.append(f"{percent(rate)} × ({euros(min(each, end))} − {euros(start)})")
        start = end
    how = f"{parts:g}".replace(".", ",") + f" × ({' + '.join(pieces) or euros(0)})"
    if found.capped:
        sheet.rule("Plafond par demi-part", HALF_PART_CEILING)
        how = f"impôt sans les demi-parts − {euros(HALF_PART_CEILING.value)} par demi-part"
    sheet.found("Impôt du barème", found.gross, "€/an", how)
    less = ""
    if found.relief:
        sheet.found("Décote", found.relief, "€/an", "CGI 197, I, 4 : "
                    f"{euros(found.relief + found.gross * RELIEF_SHARE.value / 100)} − "
                    f"{percent(RELIEF_SHARE.value)} × {euros(found.gross)}")  # fmt: skip
        less = f", décote de {euros(found.relief)} déduite"
    sheet.found("Impôt sur le revenu", found.due, "€/an", f"{euros(found.gross)} − {euros(found.relief)}")
    written = f"{parts:g}".replace(".", ",")
    sheet.say(
        f"Tranche marginale d'imposition : {percent(found.marginal)}, pour {euros(income)} de revenu net imposable et "
        f"{written} part{'s' if parts >= 2 else ''}.",
    )
    (sheet.lead if tax_first else sheet.say)(
        f"Impôt sur le revenu : {euros(found.due)} par an{less}, avant réductions et crédits d'impôt.",
    )
    sheet.assume("Barème des revenus 2025 ; celui des revenus 2026 n'est pas encore voté, à vérifier.")
    return found.marginal
