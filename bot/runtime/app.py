"""The Bolt app: its listeners and the one error listener, which turns an error into a sentence with a reference."""

import secrets
from typing import Any

import aiohttp
import structlog
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot import jobs
from bot.engine import Engine
from bot.listeners import (
    batches,
    channels,
    choices,
    commands,
    decisions,
    digests,
    envelopes,
    follow_ups,
    home,
    judging,
    messages,
    revisions,
    shortcuts,
    uploads,
)
from bot.listeners import ignored as others
from bot.listeners.visitors import Visitors

log = structlog.get_logger()


def build_app(
    *,
    client: AsyncWebClient,
    signing_secret: str | None,
    services: jobs.Services,
    engine: Engine,
    parts: tuple[str, ...],
) -> AsyncApp:
    app = AsyncApp(
        client=client, signing_secret=signing_secret, request_verification_enabled=signing_secret is not None
    )
    visitors = Visitors(services.slack)
    envelopes.register(app)
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
        if not await _told(client, body, text):
            log.warning("error_not_shown", reference=reference)

    return app


async def _told(client: AsyncWebClient, body: dict[str, Any], text: str) -> bool:
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
        await client.chat_postEphemeral(channel=channel, user=user, text=text)
    except (SlackApiError, aiohttp.ClientError, TimeoutError, OSError):
        return False
    return True
