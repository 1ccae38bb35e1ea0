"""What can be borrowed within the rule of the HCSF, from income, other instalments, rate and duration."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.loan import HCSF_URL, LONGEST, MOST_DEBT, months_of, share_of_capital
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked, money, number
from pipeline.types import Computed, Figure

FORMULA = "mensualité possible / (i / (1 - (1 + i)^-n) + taux d'assurance / 12), i = taux / 12, n mensualités"


def capacity(*, instalment: float, annual_rate: float, months: int, insurance_rate: float = 0.0) -> float:
    """Euros, rounded down: the capital whose constant instalment, insurance on the initial capital included, is
    `instalment`. Rates in percent a year. The loan's own arithmetic turned round; no legal rule of its own."""
    return float(int(instalment / (share_of_capital(annual_rate, months) + insurance_rate / 1200)))


def work(inputs: Inputs) -> Worked:
    """`monthly_income`, `annual_rate`, `months` or `years`; optional `monthly_debts` (instalments already paid) and
    `insurance_rate`. The ceiling is 35 % of income, insurance included (HCSF, D-HCSF-2021-7). Raises `Nonsense`."""
    income = money(inputs, "monthly_income", label="le revenu mensuel", least=1)
    debts = money(inputs, "monthly_debts", label="les mensualités en cours", default=0.0)
    rate = number(inputs, "annual_rate", label="le taux du prêt", least=0, most=25)
    insurance = number(inputs, "insurance_rate", label="le taux d'assurance", least=0, most=5, default=0.0)
    months = months_of(inputs)
    room = cents(income * MOST_DEBT / 100 - debts)
    if room <= 0:
        raise Nonsense(
            "Les mensualités en cours dépassent déjà 35 % du revenu : la règle du HCSF ne laisse pas de marge."
        )
    most = capacity(instalment=room, annual_rate=rate, months=months, insurance_rate=insurance)
    given = (
        Figure("Revenu mensuel", income, "€/mois"),
        Figure("Mensualités en cours", debts, "€/mois"),
        Figure("Taux du prêt", rate, "%"),
        Figure("Taux d'assurance", insurance, "%"),
        Figure("Durée du prêt", months, "mois"),
    )
    results = (
        Computed(Figure("Plafond du taux d'effort", MOST_DEBT, "%"), "règle du HCSF"),
        Computed(Figure("Mensualité possible", room, "€/mois"), "35 % du revenu - mensualités en cours"),
        Computed(Figure("Capacité d'emprunt", most, "€"), FORMULA),
    )
    covered = f", assurance de {percent(insurance)} comprise" if insurance else ", hors assurance"
    less = f" moins {euros(debts)} de mensualités en cours" if debts else ""
    said = [
        f"Capacité d'emprunt : environ {euros(most)} à {percent(rate)} sur {months} mois{covered}, pour une "
        f"mensualité de {euros(room)} (35 % de {euros(income)} de revenus mensuels{less}).",
        "Le plafond de 35 % du HCSF compte l'assurance : sans elle dans le calcul, la capacité réelle est moindre."
        if not insurance
        else "Frais de dossier et de garantie non comptés.",
    ]
    if months > 12 * LONGEST:
        said.append(f"Cette durée dépasse la durée maximale de {LONGEST} ans de la même règle, hors différé.")
    said.append("Une banque peut déroger à ces plafonds pour une part limitée de ses prêts.")
    return Worked("Capacité d'emprunt (HCSF)", tuple(said), given, results, "HCSF, D-HCSF-2021-7", HCSF_URL)
