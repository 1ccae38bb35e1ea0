"""How long each step of one answer took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pipeline.metering.telemetry import SILENT, Telemetry, Tell
from pipeline.types import Answer, Timing


class Stopwatch:
    """Seconds by a monotonic clock; each step is a stage of the telemetry."""

    def __init__(self, telemetry: Telemetry = SILENT) -> None:
        self._telemetry = telemetry
        self._started = time.perf_counter()
        self._steps: list[Timing] = []

    @contextmanager
    def step(self, name: str) -> Iterator[Tell]:
        started = time.perf_counter()
        try:
            with self._telemetry.stage(name) as tell:
                yield tell
        finally:
            self._steps.append(Timing(name=name, seconds=time.perf_counter() - started))

    def stop(self, answer: Answer) -> Answer:
        """The answer with its steps and its whole time."""
        return replace(answer, steps=tuple(self._steps), seconds=time.perf_counter() - self._started)
