"""The tool "calculator": arguments as an advisor told them -> a result with its formulas, or what to ask back."""

from collections.abc import Callable, Mapping
from datetime import date

from pipeline.tools.calculation import applied, deadline, recorded
from pipeline.tools.calculation.asked_line import opened_on
from pipeline.tools.calculation.constants import RULES_AS_OF
from pipeline.tools.calculation.earlier import beside_earlier
from pipeline.tools.calculation.estate import company_shares, partition, transmission
from pipeline.tools.calculation.formulas import formula_lines
from pipeline.tools.calculation.gains import gain
from pipeline.tools.calculation.letting import indexation, rent_ceiling, shared_costs, yields
from pipeline.tools.calculation.loans import capacity, early_repayment, loan
from pipeline.tools.calculation.purchase import market, purchase_fees, reduction, relance, works_share
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.taxes import household, regime, wealth_tax
from pipeline.tools.calculation.values import Inputs, Nonsense, Told, Worked
from pipeline.types import Figure, ToolCall, ToolResult

KINDS: Mapping[str, Callable[[Told, Sheet], Worked]] = {
    "loan": loan.work,
    "yield": yields.work,
    "capacity": capacity.work,
    "regime": regime.work,
    "relance": relance.work,
    "fees": purchase_fees.work,
    "early_repayment": early_repayment.work,
    "rent_ceiling": rent_ceiling.work,
    "works_share": works_share.work,
    "market": market.work,
    "rent_area": market.rent,
    "partition": partition.work,
    "shares_duty": company_shares.work,
    "share_value": company_shares.value,
    "reduction": reduction.work,
    "usufruct": transmission.usufruct,
    "duties": transmission.duties,
    "wealth_tax": wealth_tax.work,
    "deficit": household.deficit,
    "income_tax": household.income_tax,
    "rent_revision": indexation.work,
    "deposit": applied.deposit,
    "carrez": applied.carrez,
    "malraux": applied.malraux,
    "letting": applied.letting,
    "allowance": applied.allowance,
    "quota": shared_costs.quota,
    "charges_balance": shared_costs.charges_balance,
    "late_deposit": shared_costs.late_deposit,
    "completion_call": shared_costs.completion_call,
    "annuity": shared_costs.annuity,
    "home_in_estate": shared_costs.home_in_estate,
    "recorded": recorded.work,
    "deadline": deadline.work,
}
"""All but `gain`, which also needs the day."""
NAMES = {
    "loan": "mensualité et coût d'un prêt",
    "yield": "rendement locatif",
    "gain": "plus-value d'un particulier",
    "capacity": "capacité d'emprunt ou taux d'effort",
    "regime": "régime fiscal des loyers et tranche d'imposition",
    "relance": "déduction Relance logement",
    "fees": "frais d'acquisition",
    "early_repayment": "indemnité de remboursement anticipé",
    "rent_ceiling": "plafond de loyer intermédiaire",
    "works_share": "travaux minimaux en Denormandie",
    "market": "prix au m² comparé à une médiane",
    "rent_area": "loyer au m²",
    "partition": "soulte et droit de partage",
    "shares_duty": "droits d'une cession de parts",
    "share_value": "valeur d'une part de société civile",
    "reduction": "réduction d'impôt Denormandie",
    "usufruct": "valeur d'un usufruit et d'une nue-propriété",
    "duties": "droits de donation ou de succession",
    "wealth_tax": "impôt sur la fortune immobilière",
    "deficit": "économie d'un déficit foncier",
    "income_tax": "impôt sur le revenu d'un foyer",
    "rent_revision": "révision d'un loyer par son indice",
    "deposit": "dépôt de garantie maximal",
    "carrez": "baisse de prix pour une surface Carrez plus petite",
    "malraux": "réduction d'impôt Malraux",
    "letting": "réduction d'impôt Loc'Avantages",
    "allowance": "abattement pour durée de détention",
    "quota": "quote-part d'un montant",
    "charges_balance": "régularisation des charges d'un locataire",
    "late_deposit": "majoration d'un dépôt de garantie rendu en retard",
    "completion_call": "appels de fonds d'une VEFA",
    "annuity": "part imposable d'une rente viagère",
    "home_in_estate": "valeur du logement du défunt",
    "recorded": "part d'un montant au taux d'un relevé",
    "deadline": "échéance d'un délai",
}


class CalculatorTool:
    """`arguments`: `{"kind": one of NAMES, ...}` and those of `FIELDS[kind]`; `earlier`: the arguments of the
    calculation that this one changes, `gap`: whether it is asked what that changes; `line`: the label of the result to
    open on. A wrong input, or none to compute with, is a French `error` (the latter is the question to ask back); no
    figure is then given."""

    name = "calculator"

    def __init__(self, *, today: Callable[[], date] = date.today) -> None:
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        try:
            worked = calculate(call.arguments, today=self._today())
            if earlier := call.arguments.get("earlier"):
                worked = _beside(worked, earlier, first=call.arguments.get("gap") is True, today=self._today())
            worked = opened_on(worked, str(call.arguments.get("line", "")))
        except Nonsense as error:
            return ToolResult(call=call, error=str(error))
        if not worked.results:
            return ToolResult(call=call, error=worked.asks, asks=worked.asks, missing=worked.missing)
        return ToolResult(
            call=call,
            title=f"Calcul : {worked.title}",
            text=told(worked),
            figures=listed(worked),
            url=worked.url,
            as_of=RULES_AS_OF,
            computed=worked.results,
            schedules=worked.schedules,
            asks=worked.asks,
            missing=worked.missing,
        )


def calculate(arguments: Inputs, *, today: date = RULES_AS_OF) -> Worked:
    """`today`: the day of a sale that is not dated. Raises `Nonsense`."""
    kind = arguments.get("kind")
    if not isinstance(kind, str) or kind not in NAMES:
        raise Nonsense(f"Précisez le calcul voulu : {', '.join(NAMES.values())}.")
    if kind == "gain":
        return gain.work(Told(kind, arguments), Sheet(kind), today=today)
    return KINDS[kind](Told(kind, arguments), Sheet(kind))


def _beside(worked: Worked, earlier: Inputs, *, first: bool, today: date) -> Worked:
    """An earlier calculation that made no sense is nothing to compare with."""
    try:
        return beside_earlier(worked, calculate(earlier, today=today), first=first)
    except Nonsense:
        return worked


def ask_back(kind: str, arguments: Inputs) -> str:
    """The French question that matters most for this calculation; empty when nothing important is missing. Raises
    `Nonsense`."""
    return calculate({**arguments, "kind": kind}).asks


def told(worked: Worked) -> str:
    """The sentences, how their results come about, then what was taken for granted, and the rule's reference."""
    parts = [*worked.sentences, *formula_lines(worked), *worked.assumptions, f"Base : {worked.source}."]
    return " ".join(filter(None, parts))


def listed(worked: Worked) -> tuple[Figure, ...]:
    """Inputs first, then results."""
    return tuple(dict.fromkeys([*worked.inputs, *(entry.figure for entry in worked.results)]))
