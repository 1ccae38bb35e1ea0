"""The tool "sales" over several sources in order: the first that has a price answers; those that failed are named."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from pipeline.breaker import Breaker
from pipeline.ports import Tool
from pipeline.tools.communes import CITIES, OUTSIDE_DVF, OVERSEAS
from pipeline.tools.json_service import FAILURES
from pipeline.types import ToolCall, ToolResult

FIRST_YEAR: Final = 2010
"""No source publishes an earlier one."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One source of prices, and what it is called in a footer."""

    label: str
    tool: Tool


class SalesChain:
    """`arguments` are those of its sources. A source that failed `FAILURES` times in a row rests for a while."""

    name = "sales"

    def __init__(
        self,
        steps: Sequence[ChainLink],
        *,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._steps = [(step, Breaker(clock, most=FAILURES)) for step in steps]
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        if refusal := _out_of_reach(call, self._today()):
            return ToolResult(call=call, error=refusal)
        gone: list[str] = []
        reasons: list[str] = []
        for step, breaker in self._steps:
            if not breaker.admits():
                gone.append(f"{step.label} : au repos après plusieurs échecs")
                continue
            try:
                result = await step.tool.run(call)
                if result.outage:
                    breaker.failed()
                else:
                    breaker.succeeded()
            finally:
                breaker.left()
            if result.error is None:
                gaps = [f"{said}, prix repris de {step.label}" for said in gone]
                return replace(result, gaps=(*result.gaps, *gaps))
            if _is_final(call):
                return result
            gone.append(f"{step.label} : {'sans réponse exploitable' if result.outage else 'aucun prix'}")
            reasons.append(result.error)
        resting = [f"{said}." for said in gone if said.endswith("échecs")]
        return ToolResult(call=call, error=" ".join(dict.fromkeys([*reasons, *resting])), outage=True)


def _out_of_reach(call: ToolCall, today: date) -> str:
    """Why no source can have a price, whatever is asked of it; else empty."""
    insee, name, year = (call.arguments.get(key) for key in ("insee", "name", "year"))
    if str(insee).startswith(OVERSEAS):
        return f"{name} est hors champ de DVF, qui ne couvre que la métropole et les départements d'outre-mer."
    if isinstance(year, int) and year > today.year:
        return f"Aucune vente n'est enregistrée pour {year} : cette année n'est pas commencée."
    if isinstance(year, int) and year < FIRST_YEAR:
        return (
            f"Les prix des ventes enregistrées ne remontent pas à {year} : ils commencent en {FIRST_YEAR} au plus tôt."
        )
    return ""


def _is_final(call: ToolCall) -> bool:
    """No source can know: no commune, a department without DVF, a city that is published by arrondissement."""
    insee = str(call.arguments.get("insee") or "")
    return len(insee) != 5 or insee.startswith(OUTSIDE_DVF) or insee in CITIES
