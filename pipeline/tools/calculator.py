"""The tool "calculator": typed inputs -> a result with its formula, its inputs and the rule it rests on."""

from collections.abc import Callable, Mapping
from datetime import date

from pipeline.tools.calculation import capacity, capital_gain, lmnp, loan, relance, yields
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked
from pipeline.types import Figure, ToolCall, ToolResult

KINDS: Mapping[str, Callable[[Inputs], Worked]] = {
    "yield": yields.work,
    "loan": loan.work_loan,
    "capacity": capacity.work,
    "debt": loan.work_debt,
    "capital_gain": capital_gain.work,
    "lmnp": lmnp.work,
    "relance": relance.work,
}
NAMES = {
    "yield": "rendement locatif",
    "loan": "mensualité et coût d'un prêt",
    "capacity": "capacité d'emprunt",
    "debt": "taux d'effort",
    "capital_gain": "plus-value d'un particulier",
    "lmnp": "revente en LMNP",
    "relance": "déduction Relance logement",
}
RULES_AS_OF = date(2026, 11, 21)
"""The day to which the rates and rules of these calculations were checked."""


class CalculatorTool:
    """`arguments`: `{"kind": one of KINDS, ...}` and the inputs that its `work` documents. A wrong or missing input is
    a French `error`; no figure is then given."""

    name = "calculator"

    async def run(self, call: ToolCall) -> ToolResult:
        try:
            worked = calculate(call.arguments)
        except Nonsense as error:
            return ToolResult(call=call, error=str(error))
        return ToolResult(
            call=call,
            title=f"Calcul : {worked.title}",
            text=" ".join([*worked.sentences, f"Base : {worked.source}."]),
            figures=listed(worked),
            url=worked.url,
            as_of=RULES_AS_OF,
            computed=worked.results,
        )


def calculate(arguments: Inputs) -> Worked:
    """Raises `Nonsense`."""
    kind = arguments.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Nonsense(f"Précisez le calcul voulu : {', '.join(NAMES.values())}.")
    return KINDS[kind](arguments)


def listed(worked: Worked) -> tuple[Figure, ...]:
    """Inputs first, then results."""
    return tuple(dict.fromkeys([*worked.inputs, *(entry.figure for entry in worked.results)]))
