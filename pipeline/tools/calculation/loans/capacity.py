"""What a household can borrow within the rule of the HCSF, or what share of its income an instalment takes."""

from itertools import product

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    DEBT_RATIO,
    HCSF,
    HCSF_URL,
    LEFT_TO_LIVE,
    LONGEST,
    RENT_WEIGHT,
)
from pipeline.tools.calculation.loans.amortisation import Loan, affordable
from pipeline.tools.calculation.loans.loan import affordable_formula
from pipeline.tools.calculation.loans.loan_cases import instalment_formula, named
from pipeline.tools.calculation.loans.purchase_budget import budgets_of
from pipeline.tools.calculation.sheet import Sheet, duration, each, signed, term
from pipeline.tools.calculation.values import Nonsense, Told, Worked, share

USUAL_TERMS = (240.0, 300.0)


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["capacity"]`. The ceiling is 35 % of income, insurance included. Raises `Nonsense`."""
    wished = "monthly_payment" in told or "loan_amount" in told
    title = "Taux d'effort (HCSF)" if wished else "Capacité d'emprunt (HCSF)"
    if told.choice("wanted") == "income":
        return _needed(told, sheet)
    income = _income(told, sheet)
    if not income:
        sheet.ask("income_monthly", *(name for name in ("rate", "months") if not wished and name not in told))
        return sheet.worked(title, HCSF, HCSF_URL)
    debts = _debts(told, sheet)
    sheet.rule("Plafond du taux d'effort", DEBT_RATIO)
    if wished or told.choice("wanted") in ("ratio", "left"):
        _effort(told, sheet, income, debts)
    else:
        _borrowable(told, sheet, income, debts)
    if sheet.sentences:
        sheet.say("Une banque peut déroger à ce plafond pour une part limitée de ses prêts.")
    return sheet.worked(title, HCSF, HCSF_URL)


def _needed(told: Told, sheet: Sheet) -> Worked:
    """The income of which all instalments take the ceiling."""
    title = "Revenu nécessaire (HCSF)"
    debts, wish = _debts(told, sheet), _wished(told, sheet)
    if not wish:  # what is paid already is no instalment of what is wished
        sheet.ask(*(() if wish is None else ("monthly_payment",)))
        return sheet.worked(title, HCSF, HCSF_URL)
    sheet.rule("Plafond du taux d'effort", DEBT_RATIO)
    most = DEBT_RATIO.value
    paid = sheet.found("Mensualités totales", wish + debts, "€/mois", f"{euros(wish)} + {euros(debts)}")
    income = sheet.found(
        "Revenu mensuel nécessaire", cents(paid * 100 / most), "€/mois", f"{euros(paid)} / {percent(most)}"
    )
    sheet.lead(
        f"Revenu mensuel nécessaire : {euros(income)}, pour que {euros(paid)} de mensualités en prennent "
        f"{percent(most)}, le plafond du HCSF."
    )
    return sheet.worked(title, HCSF, HCSF_URL)


def _income(told: Told, sheet: Sheet) -> float | None:
    """Incomes and the share of the rents that banks count."""
    incomes, rents = told.all("income_monthly"), told.one("rent_monthly")
    for income in incomes:
        sheet.given("Revenu mensuel", income, "€/mois")
    parts = [*incomes]
    how = [euros(income) for income in incomes]
    if rents:
        for rent in told.all("rent_monthly"):
            sheet.given("Loyer mensuel perçu", rent, "€/mois")
        weight = told.one("rent_weight")
        if weight is None:
            weight = RENT_WEIGHT.value
            sheet.assume(f"Loyers retenus à {percent(weight)}, {RENT_WEIGHT.source}, à vérifier auprès de la banque.")
        sheet.given("Part des loyers retenue", weight, "%")
        counted = f"{percent(weight)} × {euros(rents)}"
        parts.append(sheet.found("Loyers retenus", rents * weight / 100, "€/mois", counted))
        how.append(counted)
    total = cents(sum(parts))
    if not incomes or not total:
        return None
    if len(parts) > 1:
        sheet.found("Revenus retenus", total, "€/mois", " + ".join(how))
    return total


def _debts(told: Told, sheet: Sheet) -> float:
    debts = told.all("debts_monthly")
    for debt in debts:
        sheet.given("Mensualités et charges en cours", debt, "€/mois")
    if not debts:
        sheet.assume("Aucune autre mensualité indiquée : charges de crédit en cours comptées pour zéro.")
    if len(debts) > 1:
        sheet.found("Total des mensualités en cours", sum(debts), "€/mois", " + ".join(euros(debt) for debt in debts))
    return told.amount("debts_monthly")


def _effort(told: Told, sheet: Sheet, income: float, debts: float) -> None:
    """The ratio of the instalment wished, or of the loan wished, with what is already paid."""
    wish = _wished(told, sheet)
    if wish is None:
        return
    paid = cents(wish + debts)
    if not paid and not told.all("monthly_payment") and not told.all("debts_monthly"):
        sheet.ask("monthly_payment")
        return
    how = f"({euros(wish)} + {euros(debts)}) / {euros(income)}" if debts else f"{euros(wish)} / {euros(income)}"
    ratio = share(paid, income)
    if ratio > 1_000:
        raise Nonsense("Les mensualités dépassent dix fois le revenu : vérifiez les montants.")
    sheet.found("Mensualités totales", paid, "€/mois", f"{euros(wish)} + {euros(debts)}")
    sheet.found("Taux d'effort", ratio, "%", how)
    most = DEBT_RATIO.value
    room = cents(income * most / 100 - paid)
    held = paid * 100 <= income * most
    left = sheet.found("Marge de mensualité" if held else "Dépassement de mensualité", abs(room), "€/mois",
                       f"{percent(most)} × {euros(income)} − {euros(paid)}")  # fmt: skip
    verdict = (
        f"il respecte le plafond de {percent(most)} du HCSF, avec une marge de {euros(left)} par mois"
        if held
        else f"il dépasse le plafond de {percent(most)} du HCSF, de {euros(left)} par mois"
    )
    alive = sheet.found("Reste à vivre", income - paid, "€/mois", f"{euros(income)} − {euros(paid)}")
    remains = f"Reste à vivre : {signed(alive)} par mois, revenus moins mensualités."
    if told.choice("wanted") == "left":
        sheet.assume(f"Reste à vivre : {LEFT_TO_LIVE}.")
    sheet.say(remains)
    sheet.lead(
        f"Taux d'effort : {percent(ratio, digits=2)}, soit {euros(paid)} de mensualités pour {euros(income)} de "
        f"revenus mensuels ; {verdict}."
    )
    if told.choice("wanted") == "left":
        sheet.sentences.remove(remains)
        sheet.lead(remains)


def _wished(told: Told, sheet: Sheet) -> float | None:
    paid = told.one("monthly_payment")
    if paid is not None:
        sheet.given("Mensualité voulue", paid, "€/mois")
        insured = told.amount("insurance_monthly")
        if not insured:
            return paid
        sheet.given("Assurance mensuelle du prêt", insured, "€/mois")
        return sheet.found(
            "Mensualité, assurance comprise", paid + insured, "€/mois", f"{euros(paid)} + {euros(insured)}"
        )
    capital = told.one("loan_amount")
    if capital is None:
        return 0.0
    sheet.given("Montant du prêt souhaité", capital, "€")
    rates, terms = told.all("rate"), told.all("months")
    if not rates or not terms:
        sheet.ask(*(name for name, there in (("rate", rates), ("months", terms)) if not there))
        return None
    if len(rates) > 1 or len(terms) > 1:
        raise Nonsense("Pour le taux d'effort d'un prêt, donnez un seul taux et une seule durée à la fois.")
    insurance = told.one("insurance_rate")
    _loan_terms(told, sheet, insurance)
    insured = told.amount("insurance_monthly")
    sheet.given("Assurance mensuelle du prêt", insured or None, "€/mois")
    loan = Loan(capital, rates[0], int(terms[0]), cents(capital * (insurance or 0.0) / 1200) or insured)
    term(sheet, "Durée du prêt", terms[0])
    sheet.found("Mensualité hors assurance", loan.instalment, "€/mois", instalment_formula(loan))
    total = sheet.found("Mensualité du prêt", loan.instalment + loan.insurance, "€/mois",
                        f"{euros(loan.instalment)} + {euros(loan.insurance)} d'assurance")  # fmt: skip
    sheet.say(
        f"Mensualité du prêt : {euros(total)}, pour {euros(capital)}{named(loan.rate, loan.months, several=True)}."
    )
    return total


def _loan_terms(told: Told, sheet: Sheet, insurance: float | None) -> None:
    for rate in told.all("rate"):
        sheet.given("Taux du prêt", rate, "%")
    sheet.given("Taux d'assurance sur le capital initial", insurance, "%")
    if insurance is None and "insurance_monthly" not in told:
        sheet.assume("Assurance du prêt non indiquée : comptée pour zéro, alors que le plafond du HCSF la comprend.")


def _borrowable(told: Told, sheet: Sheet, income: float, debts: float) -> None:
    most = DEBT_RATIO.value
    paid = told.amount("insurance_monthly")
    sheet.given("Assurance mensuelle du prêt", paid or None, "€/mois")
    how = f"{percent(most)} × {euros(income)} − {euros(debts)}"
    room = cents(income * most / 100 - debts)
    less = f" moins {euros(debts)} de mensualités en cours" if debts else ""
    if 0 < room <= paid:
        raise Nonsense("L'assurance prend toute la mensualité possible : vérifiez les montants.")
    if room <= 0:
        over = sheet.found("Dépassement de mensualité", -room, "€/mois", how)
        sheet.say(
            f"Aucune marge pour un nouveau prêt : {percent(most)} de {euros(income)} de revenus{less} donne un "
            f"dépassement de {euros(over)} par mois."
        )
        return
    sheet.found("Mensualité possible", room, "€/mois", how)
    ceiling = f"{percent(most)} de {euros(income)} de revenus mensuels{less}"
    if not told.all("rate"):
        sheet.say(f"Mensualité possible : {euros(room)} par mois, assurance comprise ({ceiling}).")
        sheet.ask("rate", *(() if told.all("months") else ("months",)))
        return
    _capitals(told, sheet, room, ceiling)


def _capitals(told: Told, sheet: Sheet, room: float, ceiling: str) -> None:
    insurance, rates, terms = told.one("insurance_rate"), told.all("rate"), told.all("months")
    _loan_terms(told, sheet, insurance)
    if not terms:
        terms = USUAL_TERMS
        sheet.assume("Durée non indiquée : 20 et 25 ans comparés, 25 ans étant le plafond du HCSF.")
        sheet.ask("months")
    for months in terms:
        term(sheet, "Durée du prêt", months)
    found, paid = [], told.amount("insurance_monthly")
    for rate, months in product(rates, terms):
        name = named(rate, months, several=True)
        label = f"Capacité d'emprunt{name if len(rates) * len(terms) > 1 else ''}"
        most = affordable(instalment=room - paid, annual_rate=rate, months=int(months), insurance_rate=insurance or 0.0)
        sheet.found(label, most, "€", affordable_formula(room - paid, rate, months, insurance or 0.0))
        found.append((name, most))
    covered = f", assurance de {percent(insurance)} comprise" if insurance else ", hors assurance"
    covered = f", assurance de {euros(paid)} par mois comprise" if paid else covered
    sheet.say(f"Capacité d'emprunt : {each(found)}{covered}, pour une mensualité de {euros(room)} ({ceiling}).")
    if len(found) > 1:
        amounts = sorted(most for _, most in found)
        gap = sheet.found(
            "Écart de capacité", amounts[-1] - amounts[0], "€", f"{euros(amounts[-1])} − {euros(amounts[0])}"
        )
        sheet.say(f"Écart de capacité entre ces cas : {euros(gap)}.")
    budgets = budgets_of(told, sheet, found)
    _table(sheet, found, budgets)
    if any(months > LONGEST.value * 12 for months in told.all("months")):
        sheet.rule("Durée maximale", LONGEST)
        sheet.say(
            f"Cette durée dépasse la durée maximale de {duration(LONGEST.value * 12)} de la même règle, hors différé."
        )


def _table(sheet: Sheet, found: list[tuple[str, float]], budgets: list[float]) -> None:
    if len(found) < 2:
        return
    rows = [(name.strip(), euros(capital)) for name, capital in found]
    header: tuple[str, ...] = ("Cas", "Capacité d'emprunt")
    if budgets:
        header = (*header, "Prix d'achat possible, hors frais")
        sheet.table = (header, *((*row, euros(price)) for row, price in zip(rows, budgets, strict=True)))
    else:
        sheet.table = (header, *rows)
