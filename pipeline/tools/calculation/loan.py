"""Instalment and cost of a loan; debt ratio against the rule of the HCSF."""

import math

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked, money, number, share
from pipeline.types import Computed, Figure

MOST_DEBT = 35.0
"""Percent of income, borrower's insurance included (HCSF decision D-HCSF-2021-7, binding since 1 January 2022)."""
LONGEST, LONGEST_DEFERRED = 25, 27
"""Years; 27 with deferred repayment for off-plan purchases or large works (same decision)."""
HCSF_URL = "https://www.economie.gouv.fr/hcsf"
INSTALMENT_FORMULA = "capital x i / (1 - (1 + i)^-n), i = taux / 12, n mensualités"


def instalment(*, principal: float, annual_rate: float, months: int) -> float:
    """Euros a month, insurance left out: constant instalments in arrears at the proportional monthly rate
    i = rate / 12: P i / (1 - (1 + i)^-n), P / n at 0 %. `annual_rate` in percent. Arithmetic, no legal rule; it is the
    borrowing rate, not the TAEG of C. conso. L314-1."""
    return cents(principal * share_of_capital(annual_rate, months))


def share_of_capital(annual_rate: float, months: int) -> float:
    """One instalment of a capital of 1; exact also for rates near zero."""
    i = annual_rate / 1200
    repaid = -math.expm1(-months * math.log1p(i))
    return i / repaid if repaid else 1 / months


def cost_of_loan(*, principal: float, annual_rate: float, months: int, insurance_rate: float = 0.0) -> float:
    """Euros over the whole loan: interest plus insurance on the initial capital (`insurance_rate`, percent a year)."""
    paid = instalment(principal=principal, annual_rate=annual_rate, months=months)
    insurance = cents(principal * insurance_rate / 1200)
    return cents((paid + insurance) * months - principal)


def debt_ratio(*, monthly_debts: float, monthly_income: float) -> float:
    """Percent: instalments with insurance over net income before tax (HCSF, decision D-HCSF-2021-7)."""
    return share(monthly_debts, monthly_income)


def work_loan(inputs: Inputs) -> Worked:
    """`principal`, `annual_rate` (percent), `years` or `months`, optional `insurance_rate`; `cost_first`: the
    cost is what was asked for. Raises `Nonsense`."""
    principal = money(inputs, "principal", label="le capital emprunté", least=100)
    rate = number(inputs, "annual_rate", label="le taux du prêt", least=0, most=25)
    insurance_rate = number(inputs, "insurance_rate", label="le taux d'assurance", least=0, most=5, default=0.0)
    months = months_of(inputs)
    paid = instalment(principal=principal, annual_rate=rate, months=months)
    insurance = cents(principal * insurance_rate / 1200)
    cost = cost_of_loan(principal=principal, annual_rate=rate, months=months, insurance_rate=insurance_rate)
    given = [
        Figure("Capital emprunté", principal, "€"),
        Figure("Taux du prêt", rate, "%"),
        Figure("Durée du prêt", months, "mois"),
    ]
    results = [Computed(Figure("Mensualité hors assurance", paid, "€/mois"), INSTALMENT_FORMULA)]
    said = [
        f"Mensualité hors assurance : {euros(paid)}, pour {euros(principal)} empruntés à {percent(rate)} sur "
        f"{months} mois (mensualités constantes, taux mensuel égal au taux annuel divisé par 12)."
    ]
    if insurance:
        given.append(Figure("Taux d'assurance sur le capital initial", insurance_rate, "%"))
        total = cents(paid + insurance)
        results += [
            Computed(Figure("Assurance mensuelle", insurance, "€/mois"), "capital x taux d'assurance / 12"),
            Computed(Figure("Mensualité assurance comprise", total, "€/mois"), "mensualité + assurance"),
        ]
        said.append(
            f"Avec une assurance de {percent(insurance_rate)} du capital initial, soit {euros(insurance)} par mois, la "
            f"mensualité est de {euros(total)}."
        )
    label = "Coût total du crédit" + (" assurance comprise" if insurance else " hors assurance")
    results.append(Computed(Figure(label, cost, "€"), "mensualités payées - capital emprunté"))
    said.insert(
        0 if inputs.get("cost_first") is True else len(said),
        f"{label} : {euros(cost)} (hors frais de dossier et de garantie).",
    )
    return Worked("Prêt amortissable", tuple(said), tuple(given), tuple(results), "calcul actuariel usuel")


