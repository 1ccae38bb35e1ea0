"""What a let leaves each month once the loan is paid, before and after tax."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import BARE_SOCIAL, FURNISHED_SOCIAL, MICRO_FURNISHED
from pipeline.tools.calculation.letting.rents import Rents
from pipeline.tools.calculation.loans.amortisation import Loan
from pipeline.tools.calculation.loans.loan import insurance_of
from pipeline.tools.calculation.loans.loan_cases import instalment_formula
from pipeline.tools.calculation.purchase.acquisition import Acquisition, to_borrow
from pipeline.tools.calculation.sheet import Sheet, duration, signed, term
from pipeline.tools.calculation.values import Told

_FINANCED = ("monthly_payment", "loan_amount", "down_payment", "rate", "months")


def cash_flow(told: Told, sheet: Sheet, bought: Acquisition | None, rents: Rents) -> str:
    """The sentence of the monthly cash flow; empty when no loan is spoken of, or when a term of it is still missing,
    which is then asked for."""
    if not any(name in told for name in _FINANCED) and told.choice("wanted") != "cash_flow":
        return ""
    paid, interest = _instalment(told, sheet, bought)
    if paid is None:
        return ""
    flow = sheet.found("Cash-flow mensuel avant impôt", rents.net / 12 - paid, "€/mois",
                       f"{euros(rents.net)} / 12 − {euros(paid)}")  # fmt: skip
    sign = "excédent" if flow >= 0 else "effort d'épargne"
    said = (
        f"Cash-flow mensuel avant impôt : {signed(flow)}, un {sign}, soit {euros(rents.net)} de loyers nets par an "
        f"ramenés au mois, moins {euros(paid)} de mensualité"
    )
    if "tmi" not in told:
        return f"{said}."
    tax = _tax(told, sheet, rents, interest)
    after = sheet.found(
        "Cash-flow mensuel après impôt", flow - tax / 12, "€/mois", f"{signed(flow)} − {euros(tax)} / 12"
    )
    return f"{said} ; après {euros(tax)} d'impôt et de prélèvements par an, {signed(after)} par mois."


def _instalment(told: Told, sheet: Sheet, bought: Acquisition | None) -> tuple[float | None, float]:
    """Euros a month with insurance, and the interest of the first year when it is known."""
    paid = told.one("monthly_payment")
    if paid is not None:
        sheet.given("Mensualité du prêt, assurance comprise", paid, "€/mois")
        return paid, 0.0
    rate, months = told.one("rate"), told.one("months")
    if rate is None or months is None:
        absent = tuple(name for name in ("rate", "months") if name not in told)
        sheet.ask(*(("monthly_payment", *absent) if len(absent) == 2 else absent))
        return None, 0.0
    capital = to_borrow(told, sheet, bought) or 0.0
    sheet.given("Taux du prêt", rate, "%")
    term(sheet, "Durée du prêt", months)
    loan = Loan(capital, rate, int(months), insurance_of(told, sheet, capital))
    sheet.found("Mensualité hors assurance", loan.instalment, "€/mois", instalment_formula(loan))
    total = cents(loan.instalment + loan.insurance)
    if loan.insurance:
        how = f"{euros(loan.instalment)} + {euros(loan.insurance)}"
        sheet.found("Mensualité assurance comprise", total, "€/mois", how)
    sheet.say(f"Mensualité du prêt : {euros(total)}, pour {euros(capital)} à {percent(rate)} sur {duration(months)}.")
    return total, cents(loan.interest_paid(12) + 12 * loan.insurance)


def _tax(told: Told, sheet: Sheet, rents: Rents, interest: float) -> float:
    """Of the first year: bare lets deduct the interest (CGI 31), furnished ones take the allowance of the micro."""
    rate = told.amount("tmi")
    if told.flag("furnished"):
        collected, social = cents(rents.yearly - rents.vacancy), FURNISHED_SOCIAL.value
        base = cents(collected * (100 - MICRO_FURNISHED.value) / 100)
        how = f"{euros(collected)} × (100 % − {percent(MICRO_FURNISHED.value)})"
    else:
        base, social = max(0.0, cents(rents.net - interest)), BARE_SOCIAL.value
        how = f"{euros(rents.net)} − {euros(interest)} d'intérêts et d'assurance du prêt la première année"
    sheet.found("Revenu imposable avec le prêt", base, "€/an", how)
    return sheet.found("Impôt et prélèvements avec le prêt", base * (rate + social) / 100, "€/an",
                       f"{euros(base)} × ({percent(rate)} + {percent(social)})")  # fmt: skip
