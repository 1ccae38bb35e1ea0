"""The Bolt app: its listeners and the one error listener, which turns an error into a sentence with a reference."""

import secrets
from typing import Any

import aiohttp
import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot import jobs
from bot.engine import Engine
from bot.errors import WorkspaceGone
from bot.listeners import (
    batches,
    channels,
    choices,
    commands,
    decisions,
    departures,
    digests,
    envelopes,
    follow_ups,
    home,
    judging,
    messages,
    revisions,
    shortcuts,
    stopping,
    uploads,
)
from bot.listeners import ignored as others
from bot.listeners.clicks import team_of
from bot.listeners.visitors import Visitors
from bot.slack.delivery import Slack, SlackRefused, SlackUnavailable, ThreadRef, post_privately

log = structlog.get_logger()

_NAME = "quartierscope"
"""Without a name Bolt reads the source of every frame that called it for one: some .15 s of each start."""


def build_app(
    *,
    client: AsyncWebClient | None,
    signing_secret: str | None,
    services: jobs.Services,
    engine: Engine,
    parts: tuple[str, ...],
) -> AsyncApp:
    """`client`: the one workspace's, None where each team has its own."""
    signed = {"signing_secret": signing_secret, "request_verification_enabled": signing_secret is not None}
    app = _app(client, services, signed)
    visitors = Visitors(services.slack)
    envelopes.register(app)
    if services.installing is not None:
        departures.register(app, departures=services.installing.departures)
    messages.register(
        app, database=services.database, engine=engine, visitors=visitors, telemetry=services.deps.telemetry
    )
    decisions.register(app, services=services, engine=engine, visitors=visitors)
    batches.register(app, services=services, engine=engine, visitors=visitors)
    revisions.register(app, services=services, visitors=visitors)
    choices.register(app, services=services, engine=engine, visitors=visitors)
    follow_ups.register(app, services=services, engine=engine, visitors=visitors)
    shortcuts.register(app, services=services, engine=engine, visitors=visitors)
    uploads.register(app, services=services, engine=engine, visitors=visitors)
    judging.register(app, services=services, engine=engine, visitors=visitors)
    stopping.register(app, services=services, visitors=visitors)
    home.register(app, services=services, engine=engine, parts=parts, visitors=visitors)
    commands.register(app, services=services, engine=engine, visitors=visitors)
    digests.register(app, services=services, visitors=visitors)
    channels.register(app, services=services, visitors=visitors)
    others.register(app)

    @app.error
    async def on_error(error: Exception, body: dict[str, Any]) -> None:
        reference = "QS-" + secrets.token_hex(4).upper()
        log.error("listener_failed", reference=reference, kind=body.get("type"), error=repr(error), exc_info=error)
        what = "Cette commande" if body.get("command") else "Ce clic"
        text = f"{what} n'a pas abouti : une erreur technique est survenue (référence `{reference}`). Réessayez."
        if not await _told(services.slack.of(team_of(body)), body, text):
            log.warning("error_not_shown", reference=reference)

    return app


def _app(client: AsyncWebClient | None, services: jobs.Services, signed: dict[str, Any]) -> AsyncApp:
    installing = services.installing
    if installing is None:
        return AsyncApp(name=_NAME, client=client, **signed)
    from bot.installation.flow import name_team

    authorize: Any = installing.authorize  # an AsyncAuthorize, which Bolt's annotation leaves out
    return AsyncApp(
        name=_NAME,
        client=installing.client,
        before_authorize=name_team,
        authorize=authorize,
        oauth_flow=installing.flow,
        **signed,
    )


async def _told(slack: Slack, body: dict[str, Any], text: str) -> bool:
    """To who clicked or typed alone, by the address that Slack gave for it: that works where the bot is no member too.
    True for an event, of which nobody awaits a word: no ack was given, Slack delivers it again."""
    if address := body.get("response_url"):
        try:
            answered = await AsyncWebhookClient(str(address)).send(text=text, response_type="ephemeral")
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False
        return bool(answered.status_code == 200)
    channel = body["channel"].get("id") if isinstance(body.get("channel"), dict) else body.get("channel_id")
    user = body["user"].get("id") if isinstance(body.get("user"), dict) else body.get("user_id")
    if not channel or not user:
        return True
    try:
        await post_privately(slack, ThreadRef(channel, None), user=user, text=text)
    except (SlackRefused, SlackUnavailable, WorkspaceGone):
        return False
    return True
