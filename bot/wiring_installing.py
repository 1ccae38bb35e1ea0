"""Settings -> an installation in any workspace: Slack's flow, each team's tokens, and what becomes of who leaves."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from bot.crm.oauth import CrmOAuth
from bot.installation.clients import Installed, TeamClient
from bot.installation.departures import Departures
from bot.installation.flow import SCOPES, Authorizing, Installing, oauth_flow
from bot.installation.portals import OpenPortal, TeamPortals
from bot.installation.stores import Installations, States
from bot.installation.tokens import Tokens
from bot.settings import Settings
from bot.slack.clients import slack_of
from bot.slack.delivery import Slack
from bot.store.database import Database
from corpus.ports import PassageIndex


def installed(
    settings: Settings,
    database: Database,
    index: PassageIndex,
    *,
    portal_of: Callable[[str], OpenPortal],
    given: dict[str, Any],
) -> tuple[Installed, Installing]:
    """`given`: what each of Slack's clients is made of, but for its token."""
    secret = settings.slack_client_secret.get_secret_value() if settings.slack_client_secret else ""
    named = {"client_id": settings.slack_client_id, "client_secret": secret}
    client = AsyncWebClient(**given)
    installations = Installations(database, client_id=settings.slack_client_id)
    tokens = Tokens(database, installations, AsyncTokenRotator(client=client, **named))
    flow = oauth_flow(
        client,
        **named,
        scopes=settings.scopes or SCOPES,
        public_url=settings.public_url or "",
        authorization_url=authorization_url(settings.slack_api_url),
        stores=(installations, States(database)),
    )

    def clients(team_id: str) -> Slack:
        return slack_of(TeamClient(tokens, team_id, **given, retry_handlers=[]), TeamClient(tokens, team_id, **given))

    departures = Departures(database, installations, tokens, index, settings.forget_team_days)
    portals = TeamPortals(database, oauth, portal_of) if (oauth := _crm_oauth(settings)) else None
    return Installed(clients), Installing(client, flow, Authorizing(tokens), departures, portals)


def _crm_oauth(settings: Settings) -> CrmOAuth | None:
    """None without an application at HubSpot: then no team has a CRM."""
    if not settings.hubspot_client_id or settings.hubspot_client_secret is None:
        return None
    return CrmOAuth(
        settings.hubspot_client_id,
        settings.hubspot_client_secret.get_secret_value(),
        app_url=settings.hubspot_app_url,
        api_url=settings.hubspot_api_url,
        redirect_uri=f"{settings.public_url}/hubspot/oauth_redirect",
    )


def authorization_url(api_url: str) -> str:
    """Where people say yes, beside the API's address: https://slack.com/oauth/v2/authorize."""
    parts = urlsplit(api_url)
    return f"{parts.scheme}://{parts.netloc}/oauth/v2/authorize"
