"""Asks Slack once, at the start, whether it knows our tokens: a wrong one must be a sentence, not a silence."""

from collections.abc import Awaitable
from typing import Any

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import WrongSetting

log = structlog.get_logger()

REFUSED = {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type"}
BOT_FIX = "copiez le jeton « Bot User OAuth Token » (xoxb-…) de votre application Slack"
APP_FIX = "créez un jeton d'application (xapp-…) avec le droit connections:write"


async def check_tokens(client: AsyncWebClient, *, app_token: str | None) -> None:
    """Raises `WrongSetting` when Slack refuses a token; an unreachable Slack is only logged, it may come back."""
    await _check("SLACK_BOT_TOKEN", client.auth_test(), fix=BOT_FIX)
    if app_token is not None:
        await _check("SLACK_APP_TOKEN", client.apps_connections_open(app_token=app_token), fix=APP_FIX)


async def _check(setting: str, call: Awaitable[Any], *, fix: str) -> None:
    try:
        await call
    except SlackApiError as error:
        code = str(error.response.get("error", ""))
        if code in REFUSED:
            raise WrongSetting(f"{setting} : Slack refuse ce jeton ({code}) ; {fix}.") from error
        log.warning("token_not_checked", setting_name=setting, code=code)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        log.warning("token_not_checked", setting_name=setting, error=repr(error))
