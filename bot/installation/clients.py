"""Slack's clients of each team: every call takes the token that the team has at that moment."""

from collections.abc import Callable
from typing import Any, Final

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.installation.tokens import Tokens
from bot.slack.delivery import Slack

REFUSED: Final = {"token_expired", "invalid_auth", "token_revoked", "not_authed"}


class TeamClient(AsyncWebClient):
    """Raises `WorkspaceGone` besides what a client raises."""

    def __init__(self, tokens: Tokens, team_id: str, **given: Any) -> None:
        super().__init__(**given)
        self._tokens, self._of_team = tokens, team_id

    async def api_call(self, api_method: str, **given: Any) -> AsyncSlackResponse:
        """A refused call did nothing, and is made once more where another token is found."""
        bot = await self._tokens.bot_of(self._of_team)
        self.token = bot.bot_token
        try:
            return await super().api_call(api_method, **given)
        except SlackApiError as error:
            if _code(error) not in REFUSED:
                raise
            other = await self._tokens.after_refusal(self._of_team, str(bot.bot_token))
            if other is None:
                raise
        self.token = other.bot_token
        return await super().api_call(api_method, **given)


class Installed:
    """The `Workspaces` of an installation in any workspace. `clients`: a team's, for its tokens."""

    def __init__(self, clients: Callable[[str], Slack]) -> None:
        self._clients = clients
        self._known: dict[str, Slack] = {}

    def of(self, team_id: str) -> Slack:
        """Kept, for its pace is that of the team's channels."""
        if team_id not in self._known:
            self._known[team_id] = self._clients(team_id)
        return self._known[team_id]


def _code(error: SlackApiError) -> str:
    data = getattr(error.response, "data", None)
    return str(data.get("error") or "") if isinstance(data, dict) else ""
