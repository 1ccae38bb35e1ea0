"""The most that a bank may ask when a loan is repaid before its end."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import EARLY_MONTHS, EARLY_SHARE, EARLY_SOURCE
from pipeline.tools.calculation.loans.amortisation import Loan
from pipeline.tools.calculation.loans.loan_cases import owed_formula
from pipeline.tools.calculation.sheet import Sheet, term
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Indemnité de remboursement anticipé"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["early_repayment"]`: of the capital told, or of what is left of the loan after some instalments."""
    capital, rate = told.one("loan_amount"), told.one("rate")
    if capital is None or rate is None:
        sheet.ask(*(name for name in ("loan_amount", "rate") if name not in told))
        return sheet.worked(TITLE, EARLY_SOURCE)
    sheet.given("Taux du prêt", rate, "%")
    months, after = told.one("months"), told.one("after_months")
    if months is not None and after is not None:
        sheet.given("Capital emprunté", capital, "€")
        term(sheet, "Mensualités payées", after)
        loan = Loan(capital, rate, int(months))
        left = sheet.found("Capital restant dû", loan.remaining(int(after)), "€", owed_formula(loan, int(after)))
        sheet.say(f"Capital restant dû : {euros(left)}.")
        capital = left
    else:
        sheet.given("Capital restant dû", capital, "€")
        sheet.assume(f"Le montant de {euros(capital)} est pris pour le capital restant dû.")
    sheet.rule("Mois d'intérêts", EARLY_MONTHS)
    sheet.rule("Part du capital", EARLY_SHARE)
    half = sheet.found(
        "Six mois d'intérêts", capital * rate / 100 / 2, "€", f"{euros(capital)} × {percent(rate)} × 6 / 12"
    )
    most = sheet.found("Plafond de l'indemnité", capital * EARLY_SHARE.value / 100, "€",
                       f"{percent(EARLY_SHARE.value)} × {euros(capital)}")  # fmt: skip
    due = cents(min(half, most))
    sheet.found("Indemnité au plus", due, "€", f"le plus petit de {euros(capital)} × {percent(rate)} × 6 / 12 et de "
                f"{percent(EARLY_SHARE.value)} × {euros(capital)}")  # fmt: skip
    sheet.lead(f"Indemnité au plus : {euros(due)} pour rembourser {euros(capital)} par anticipation.")
    sheet.say(
        "L'indemnité n'est pas due après une mutation, un décès ou une perte d'emploi ; l'offre peut prévoir moins."
    )
    return sheet.worked(TITLE, EARLY_SOURCE)
