"""What programs are served with."""

from dataclasses import dataclass

from bot.conversations.budgets import Budgets
from bot.conversations.reading_deals import with_portal
from bot.ports import Portals
from bot.proposals.lifecycle import Terms
from bot.rights import DealReaders
from bot.slack.delivery import Workspaces
from bot.store.database import Database
from pipeline.ports import Deps


@dataclass(frozen=True, slots=True)
class Api:
    """As the jobs', but for Slack, which may be missing: then no card can be shown."""

    database: Database
    deps: Deps
    budgets: Budgets = Budgets()  # noqa: RUF009 - frozen
    readers: DealReaders = DealReaders()  # noqa: RUF009 - frozen
    terms: Terms = Terms()  # noqa: RUF009 - frozen
    slack: Workspaces | None = None
    portals: Portals | None = None

    async def deps_of(self, team_id: str) -> Deps:
        """With the team's own CRM, where each has one."""
        return self.deps if self.portals is None else with_portal(self.deps, await self.portals.of(team_id))
