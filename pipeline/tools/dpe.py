"""The tool "dpe": how many energy labels of each class the ADEME holds for a commune."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from pipeline.tools.french import at, count, decimal
from pipeline.tools.json_service import JsonService, Malformed, Request, SourceFailed, origin, rows_of, unusable, whole
from pipeline.types import Figure, ToolCall, ToolResult

PATH: Final = "/data-fair/api/v1/datasets/dpe03existant/values_agg"
URL: Final = "https://data.ademe.fr/datasets/dpe03existant"
CLASSES: Final = "ABCDEFG"
CITIES: Final = {"75056": "Paris", "69123": "Lyon", "13055": "Marseille"}
FEWEST: Final = 30
"""Labels under which no share is given."""
NOT_THE_STOCK: Final = (
    "Ce sont des logements diagnostiqués depuis juillet 2021, surtout à l'occasion d'une vente ou d'une location, et "
    "non tout le parc de la commune."
)


class DpeTool:
    """`arguments`: `{"insee": str, "name": str}`."""

    name = "dpe"

    def __init__(self, source: JsonService, *, today: Callable[[], date]) -> None:
        self._source = source
        self._today = today

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name = str(call.arguments.get("insee") or "").strip().upper(), str(call.arguments.get("name") or "")
        if len(insee) != 5 or not insee.isalnum() or not insee.isascii():
            return ToolResult(call=call, error="Précisez la commune dont vous voulez les étiquettes énergie.")
        if insee in CITIES:
            return ToolResult(call=call, error=f"L'ADEME suit {CITIES[insee]} par arrondissement : précisez lequel.")
        fields = {"field": "code_insee_ban;etiquette_dpe", "agg_size": "2;10", "qs": f'code_insee_ban:"{insee}"'}
        (answer,) = await self._source.ask(Request(PATH, fields))
        if isinstance(answer, SourceFailed):
            return ToolResult(call=call, error=f"{answer} Pas d'étiquettes énergie pour {name}.", outage=True)
        try:
            counts = read_counts(answer, insee)
        except Malformed:
            return ToolResult(call=call, error=unusable(self._source.label), outage=True)
        total = sum(counts.values())
        if total < FEWEST:
            return ToolResult(
                call=call, error=f"L'ADEME a trop peu d'étiquettes énergie {at(name)} pour en donner la répartition."
            )
        return ToolResult(
            call=call,
            title=f"ADEME{origin(answer)}, DPE des logements existants : {name}",
            text=" ".join([*_sentences(name, counts, total, origin(answer)), NOT_THE_STOCK]),
            figures=_figures(counts, total),
            url=URL,
            as_of=self._today(),
        )


def read_counts(answer: Any, insee: str) -> dict[str, int]:
    """Labels by class, A to G. Raises `Malformed`, also when another commune is in the answer."""
    groups = rows_of(answer, "aggs")
    if not groups:
        return dict.fromkeys(CLASSES, 0)
    if len(groups) > 1 or groups[0].get("value") != insee:
        raise Malformed
    counts = dict.fromkeys(CLASSES, 0)
    for row in rows_of(groups[0], "aggs"):
        if row.get("value") not in counts:
            raise Malformed
        counts[str(row["value"])] = whole(row.get("total"))
    if sum(counts.values()) > whole(groups[0].get("total")):
        raise Malformed
    return counts


def _sentences(name: str, counts: Mapping[str, int], total: int, said: str) -> list[str]:
    poor = counts["F"] + counts["G"]
    listed = ", ".join(f"{count(counts[letter])} en {letter}" for letter in CLASSES)
    return [
        f"Étiquettes énergie {at(name)} : {decimal(share(poor, total))}\u00a0% des {count(total)} DPE de la base de "
        f"l'ADEME{said} sont en classe F ou G, soit {count(poor)}.",
        f"Répartition des DPE : {listed}.",
    ]


def share(part: int, total: int) -> float:
    """Percent, to one decimal."""
    return round(100 * part / total, 1)


def _figures(counts: Mapping[str, int], total: int) -> tuple[Figure, ...]:
    poor = counts["F"] + counts["G"]
    return (
        Figure("Part des classes F et G parmi les DPE", share(poor, total), "%"),
        Figure("DPE en classe F ou G", poor, "DPE"),
        Figure("DPE de la commune", total, "DPE"),
        *(Figure(f"DPE en classe {letter}", counts[letter], "DPE") for letter in CLASSES),
    )
