"""The tool "sales" over Etalab's five-year "Statistiques DVF", read through data.gouv.fr's MCP server."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from pipeline.tools.datagouv.server import DataGouv
from pipeline.tools.french import at, count
from pipeline.tools.json_service import Malformed, SourceFailed, decimal, plain, unusable, whole
from pipeline.tools.sales.choice import NOT_HOMES, only_homes
from pipeline.types import Figure, ToolCall, ToolResult

RESOURCE: Final = "851d342f-9c96-41c1-924a-11a7a7aae8a6"
URL: Final = "https://www.data.gouv.fr/datasets/64998de5926530ebcecc7b15"
PERIOD: Final = "janvier 2021 à décembre 2025"
AS_OF: Final = date(2025, 12, 31)
FEWEST, FRAGILE, MOST_EUROS = 10, 30, 100_000
KINDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "flat": ("appartement", "appartements vendus", "appartements"),
    "house": ("maison", "maisons vendues", "maisons"),
}
CELL: Final = re.compile(r"^ {4}(?P<name>\w{1,60}): ?(?P<value>.{0,110})$")
DEPARTMENT: Final = "departement"
"""Scale of a department's row, under its two or three signs."""
WHOLE_PERIOD: Final = "Cette source donne un total de cinq ans : ni quartiles, ni médiane par année, ni taille."


@dataclass(frozen=True, slots=True)
class Total:
    """Sales of one kind over the whole period, and their median in €/m²."""

    sales: int
    median: float


class DvfStatistics:
    """`arguments` are those of the online tool; a `year` is refused, since only the whole period is published."""

    name = "sales"

    def __init__(self, portal: DataGouv) -> None:
        self._portal = portal

    async def run(self, call: ToolCall) -> ToolResult:
        insee, name = str(call.arguments.get("insee") or ""), str(call.arguments.get("name") or "")
        if call.arguments.get("type") in NOT_HOMES:
            return ToolResult(call=call, error=only_homes("Les statistiques DVF", call.arguments["type"]))
        if call.arguments.get("year") is not None:
            return ToolResult(call=call, error="Les statistiques DVF de cinq ans ne donnent pas une année précise.")
        try:
            text = await self._row_of(insee)
            totals = read_totals(text, insee)
        except SourceFailed as error:
            return ToolResult(call=call, error=str(error), outage=True)
        except Malformed:
            return ToolResult(call=call, error=unusable("le portail des données ouvertes"), outage=True)
        found = _asked(call, totals)
        if not found:
            return ToolResult(
                call=call, error=f"Les statistiques DVF de cinq ans ont trop peu de ventes {at(name)} pour un prix."
            )
        title = _title(text)
        said = [_sentence(kind, total, at(name), title) for kind, total in found.items()]
        return _result(call, found, title=f"{title} : prix {at(name)}", text=" ".join([*said, WHOLE_PERIOD]))

    async def around(self, call: ToolCall) -> ToolResult:
        """The same totals of the commune's department, which say that they are not the commune's."""
        insee, name = str(call.arguments.get("insee") or ""), str(call.arguments.get("name") or "")
        code = insee[:3] if insee.startswith("97") else insee[:2]
        try:
            text = await self._row_of(code)
            totals = read_totals(text, code, scale=DEPARTMENT)
            label = read_label(text, code)
        except (SourceFailed, Malformed):
            return ToolResult(call=call, error=f"Aucun prix n'a été obtenu pour le département autour de {name}.")
        found = _asked(call, totals)
        if not found:
            return ToolResult(call=call, error=f"Aucun prix n'est publié pour le département autour de {name}.")
        title = _title(text)
        where = f"dans l'ensemble du département {label}".rstrip()
        said = [_sentence(kind, total, where, title) for kind, total in found.items()]
        care = f"C'est un ordre de grandeur pour le département, pas un prix propre à {name}."
        return _result(
            call,
            found,
            title=f"{title} : département {label}".rstrip(),
            text=" ".join(["À défaut d'un prix communal :", *said, care, WHOLE_PERIOD]),
        )

    async def _row_of(self, code: str) -> str:
        """Raises `SourceFailed`."""
        query = {"resource_id": RESOURCE, "filter_column": "code_geo", "filter_value": code, "page_size": 5}
        return await self._portal.call("query_resource_data", query)


def _asked(call: ToolCall, totals: Mapping[str, Total]) -> dict[str, Total]:
    """Of the types asked for, those that have sales enough."""
    kinds = [call.arguments["type"]] if call.arguments.get("type") in KINDS else list(KINDS)
    return {kind: totals[kind] for kind in kinds if kind in totals and totals[kind].sales >= FEWEST}


def _result(call: ToolCall, found: Mapping[str, Total], *, title: str, text: str) -> ToolResult:
    figures = tuple(figure for kind, total in found.items() for figure in _figures(kind, total))
    return ToolResult(call=call, title=title, text=text, figures=figures, url=URL, as_of=AS_OF)


def read_totals(text: str, code: str, *, scale: str = "") -> dict[str, Total]:
    """Totals by kind of the one row of this code (at this scale: a region may bear a department's code); empty when
    there is none. Raises `Malformed`."""
    rows = [row for row in read_rows(text) if not scale or row.get("echelle_geo") == scale]
    if not rows and (scale or not text):
        return {}
    if len(rows) != 1 or rows[0].get("code_geo") != code:
        raise Malformed
    found = {}
    for kind, (column, *_) in KINDS.items():
        sales, median = rows[0].get(f"nb_ventes_whole_{column}", ""), rows[0].get(f"med_prix_m2_whole_{column}", "")
        if sales and median:
            found[kind] = Total(_count(sales), decimal(median, least=1, most=MOST_EUROS))
    return found


def read_label(text: str, code: str) -> str:
    """What the department's row calls it, in letters only; empty when it does not say."""
    named = (row.get("libelle_geo") for row in read_rows(text) if row.get("echelle_geo") == DEPARTMENT)
    return plain(next(named, ""))


def read_rows(text: str) -> list[dict[str, str]]:
    """The cells of each row told, by column."""
    rows: list[dict[str, str]] = []
    for line in text.splitlines():
        if re.match(r"^ {2}Row \d{1,4}:$", line):
            rows.append({})
        elif rows and (cell := CELL.match(line)):
            rows[-1].setdefault(cell["name"], cell["value"].strip())
    return rows


def _count(text: str) -> int:
    return whole(text.removesuffix(".0"))


def _title(text: str) -> str:
    """What the resource is called; a test service says there that its figures are invented."""
    first = text.splitlines()[0].partition(":")[2] if text else ""
    return plain(first) or "Statistiques DVF (Etalab)"


def _sentence(kind: str, total: Total, where: str, title: str) -> str:
    care = " ; l'échantillon est réduit, à prendre avec prudence" if total.sales < FRAGILE else ""
    return (
        f"D'après « {title} », de {PERIOD}, le prix médian des {KINDS[kind][1]} {where} est de "
        f"{count(round(total.median))}\u00a0€/m², sur {count(total.sales)} ventes en cinq ans{care}."
    )


def _figures(kind: str, total: Total) -> tuple[Figure, ...]:
    what = KINDS[kind][2]
    return (
        Figure(f"Prix médian des {what} sur cinq ans", round(total.median), "€/m²"),
        Figure(f"Nombre de ventes, {what}, sur cinq ans", total.sales, "ventes"),
    )