def work_debt(inputs: Inputs) -> Worked:
    """`monthly_debts` (all instalments, insurance included), `monthly_income`; optional `years` and `deferred` (bool)
    to check the duration. Raises `Nonsense`."""
    debts = money(inputs, "monthly_debts", label="le total des mensualités")
    income = money(inputs, "monthly_income", label="le revenu mensuel", least=1)
    ratio = debt_ratio(monthly_debts=debts, monthly_income=income)
    if ratio > 1_000:
        raise Nonsense("Les mensualités dépassent dix fois le revenu : vérifiez les montants.")
    room = cents(income * MOST_DEBT / 100 - debts)
    given = [Figure("Mensualités, assurance comprise", debts, "€/mois"), Figure("Revenu mensuel", income, "€/mois")]
    results = [
        Computed(Figure("Taux d'effort", ratio, "%"), "mensualités assurance comprise / revenu mensuel"),
        Computed(Figure("Plafond du taux d'effort", MOST_DEBT, "%"), "règle du HCSF"),
        Computed(Figure("Marge de mensualité", abs(room), "€/mois"), "35 % du revenu - mensualités"),
    ]
    verdict = (
        f"il respecte le plafond de {percent(MOST_DEBT)} du HCSF, avec une marge de {euros(room)} par mois"
        if debts * 100 <= income * MOST_DEBT
        else f"il dépasse le plafond de {percent(MOST_DEBT)} du HCSF, de {euros(-room)} par mois"
    )
    said = [
        f"Taux d'effort : {percent(ratio, digits=2)}, soit {euros(debts)} de mensualités assurance comprise pour "
        f"{euros(income)} de revenus mensuels ; {verdict}."
    ]
    if inputs.get("years") is not None:
        _add_duration(inputs, given, results, said)
    said.append("Une banque peut déroger à ces plafonds pour une part limitée de ses prêts.")
    return Worked("Taux d'effort (HCSF)", tuple(said), tuple(given), tuple(results), "HCSF, D-HCSF-2021-7", HCSF_URL)


def _add_duration(inputs: Inputs, given: list[Figure], results: list[Computed], said: list[str]) -> None:
    years = number(inputs, "years", label="la durée du prêt", least=1, most=50)
    deferred = inputs.get("deferred") is True
    most = LONGEST_DEFERRED if deferred else LONGEST
    given.append(Figure("Durée du prêt", years, "ans"))
    results.append(Computed(Figure("Durée maximale", most, "ans"), "règle du HCSF"))
    case = " (avec différé)" if deferred else ""
    held = "respecte" if years <= most else "dépasse"
    written = f"{years:g}".replace(".", ",")
    said.append(f"La durée de {written} ans {held} la durée maximale de {most} ans{case} de la même règle.")


def months_of(inputs: Inputs) -> int:
    """From `months`, or `years`; between 1 month and 40 years."""
    if inputs.get("months") is not None:
        months = number(inputs, "months", label="la durée du prêt", least=0, most=480)
    else:
        months = 12 * number(inputs, "years", label="la durée du prêt", least=0, most=40)
    if months < 1:
        raise Nonsense("Un prêt doit durer au moins un mois : le calcul n'est pas fait.")
    if months != int(months):
        raise Nonsense("La durée du prêt doit être un nombre entier de mois.")
    return int(months)
