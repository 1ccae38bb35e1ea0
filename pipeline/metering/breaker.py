"""A circuit breaker: what failed several times in a row rests for a while, then one probe decides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FAILURES: Final = 3
REST_SECONDS: Final = 30.0


@dataclass(slots=True)
class Breaker:
    """Opens after `most` failures in a row, for `rest` seconds; then lets one probe through, which decides."""

    clock: Callable[[], float]
    failures: int = 0
    opened_at: float | None = None
    probing: bool = False
    most: int = FAILURES
    rest: float = REST_SECONDS

    def admits(self) -> bool:
        """Whether a call may go through now; a probe is thereby taken."""
        if self.opened_at is None:
            return True
        if self.probing or self.clock() - self.opened_at < self.rest:
            return False
        self.probing = True
        return True

    def succeeded(self) -> None:
        self.failures, self.opened_at, self.probing = 0, None, False

    def failed(self) -> None:
        self.failures += 1
        if self.probing or self.failures >= self.most:
            self.opened_at = self.clock()
        self.probing = False

    def left(self) -> None:
        """The call is over. A probe that neither succeeded nor failed (its caller gave up) is free again."""
        self.probing = False
