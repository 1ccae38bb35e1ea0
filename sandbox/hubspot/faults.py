"""Faults on demand: the next calls fail in one of the ways that a real CRM fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

MODES = ("429", "500", "401", "slow", "commit_then_drop", "html", "nonsense")
"""429, 500 and 401 answer so and do nothing. `slow` does the work and answers `seconds` later.
`commit_then_drop` does a write and cuts the connection. `html` does the work and answers a web page,
`nonsense` with a JSON object that is not the promised one."""

Kind = Literal["read", "write"]


@dataclass(slots=True)
class Fault:
    """`count` calls of `mode` are still to come; `on` limits them to reads or writes; `after` spares the first ones."""

    mode: str = ""
    count: int = 0
    on: str = "any"
    seconds: float = 15.0
    retry_after: float | None = 1.0
    after: int = 0

    def take(self, kind: Kind) -> str:
        """The mode that strikes this call, or an empty string."""
        if self.count <= 0 or self.on not in ("any", kind) or (self.mode == "commit_then_drop" and kind == "read"):
            return ""
        if self.after > 0:
            self.after -= 1
            return ""
        self.count -= 1
        return self.mode


def parse(value: Mapping[str, Any] | None) -> Fault:
    """`{"mode": "429", "count": 2}`; None or {} clears. Raises ValueError with a French sentence."""
    if not value:
        return Fault()
    mode = str(value.get("mode", ""))
    if mode not in MODES:
        raise ValueError(f"hubspot.mode vaut « {mode} » ; attendu : " + ", ".join(MODES))
    if value.get("on", "any") not in ("any", "read", "write"):
        raise ValueError("hubspot.on vaut « any », « read » ou « write »")
    try:
        delay = value.get("retry_after", 1.0)
        return Fault(
            mode=mode,
            count=int(value.get("count", 1)),
            on=str(value.get("on", "any")),
            seconds=float(value.get("seconds", 15.0)),
            retry_after=None if delay is None else float(delay),
            after=int(value.get("after", 0)),
        )
    except (TypeError, ValueError) as error:
        raise ValueError("hubspot : count, seconds, retry_after et after sont des nombres") from error
