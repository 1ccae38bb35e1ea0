"""A commune that DVF does not cover: why, and what other sources tell of it, each under its own name."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.ports import Tool
from pipeline.tools.sales.choice import NOT_HOMES, outside
from pipeline.types import ToolCall, ToolResult

URL: Final = "https://www.data.gouv.fr/datasets/demandes-de-valeurs-foncieres"
LAND_REGISTER: Final = ("57", "67", "68")
WHY: Final = "Les ventes y sont inscrites au livre foncier du droit local, que la base ne reprend pas."
NOT_CONNECTED: Final = (
    "Les statistiques des notaires et des observatoires locaux ne sont pas connectées ici : pour un prix de vente, "
    "demandez-les à un notaire du secteur."
)
FOUND: Final[Mapping[str, str]] = {"rents": "les loyers d'annonce estimés", "dpe": "les étiquettes énergie"}


async def told_outside(call: ToolCall, beside: Sequence[Tool]) -> ToolResult:
    """A result without any figure of its own; `beside` are asked of the same commune, and what they find is in `also`
    with its own source. Their failures are gaps."""
    name = str(call.arguments.get("name") or call.arguments.get("insee"))
    asked = {key: call.arguments[key] for key in ("insee", "name") if key in call.arguments}
    kind = call.arguments.get("type")
    more = {"type": kind} if kind in ("flat", "house") else {}
    told = () if kind in NOT_HOMES else beside
    results = await asyncio.gather(*(tool.run(ToolCall(tool.name, {**asked, **more})) for tool in told))
    found = tuple(result for result in results if result.error is None)
    said = [outside(name)]
    if str(call.arguments.get("insee")).startswith(LAND_REGISTER):
        said.append(WHY)
    if names := [FOUND[result.call.tool] for result in found if result.call.tool in FOUND]:
        said.append(f"Voici ce qui existe pour {name} dans les données ouvertes : {' et '.join(names)}.")
    return ToolResult(
        call=call,
        title=f"Champ de la base DVF : {name}",
        text=" ".join([*said, NOT_CONNECTED]),
        url=URL,
        gaps=tuple(result.error for result in results if result.error is not None),
        also=found,
    )
