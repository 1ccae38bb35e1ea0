"""What programs are served with."""

from dataclasses import dataclass

from bot.conversations.budgets import Budgets
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
