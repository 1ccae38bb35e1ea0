"""Slack's own OAuth flow (Bolt's), with pages in French, and who may be answered: each team with a token of its own."""

import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import structlog
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import WorkspaceGone
from bot.installation.departures import Departures
from bot.installation.pages import page
from bot.installation.portals import TeamPortals
from bot.installation.stores import Installations, States
from bot.installation.tokens import Tokens
from bot.store.inbox import utc_now

log = structlog.get_logger()

INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"
SCOPES: Final = (
    *("app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands"),
    *("files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "mpim:history"),
    *("mpim:read", "users:read", "users:read.email"),
)
"""The manifest's."""
REASONS: Final = {
    "access_denied": "L'installation a été annulée : rien n'a été installé.",
    "invalid_browser": "Ce lien n'a pas été ouvert dans ce navigateur : recommencez l'installation ici.",
    "invalid_state": "Ce lien d'installation a expiré ou a déjà servi : recommencez l'installation.",
    "invalid_code": "Slack n'a pas reconnu cette installation : recommencez-la.",
    "missing_code": "Slack n'a pas dit ce qui est installé : recommencez l'installation.",
    "storage_error": "L'installation n'a pas pu être enregistrée : réessayez dans un instant.",
}
FAILED: Final = "L'installation n'a pas abouti : recommencez-la."


@dataclass(frozen=True, slots=True)
class Installing:
    """What the web process of an installation in any workspace needs besides its jobs."""

    client: AsyncWebClient
    flow: AsyncOAuthFlow
    authorize: AsyncAuthorize
    departures: Departures
    portals: TeamPortals | None = None


def oauth_flow(
    client: AsyncWebClient,
    *,
    client_id: str,
    client_secret: str,
    scopes: tuple[str, ...],
    public_url: str,
    authorization_url: str,
    stores: tuple[Installations, States],
) -> AsyncOAuthFlow:
    """Bolt's. `public_url`: where Slack sends people back to, without a path."""
    installations, states = stores
    settings = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=scopes,
        user_scopes=[],
        redirect_uri=f"{public_url}{REDIRECT_PATH}",
        install_path=INSTALL_PATH,
        redirect_uri_path=REDIRECT_PATH,
        install_page_rendering_enabled=False,
        callback_options=AsyncCallbackOptions(success=_installed, failure=_refused),
        authorization_url=authorization_url,
        installation_store=installations,
        state_store=states,
    )
    return AsyncOAuthFlow(client=client, settings=settings)


class Authorizing(AsyncAuthorize):
    """Whom an event is answered with: the token of its own team, or nobody. Asks Slack nothing."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        **_actor: str | None,
    ) -> AuthorizeResult | None:
        if not team_id:
            return None
        if context.is_enterprise_install and enterprise_id:
            await self._tokens.of_org(team_id, enterprise_id, name="", now=utc_now())
        try:
            bot = await self._tokens.bot_of(team_id)
        except WorkspaceGone:
            log.info("absent_workspace_spoke", team=team_id)
            return None
        return AuthorizeResult(
            enterprise_id=bot.enterprise_id,
            team_id=team_id,
            bot_user_id=bot.bot_user_id,
            bot_id=bot.bot_id,
            bot_token=bot.bot_token,
            bot_scopes=bot.bot_scopes,
        )


async def name_team(body: dict[str, Any], context: AsyncBoltContext, next: Callable[[], Awaitable[None]]) -> None:
    """Before who may is looked at: an event of an organisation's installation names its team outside only."""
    outer = str(body.get("context_team_id") or body.get("team_id") or "")
    if context.is_enterprise_install and not context.team_id and outer.startswith("T"):
        context["team_id"] = outer
    await next()


async def _installed(args: AsyncSuccessArgs) -> BoltResponse:
    installation = args.installation
    where = installation.enterprise_name if installation.is_enterprise_install else installation.team_name
    log.info("workspace_joined", team=installation.team_id, enterprise=installation.enterprise_id)
    home = f"slack://app?team={installation.team_id or ''}&id={installation.app_id or ''}&tab=home"
    said = f"<p>QuartierScope est installé dans {html.escape(where or 'votre espace Slack')}. "
    said += "Mentionnez-le dans un canal où il est invité.</p>"
    link = f'<p><a href="{html.escape(home)}">Ouvrir QuartierScope dans Slack</a></p>'
    return _page(200, "QuartierScope est installé", f"{said}{link}")


async def _refused(args: AsyncFailureArgs) -> BoltResponse:
    log.warning("not_installed", reason=args.reason)
    again = f'<p><a href="{INSTALL_PATH}">Recommencer</a></p>'
    said = f"<p>{REASONS.get(args.reason, FAILED)}</p>{again}"
    return _page(args.suggested_status_code, "QuartierScope n'est pas installé", said)


def _page(status: int, title: str, body: str) -> BoltResponse:
    headers = {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": [_NO_STATE]}
    return BoltResponse(status=status, body=page(title, body), headers=headers)


_NO_STATE: Final = "slack-app-oauth-state=deleted; Secure; HttpOnly; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
