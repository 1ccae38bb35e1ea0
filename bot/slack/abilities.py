"""What a workspace was found to lack, by trying it: left alone for a while, then tried again."""

import time
from collections.abc import Callable
from typing import Final, Literal

import structlog

log = structlog.get_logger()

Ability = Literal["stream", "status"]
LACKED_SECONDS: Final = 3_600.0
LACKING: Final = frozenset(
    {
        *("unknown_method", "method_deprecated", "not_implemented", "feature_not_enabled", "invalid_chunks"),
        *("missing_scope", "not_allowed", "not_allowed_token_type", "no_permission", "access_denied"),
        *("team_access_not_granted", "enterprise_is_restricted", "accesslimited"),
    }
)
"""Refusals that say something of the workspace or of our rights there; any other is about one message."""


class Abilities:
    """One for the process; of each team it keeps until when an ability is left alone."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until: dict[tuple[str, Ability], float] = {}

    def may_try(self, team_id: str, ability: Ability) -> bool:
        return (team_id, ability) not in self._until or self._now() >= self._until[team_id, ability]

    def refused(self, team_id: str, ability: Ability, code: str) -> None:
        """Slack's word for why not."""
        log.info("ability_refused", team=team_id, ability=ability, code=code)
        if code in LACKING:
            self.rest(team_id, ability, LACKED_SECONDS)

    def rest(self, team_id: str, ability: Ability, seconds: float) -> None:
        """Left alone for so long."""
        self._until[team_id, ability] = self._now() + seconds
