"""How long each step of one answer took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pipeline.types import Answer, Timing


class Stopwatch:
    """Seconds by a monotonic clock."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._steps: list[Timing] = []

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._steps.append(Timing(name=name, seconds=time.perf_counter() - started))

    def stop(self, answer: Answer) -> Answer:
        """The answer with its steps and its whole time."""
        return replace(answer, steps=tuple(self._steps), seconds=time.perf_counter() - self._started)
