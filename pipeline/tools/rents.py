"""The tool "rents": the state's rent map (advertised rents, estimated by commune), always said to be an estimate."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from pipeline.tools.french import at, count, decimal
from pipeline.tools.json_service import (
    JsonService,
    Malformed,
    Request,
    SourceFailed,
    origin,
    plain,
    rows_of,
    unusable,
    whole,
)
from pipeline.tools.json_service import decimal as number
from pipeline.types import Figure, ToolCall, ToolResult

YEAR: Final = 2025
AS_OF: Final = date(2025, 12, 31)
URL: Final = "https://www.data.gouv.fr/datasets/693aa2feed1bf4da603faa49"
RESOURCES: Final[Mapping[str, tuple[str, str]]] = {
    "flat": ("55b34088-0964-415f-9df7-d87dd98a09be", "un appartement"),
    "small": ("14a1fe11-b2d1-49b3-9f6b-83d12df9482c", "un appartement d'une ou deux pièces"),
    "large": ("5e3b28a4-cf56-43a3-ae79-43cceeb27f8c", "un appartement de trois pièces ou plus"),
    "house": ("129f764d-b613-44e4-952c-5ff50a8c9b73", "une maison"),
}
MOST_SMALL: Final = 2
"""Rooms of what the map calls a small flat."""
CITIES: Final = {"75056": "Paris", "69123": "Lyon", "13055": "Marseille"}
FRAGILE_COUNT, FRAGILE_FIT = 30, 0.5
"""Advertisements in the commune, and R² of the model, under which the map's authors ask for caution."""
ESTIMATE: Final = (
    f"C'est une estimation : la carte des loyers {YEAR} modélise les loyers d'annonce, charges comprises, de logements "
    "loués vides ; elle ne dit ni les loyers en cours ni le loyer d'un bien précis."
)


@dataclass(frozen=True, slots=True)
class Rent:
    """€/m² a month, charges included, with the bounds of the prediction; `local`: estimated from the commune's own
    advertisements rather than its neighbours'."""

    typical: float
    low: float
    high: float
    seen: int
    fit: float
    local: bool


class RentsTool:
    """`arguments`: `{"insee": str, "name": str, "type": "flat" | "house" | None}`; None: flats of all sizes, then
    small and large ones, and houses. With `rooms`, flats of that size come first, and houses are left out."""

    name = "rents"

    def __init__(self, source: JsonService) -> None:
        self._source = source

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name = str(call.arguments.get("insee") or "").strip().upper(), str(call.arguments.get("name") or "")
        if len(insee) != 5 or not insee.isalnum():
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les loyers.")
        if insee in CITIES:
            return ToolResult(
                call=call, error=f"La carte des loyers suit {CITIES[insee]} par arrondissement : précisez lequel."
            )
        kinds = _kinds(call.arguments)
        requests = [
            Request(f"/api/resources/{RESOURCES[kind][0]}/data/", {"INSEE_C__exact": insee, "page_size": "5"})
            for kind in kinds
        ]
        found: dict[str, Rent] = {}
        failed: list[str] = []
        answers = await self._source.ask(*requests)
        for kind, answer in zip(kinds, answers, strict=True):
            try:
                rent = answer if isinstance(answer, SourceFailed) else read_rent(answer, insee)
            except Malformed:
                rent = SourceFailed(unusable(self._source.label))
            if isinstance(rent, SourceFailed):
                failed.append(str(rent))
            elif rent is not None:
                found[kind] = rent
        gaps = tuple(dict.fromkeys(failed))
        if not found:
            return ToolResult(
                call=call, error=" ".join(gaps) or f"La carte des loyers ne donne aucun loyer {at(name)}."
            )
        where = f"carte des loyers {YEAR}{origin(*answers)}"
        return ToolResult(
            call=call,
            title=f"{where[:1].upper()}{where[1:]}, estimation : {name}",
            text=" ".join(
                [*(_sentence(kind, rent, name, where) for kind, rent in found.items()), *_care(found), ESTIMATE]
            ),
            figures=tuple(figure for kind, rent in found.items() for figure in _figures(kind, rent)),
            url=URL,
            as_of=AS_OF,
            gaps=gaps,
        )


def _kinds(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    kind, rooms = arguments.get("type"), arguments.get("rooms")
    if isinstance(rooms, int) and kind != "house":
        return ("small", "flat") if rooms <= MOST_SMALL else ("large", "flat")
    return {"flat": ("flat", "small", "large"), "house": ("house",)}.get(str(kind), tuple(RESOURCES))


def read_rent(answer: Any, insee: str) -> Rent | None:
    """One row of the map; None when it has none for this commune. Raises `Malformed`, also for another commune's row:
    a filter that is not understood returns the whole map."""
    rows = rows_of(answer)
    if not rows:
        return None
    if len(rows) > 1 or str(rows[0].get("INSEE_C")) != insee:
        raise Malformed
    row = rows[0]
    low, typical, high = (number(row.get(c), least=1, most=150) for c in ("lwr.IPm2", "loypredm2", "upr.IPm2"))
    if not low <= typical <= high:
        raise Malformed
    return Rent(
        typical=typical,
        low=low,
        high=high,
        seen=whole(row.get("nbobs_com")),
        fit=number(row.get("R2_adj"), least=-1, most=1),
        local=plain(row.get("TYPPRED")) == "commune",
    )


def _sentence(kind: str, rent: Rent, name: str, where: str) -> str:
    return (
        f"Loyer d'annonce estimé {at(name)} pour {RESOURCES[kind][1]} : {_euros(rent.typical)} par mois d'après "
        f"la {where}, avec un intervalle de prédiction de {_euros(rent.low)} à {_euros(rent.high)}."
    )


def _care(found: Mapping[str, Rent]) -> list[str]:
    said = []
    first = next(iter(found.values()))
    if not first.local:
        said.append("L'estimation s'appuie sur un groupe de communes voisines, faute d'annonces suffisantes.")
    elif first.seen < FRAGILE_COUNT or first.fit < FRAGILE_FIT:
        said.append(f"L'estimation repose sur {count(first.seen)} annonces dans la commune : à prendre avec prudence.")
    else:
        said.append(f"L'estimation repose sur {count(first.seen)} annonces dans la commune.")
    return said


def _figures(kind: str, rent: Rent) -> tuple[Figure, ...]:
    what = RESOURCES[kind][1]
    return (
        Figure(f"Loyer d'annonce estimé, {what}", round(rent.typical, 1), "€/m²"),
        Figure(f"Borne basse du loyer estimé, {what}", round(rent.low, 1), "€/m²"),
        Figure(f"Borne haute du loyer estimé, {what}", round(rent.high, 1), "€/m²"),
        Figure(f"Annonces dans la commune, {what}", rent.seen, "annonces"),
        Figure("Millésime de la carte des loyers", YEAR),
    )


def _euros(value: float) -> str:
    return f"{decimal(value)}\u00a0€/m²"
