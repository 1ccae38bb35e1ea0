"""The tool "sales" over several sources in order: the first that has a price answers; those that failed are named."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Protocol

from pipeline.metering.breaker import Breaker
from pipeline.ports import Tool
from pipeline.tools.communes import CITIES, OUTSIDE_DVF, OVERSEAS
from pipeline.tools.json_service import FAILURES
from pipeline.tools.sales.choice import NOT_HOMES
from pipeline.tools.sales.outside import told_outside
from pipeline.types import ToolCall, ToolResult

FIRST_YEAR: Final = 2010
"""No source publishes an earlier one."""


class Wider(Protocol):
    """A source that also knows the department of a commune."""

    async def around(self, call: ToolCall) -> ToolResult:
        """What it has of the department, said to be the department's."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One source of prices, and what it is called in a footer. `deeds`: it reads the deeds themselves, so that it knows
    garages and land too. `wider`: asked when no source has a price of the commune itself."""

    label: str
    tool: Tool
    deeds: bool = False
    wider: Wider | None = None


@dataclass(slots=True)
class _Asked:
    """What the sources said that gave no price: for a footer, and as reasons; those that answered."""

    gone: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    wider: list[Wider] = field(default_factory=list)


class SalesChain:
    """`arguments` are those of its sources; `type` may also be "garage" or "land". A source that failed `FAILURES`
    times in a row rests for a while. `beside`: tools that tell something else of a commune that DVF does not cover."""

    name = "sales"

    def __init__(
        self,
        steps: Sequence[ChainLink],
        *,
        beside: Sequence[Tool] = (),
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._steps = [(step, Breaker(clock, most=FAILURES)) for step in steps]
        self._beside = beside
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        if refusal := _out_of_reach(call, self._today()):
            return ToolResult(call=call, error=refusal)
        if _is_outside(call):
            return await told_outside(call, self._beside)
        asked = _Asked()
        for step, breaker in self._steps:
            if call.arguments.get("type") in NOT_HOMES and not step.deeds:
                continue
            if not breaker.admits():
                asked.gone.append(f"{step.label} : au repos après plusieurs échecs")
                continue
            result = await _run(step, breaker, call)
            if result.error is None:
                gaps = [f"{said}, prix repris de {step.label}" for said in asked.gone]
                return replace(result, gaps=(*result.gaps, *gaps))
            if _is_final(call):
                return result
            asked.gone.append(f"{step.label} : {'sans réponse exploitable' if result.outage else 'aucun prix'}")
            asked.reasons.append(result.error)
            if step.wider is not None and not result.outage:
                asked.wider.append(step.wider)
        return await _nothing(call, asked)


async def _run(step: ChainLink, breaker: Breaker, call: ToolCall) -> ToolResult:
    try:
        result = await step.tool.run(call)
        if result.outage:
            breaker.failed()
        else:
            breaker.succeeded()
    finally:
        breaker.left()
    return result


async def _nothing(call: ToolCall, asked: _Asked) -> ToolResult:
    """No price of the commune: the department's, or the reasons. A total of years is no answer to a question about one
    year."""
    resting = [f"{said}." for said in asked.gone if said.endswith("échecs")]
    if call.arguments.get("type") in NOT_HOMES:
        what = NOT_HOMES[call.arguments["type"]]
        asked.reasons.insert(0, f"Le prix des {what} ne se lit que dans les actes de la base DVF.")
    if call.arguments.get("year") is None:
        for wider in asked.wider:
            result = await wider.around(call)
            if result.error is None:
                why = f"Aucun prix propre à {call.arguments.get('name')} n'est publié, ou sur trop peu de ventes."
                return replace(result, text=f"{why} {result.text}", gaps=(*result.gaps, *resting))
    reasons = dict.fromkeys([*asked.reasons, *resting])
    return ToolResult(call=call, error=" ".join(reasons), outage=True)


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


def _is_outside(call: ToolCall) -> bool:
    """A commune of a department without DVF."""
    insee = str(call.arguments.get("insee") or "")
    return len(insee) == 5 and insee.isalnum() and insee.isascii() and insee.startswith(OUTSIDE_DVF)


def _is_final(call: ToolCall) -> bool:
    """No source can know: no commune, a city that is published by arrondissement."""
    insee = str(call.arguments.get("insee") or "")
    return len(insee) != 5 or insee in CITIES
