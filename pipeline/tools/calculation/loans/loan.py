"""A loan: instalment, cost, what is still owed, what a monthly budget affords; several rates and terms side by side."""

from itertools import product

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import LONGEST, LONGEST_DEFERRED, OLD_HOME_FEES
from pipeline.tools.calculation.loans.amortisation import Loan, affordable, months_needed, rate_for
from pipeline.tools.calculation.loans.loan_cases import Case, instalment_formula, named, say_cases
from pipeline.tools.calculation.loans.loan_years import of_cases
from pipeline.tools.calculation.loans.purchase_budget import budgets_of
from pipeline.tools.calculation.purchase.acquisition import Acquisition, acquisition, to_borrow
from pipeline.tools.calculation.sheet import Sheet, duration, each, term
from pipeline.tools.calculation.values import Nonsense, Told, Worked

SOURCE = "calcul actuariel usuel"
USUAL_TERMS = (180.0, 240.0, 300.0)
"""Months: the durations that are set side by side when none was told."""


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["loan"]`. Insurance is counted on the initial capital. Raises `Nonsense`."""
    title = "Prêt in fine" if told.flag("in_fine") else "Prêt amortissable"
    bought = acquisition(told, sheet)
    capital, cap = to_borrow(told, sheet, bought), told.one("monthly_cap")
    sheet.given("Mensualité à ne pas dépasser", cap, "€/mois")
    if not told.all("rate") and capital is not None and "insurance_rate" in told and "insurance_monthly" not in told:
        _insurance_alone(told, sheet, capital)
        return sheet.worked("Assurance de prêt", SOURCE)
    terms, paid = told.all("months"), cap or told.one("claimed")
    if not told.all("rate") and capital is not None and paid is not None and len(terms) == 1:
        _rate(told, sheet, capital, paid)
        return sheet.worked("Taux d'un prêt", SOURCE)
    if not told.all("rate"):
        absent = tuple(name for name in ("loan_amount", "rate", "months") if _absent(name, told, capital, cap))
        sheet.ask(*absent)
        if capital is not None and "loan_amount" not in told:
            sheet.say(f"Capital à emprunter : {euros(capital)}.")
        return sheet.worked(title, SOURCE)
    if capital is None and cap is None:
        sheet.ask("loan_amount", *(() if told.all("months") else ("months",)))
    elif capital is None:
        _affordable(told, sheet, cap or 0.0)
    elif cap is not None and not told.all("months"):
        _needed(told, sheet, capital, cap)
    else:
        _side_by_side(told, sheet, capital, bought)
    _longest(told, sheet)
    return sheet.worked(title, SOURCE)


def _absent(name: str, told: Told, capital: float | None, cap: float | None) -> bool:
    if name == "loan_amount":
        return capital is None and cap is None
    return name not in told and not (name == "months" and capital is not None and cap is not None)


def _terms(told: Told, sheet: Sheet) -> tuple[float, ...]:
    """The terms told, else the usual ones, which are then said and asked for."""
    found = told.all("months")
    if not found:
        sheet.assume(
            "Durée non indiquée : 15, 20 et 25 ans comparés, durées courantes, 25 ans étant le plafond du HCSF."
        )
        sheet.ask("months")
    for months in found or USUAL_TERMS:
        term(sheet, "Durée du prêt", months)
    return found or USUAL_TERMS


def _rates(told: Told, sheet: Sheet) -> tuple[float, ...]:
    for rate in told.all("rate"):
        sheet.given("Taux du prêt", rate, "%")
    return told.all("rate")


def insurance_of(told: Told, sheet: Sheet, capital: float) -> float:
    """Euros a month: the amount told, else the yearly rate on the initial capital, else none, which is said."""
    monthly, rate = told.one("insurance_monthly") if told.kind == "loan" else None, told.one("insurance_rate")
    if monthly is not None:
        sheet.given("Assurance mensuelle", monthly, "€/mois")
        return monthly
    if rate is None:
        sheet.assume("Assurance du prêt non indiquée : comptée pour zéro.")
        return 0.0
    sheet.given("Taux d'assurance sur le capital initial", rate, "%")
    return cents(capital * rate / 1200)


def _insurance_alone(told: Told, sheet: Sheet, capital: float) -> None:
    """What the insurance costs, where the loan's own rate was not told."""
    rate = told.amount("insurance_rate")
    monthly = insurance_of(told, sheet, capital)
    yearly = sheet.found("Assurance par an", capital * rate / 100, "€/an", f"{euros(capital)} × {percent(rate)}")
    sheet.found("Assurance mensuelle", monthly, "€/mois", f"{euros(yearly)} / 12")
    sheet.say(
        f"Assurance du prêt : {euros(monthly)} par mois, soit {euros(yearly)} par an, {percent(rate)} du capital "
        "initial."
    )
    months = told.one("months")
    if months is not None:
        term(sheet, "Durée du prêt", months)
        whole = sheet.found("Coût total de l'assurance", monthly * months, "€", f"{euros(monthly)} × {months:.0f}")
        total = f"Coût total de l'assurance : {euros(whole)} sur {duration(months)}."
        (sheet.lead if told.choice("wanted") in ("cost", "insurance") else sheet.say)(total)
    sheet.ask("rate")


def _side_by_side(told: Told, sheet: Sheet, capital: float, bought: Acquisition | None) -> None:
    rates, terms = _rates(told, sheet), _terms(told, sheet)
    insurance, in_fine = insurance_of(told, sheet, capital), told.flag("in_fine") is True
    defer = int(told.amount("defer"))
    if defer:
        term(sheet, "Différé d'amortissement", defer)
        sheet.assume("Différé partiel supposé : intérêts payés pendant le différé, compris dans la durée du prêt.")
    if defer >= min(terms) or (defer and in_fine):
        raise Nonsense("Le différé doit être plus court que le prêt, et ne concerne pas un prêt in fine.")
    cases = [
        Case(named(rate, months, several=len(rates) * len(terms) > 1),
             Loan(capital, rate, int(months), insurance, in_fine, defer))
        for rate, months in product(rates, terms)
    ]  # fmt: skip
    say_cases(told, sheet, cases)
    sheet.schedules.extend(of_cases(cases))
    if bought is not None and bought.usual_fees and "loan_amount" not in told:
        _with_fees(sheet, cases[0].loan, bought)


def _with_fees(sheet: Sheet, loan: Loan, bought: Acquisition) -> None:
    """Nobody said who pays the fees: the literal reading stands, the other is shown beside it."""
    fees, usual = bought.usual_fees, OLD_HOME_FEES
    sheet.rule("Frais d'acquisition supposés", usual)
    sheet.found("Frais d'acquisition estimés", fees, "€", f"{percent(usual.value)} × {euros(bought.price or 0.0)}")
    more = Loan(cents(loan.capital + fees), loan.rate, loan.months, in_fine=loan.in_fine, defer=loan.defer)
    sheet.found("Capital emprunté, frais compris", more.capital, "€", f"{euros(loan.capital)} + {euros(fees)}")
    paid = sheet.found(
        "Mensualité hors assurance, frais empruntés", more.instalment, "€/mois", instalment_formula(more)
    )
    sheet.assume(
        f"Frais d'acquisition non indiqués, supposés payés à part ; s'ils sont empruntés aussi, à "
        f"{percent(usual.value)} du prix soit {euros(fees)} ({usual.source}, à vérifier), le capital est de "
        f"{euros(more.capital)} et la mensualité hors assurance de {euros(paid)}."
    )
    sheet.ask("fees_amount", asked="Les frais d'acquisition sont-ils payés à part ou compris dans le prêt ?")


def _affordable(told: Told, sheet: Sheet, cap: float) -> None:
    """The capital whose instalment, insurance included, is the budget told."""
    rates, terms = _rates(told, sheet), _terms(told, sheet)
    insurance, monthly = told.amount("insurance_rate"), told.amount("insurance_monthly")
    if told.flag("in_fine"):
        raise Nonsense("Pour un prêt in fine, donnez le montant emprunté : la mensualité ne rembourse pas le capital.")
    if monthly >= cap:
        raise Nonsense("L'assurance dépasse la mensualité à ne pas dépasser : vérifiez les montants.")
    sheet.given("Taux d'assurance sur le capital initial", insurance or None, "%")
    sheet.given("Assurance mensuelle", monthly or None, "€/mois")
    if not insurance and not monthly:
        sheet.assume("Assurance du prêt non indiquée : comptée pour zéro.")
    found = []
    for rate, months in product(rates, terms):
        name = named(rate, months, several=len(rates) * len(terms) > 1)
        most = affordable(instalment=cap - monthly, annual_rate=rate, months=int(months), insurance_rate=insurance)
        sheet.found(f"Capital empruntable{name}", most, "€", affordable_formula(cap - monthly, rate, months, insurance))
        found.append((name or f" à {percent(rate)} sur {duration(months)}", most))
    covered = ", assurance comprise" if insurance or monthly else ""
    sheet.say(f"Capital empruntable pour {euros(cap)} par mois{covered} : {each(found)}.")
    budgets_of(told, sheet, found)
    if told.amount("defer"):
        sheet.assume("Différé non compté dans ce calcul : la capacité est celle d'un prêt sans différé.")
    if len(found) > 1:
        sheet.table = (("Cas", "Capital empruntable"), *((name.strip(), euros(most)) for name, most in found))


def affordable_formula(paid: float, rate: float, months: float, insurance: float) -> str:
    """The instalment turned round, with its numbers; `insurance` in percent a year of the initial capital."""
    part = f"i / (1 − (1 + i)^−{months:.0f})" if rate else f"1 / {months:.0f}"
    more = f" + {percent(insurance)} / 12" if insurance else ""
    return f"{euros(paid)} / ({part}{more})" + (f", i = {percent(rate)} / 12" if rate else "")


def _needed(told: Told, sheet: Sheet, capital: float, cap: float) -> None:
    """The duration in which the budget told repays the capital."""
    insurance = insurance_of(told, sheet, capital)
    if insurance >= cap or told.flag("in_fine"):
        raise Nonsense("Cette mensualité ne rembourse pas le capital : vérifiez les montants.")
    for rate in _rates(told, sheet):
        name = f" à {percent(rate)}"
        first = Loan(capital, rate, 480).interest_only
        found = months_needed(principal=capital, instalment=cap - insurance, annual_rate=rate)
        if found is None:
            sheet.found(f"Intérêts du premier mois{name}", first, "€", f"{euros(capital)} × {percent(rate)} / 12")
            sheet.say(
                f"Avec {euros(cap)} par mois, le prêt de {euros(capital)}{name} n'est jamais remboursé : les intérêts "
                f"du premier mois sont déjà de {euros(first)}."
            )
            continue
        sheet.found(
            f"Durée nécessaire{name}",
            found,
            "mois",
            "−ln(1 − capital × i / mensualité) / ln(1 + i) : "
            f"capital {euros(capital)}, mensualité hors assurance {euros(cap - insurance)}, i = {percent(rate)} / 12",
        )
        whole = f", soit {duration(found)}"
        if found % 12:
            years = sheet.found(f"Durée nécessaire en années{name}", found / 12, "ans", f"{found} / 12")
            whole = f", soit environ {years:g} ans".replace(".", ",")
        else:
            term(sheet, "Durée nécessaire", found)
        sheet.say(
            f"Durée nécessaire : {found} mois{whole}, pour rembourser {euros(capital)}{name} avec {euros(cap)} par "
            "mois."
        )


def _rate(told: Told, sheet: Sheet, capital: float, paid: float) -> None:
    """The rate at which the instalment told repays the capital in the time told. Raises `Nonsense`."""
    months, insurance = told.amount("months"), insurance_of(told, sheet, capital)
    found = rate_for(principal=capital, instalment=paid - insurance, months=int(months)) if paid > insurance else None
    if found is None:
        raise Nonsense("Aucun taux courant ne donne cette mensualité : vérifiez le montant, la mensualité et la durée.")
    sheet.given("Mensualité indiquée", paid, "€/mois")
    term(sheet, "Durée du prêt", months)
    how = f"taux dont la mensualité de {euros(capital)} sur {months:.0f} mois est de {euros(paid - insurance)}"
    rate = sheet.found("Taux nominal du prêt", found, "%", how)
    sheet.say(
        f"Taux nominal du prêt : environ {percent(rate)} hors assurance, pour {euros(capital)} remboursés par "
        f"{euros(paid)} par mois sur {duration(months)}."
    )
    sheet.assume("Le TAEG, frais de dossier et de garantie compris, est plus élevé.")


def _longest(told: Told, sheet: Sheet) -> None:
    if any(months > LONGEST.value * 12 for months in told.all("months")) and sheet.results:
        sheet.rule("Durée maximale", LONGEST)
        sheet.rule("Durée maximale avec différé", LONGEST_DEFERRED)
        sheet.say(
            f"La durée dépasse le plafond de {duration(LONGEST.value * 12)} du HCSF, "
            f"{duration(LONGEST_DEFERRED.value * 12)} avec différé."
        )
