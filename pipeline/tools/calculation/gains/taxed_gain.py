"""The tax on a private seller's gain: allowances for holding, income tax, social levies and surtax."""

from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent, whole
from pipeline.tools.calculation.constants import GAIN_INCOME_TAX, GAIN_SOCIAL
from pipeline.tools.calculation.gains.holding import income_tax_allowance, social_allowance
from pipeline.tools.calculation.gains.surtax import Surtax, sentence, surtax
from pipeline.tools.calculation.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Gain:
    """Euros: gain before allowances (may be negative), the two taxable gains, the two taxes and the surtax; `years`
    are the full years of holding."""

    gross: float
    years: int
    ir_base: float
    ps_base: float
    ir: float
    ps: float
    surtax: Surtax

    @property
    def tax(self) -> float:
        return self.ir + self.ps + self.surtax.due


def taxed(gross: float, years: int) -> Gain:
    """Each allowance, then 19 % and 17.2 %, and the surtax (CGI 150 VC, 200 B, 1609 nonies G; CSS L136-7), in whole
    euros. A loss is neither taxed nor set off."""
    gain = max(0.0, gross)
    ir_base = cents(gain * (100 - income_tax_allowance(years)) / 100)
    ps_base = cents(gain * (100 - social_allowance(years)) / 100)
    ir, ps = whole(ir_base * GAIN_INCOME_TAX.value / 100), whole(ps_base * GAIN_SOCIAL.value / 100)
    return Gain(gross, years, ir_base, ps_base, ir, ps, surtax(ir_base))


def write_down(sheet: Sheet, gain: Gain) -> None:
    """The ledger, from the allowances down to the tax."""
    ir_off, ps_off, gross = income_tax_allowance(gain.years), social_allowance(gain.years), max(0.0, gain.gross)
    held = f"{gain.years} ans de détention : "
    sheet.found("Abattement pour l'impôt", ir_off, "%", held + "6 % par an de la 6e à la 21e année, 4 % la 22e")
    sheet.found("Abattement pour les prélèvements", ps_off, "%", held +
                "1,65 % par an de la 6e à la 21e année, 1,60 % la 22e, puis 9 % jusqu'à la 30e")  # fmt: skip
    sheet.found("Plus-value imposable à l'impôt", gain.ir_base, "€", f"{euros(gross)} × (100 % − {percent(ir_off)})")
    how = f"{euros(gross)} × (100 % − {percent(ps_off)})"
    sheet.found("Plus-value soumise aux prélèvements", gain.ps_base, "€", how)
    sheet.rule("Taux d'impôt", GAIN_INCOME_TAX)
    sheet.rule("Taux des prélèvements sociaux", GAIN_SOCIAL)
    how = f"{percent(GAIN_INCOME_TAX.value)} × {euros(gross)} × (100 % − {percent(ir_off)})"
    sheet.found("Impôt sur la plus-value", gain.ir, "€", how)
    how = f"{percent(GAIN_SOCIAL.value)} × {euros(gross)} × (100 % − {percent(ps_off)})"
    sheet.found("Prélèvements sociaux", gain.ps, "€", how)
    found = gain.surtax
    if found.due:
        sheet.found("Taux de la surtaxe", found.rate, "%", "barème de CGI 1609 nonies G")
        sheet.found("Lissage de la surtaxe", found.smoothing, "€", "barème de CGI 1609 nonies G")
        how = f"{euros(found.base)} × {percent(found.rate)} − {euros(found.smoothing)}"
        sheet.found("Surtaxe sur les plus-values élevées", found.due, "€", how)
    how = " + ".join(euros(part) for part in (gain.ir, gain.ps, *([found.due] if found.due else [])))
    sheet.found("Impôt et prélèvements", gain.tax, "€", how)


def tax_sentences(gain: Gain) -> tuple[str, ...]:
    """The total, then allowances, taxes, and the surtax when it is due."""
    if gain.gross <= 0:
        return ("Il n'y a pas de plus-value imposable ; la moins-value ne s'impute sur rien.",)
    with_surtax = ", surtaxe comprise" if gain.surtax.due else ""
    ir_off, ps_off = income_tax_allowance(gain.years), social_allowance(gain.years)
    plural = "ans" if gain.years > 1 else "an"
    said = [
        f"Impôt et prélèvements sur la plus-value : {euros(gain.tax)}{with_surtax}.",
        f"Après {gain.years} {plural} de détention, l'abattement est de {percent(ir_off)} pour l'impôt sur le revenu "
        f"et de {percent(ps_off)} pour les prélèvements sociaux.",
        f"Impôt : {euros(gain.ir)}, soit {percent(GAIN_INCOME_TAX.value)} de {euros(gain.ir_base)}.",
        f"Prélèvements sociaux : {euros(gain.ps)}, soit {percent(GAIN_SOCIAL.value)} de {euros(gain.ps_base)}.",
        sentence(gain.surtax),
    ]
    return tuple(filter(None, said))
