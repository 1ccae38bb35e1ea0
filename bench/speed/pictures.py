"""python -m bench pictures [--rounds N] [--folder DIR] [--json FILE]: how long each kind of picture takes to draw, in
milliseconds of processor (which a busy machine does not change), how large its file is, and what memory all leave
behind.

The figures are those of the calculators' own schedules and of invented prices; each round draws other values, so that
nothing is remembered. `--folder`: one PNG of each kind is written there, to be looked at.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.ranking.measures import percentile
from bot.pictures.choosing import charts_of_result
from bot.pictures.drawing import drawable, picture
from pipeline.tools.calculator import CalculatorTool
from pipeline.types import ToolCall

ROUNDS: Final = 40
GOALS: Final = {"p95_ms": 400.0, "left_mb": 20.0}
LOAN: Final = {"kind": "loan", "loan_amount": 200_000, "rate": 3.3, "months": 240, "insurance_rate": 0.34}
CALLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "prêt": LOAN,
    "prêt long avec différé": {**LOAN, "months": 306, "defer": 18},
    "prêts comparés": {**LOAN, "rate": [3.0, 3.4], "months": [240, 300]},
    "plus-value": {"kind": "gain", "sale_price": 400_000, "purchase_price": 200_000, "holding_years": 4},
    "rendements": {"kind": "yield", "total_cost": 190_000, "rent_monthly": 800, "charges_yearly": 2_400, "tmi": 30},
    "rendement négatif": {"kind": "yield", "total_cost": 190_000, "rent_monthly": 190, "charges_yearly": 2_400},
}
AMOUNTS: Final = frozenset({"loan_amount", "sale_price", "total_cost"})
"""What is a little more in each round."""


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench pictures")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    figures = _measured(options.rounds, options.folder)
    _print(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False), encoding="utf-8")
    return 0


def _measured(rounds: int, folder: Path | None) -> dict[str, Any]:
    started = time.perf_counter()
    picture(_of("prêt", -1))
    first = time.perf_counter() - started
    for name in CALLS:
        picture(_of(name, -2))  # letters and shapes that the library keeps
    kinds, before = {}, _resident_mb()
    for name in (*CALLS, "prix", "communes"):
        spent, size = [], 0
        for number in range(rounds):
            chart = _of(name, number)
            started = time.thread_time()
            drawn = picture(chart)
            spent.append(1000 * (time.thread_time() - started))
            size = len(drawn)
            if folder and number == 0:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{name.replace(' ', '-')}.png").write_bytes(drawn)
        told = {"median_ms": round(statistics.median(spent)), "p95_ms": round(percentile(spent, 0.95))}
        kinds[name] = {**told, "kilobytes": round(size / 1000)}
    return {
        "first_s": round(first, 2),
        "kinds": kinds,
        "p95_ms": max(kind["p95_ms"] for kind in kinds.values()),
        "drawn": rounds * len(kinds),
        "left_mb": round(_resident_mb() - before, 1),
    }


def _of(name: str, number: int) -> dict[str, Any]:
    """The chart of one round."""
    if name == "prix":
        return _prices(number)
    if name == "communes":
        return _communes(number)
    told = {key: value + 1_000 * number if key in AMOUNTS else value for key, value in CALLS[name].items()}
    result = asyncio.run(CalculatorTool().run(ToolCall("calculator", told)))
    return next(chart for chart in charts_of_result(result) if drawable(chart))


def _prices(number: int) -> dict[str, Any]:
    """Flats and houses of a dozen years, with quartiles."""
    series = [
        {
            "label": label,
            "unit": "€/m²",
            "points": [
                [2014 + year, start + 70 * year + number, 120, start + 50 * year - 500, start + 100 * year + 600]
                for year in range(12)
            ],
        }
        for label, start in (("Appartements", 3_000), ("Maisons", 3_800))
    ]
    return {"kind": "prices", "title": "prix inventés pour la mesure", "place": "Nantes", "series": series}


def _communes(number: int) -> dict[str, Any]:
    """Six, one of a long name and one without quartiles."""
    towns = ("Lyon 7e", "Villeurbanne", "Saint-Germain-en-Laye", "Toulon", "Les Abymes", "Nantes")
    rows = [
        {"label": town, "value": 2_500 + 700 * place + number, "low": 2_000 + 600 * place, "high": 4_000 + 800 * place}
        for place, town in enumerate(towns)
    ]
    rows[3] |= {"low": None, "high": None}
    told = {"kind": "communes", "title": "prix inventés pour la mesure", "name": "Prix médian des maisons en 2025"}
    return {**told, "axis": "Commune", "unit": "€/m²", "rows": rows, "notes": []}


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def _print(figures: Mapping[str, Any]) -> None:
    table = Table(title=f"Images : {figures['drawn']} dessinées, la première en {figures['first_s']} s")
    for column in ("image", "médiane (ms)", "p95 (ms)", "ko"):
        table.add_column(column)
    for name, told in figures["kinds"].items():
        table.add_row(name, *(str(told[key]) for key in ("median_ms", "p95_ms", "kilobytes")))
    Console().print(table)
    Console().print(
        f"p95 {figures['p95_ms']} ms (objectif ≤ {GOALS['p95_ms']:.0f}), "
        f"mémoire gardée {figures['left_mb']} Mo (objectif ≤ {GOALS['left_mb']:.0f})"
    )
