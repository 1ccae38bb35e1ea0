"""HubSpot's OAuth: where a person says yes, and tokens for their code. https://developers.hubspot.com/docs/api/oauth"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

import httpx

from pipeline.errors import CrmUnavailable

SCOPES: Final = (
    *("oauth", "crm.objects.contacts.read", "crm.objects.contacts.write", "crm.objects.deals.read"),
    *("crm.objects.deals.write", "crm.objects.owners.read", "crm.schemas.deals.read"),
)
SECONDS: Final = 8.0
GRANT_GONE: Final = frozenset({"BAD_REFRESH_TOKEN", "BAD_AUTH_CODE", "invalid_grant"})
"""What HubSpot says of a yes that was taken back or has served; any other refusal is about our own settings."""


class CrmGrantRefused(CrmUnavailable):
    """HubSpot refuse cette autorisation : reconnectez-le depuis l'accueil de QuartierScope"""


@dataclass(frozen=True, slots=True)
class CrmTokens:
    """`expires_at`: UTC, ISO."""

    access: str
    refresh: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class CrmOAuth:
    """One application's. `app_url`: where people say yes; `api_url`: where tokens are given."""

    client_id: str
    client_secret: str
    app_url: str
    api_url: str
    redirect_uri: str

    def address(self, state: str) -> str:
        """Where a person chooses a portal and says yes."""
        asked = {"client_id": self.client_id, "redirect_uri": self.redirect_uri, "scope": " ".join(SCOPES)}
        return f"{self.app_url}/oauth/authorize?{urlencode({**asked, 'state': state})}"

    async def exchange(self, code: str) -> CrmTokens:
        """Raises `CrmGrantRefused`, `CrmUnavailable`."""
        return await self._tokens(grant_type="authorization_code", code=code, redirect_uri=self.redirect_uri)

    async def renewed(self, refresh: str) -> CrmTokens:
        """Raises `CrmGrantRefused` where the portal has taken its yes back, `CrmUnavailable`."""
        return await self._tokens(grant_type="refresh_token", refresh_token=refresh)

    async def portal(self, access: str) -> str:
        """The portal's id, of a token. Raises `CrmUnavailable`."""
        return str((await self._asked("GET", f"/oauth/v1/access-tokens/{access}")).get("hub_id") or "")

    async def _tokens(self, **asked: str) -> CrmTokens:
        known = {"client_id": self.client_id, "client_secret": self.client_secret}
        told = await self._asked("POST", "/oauth/v1/token", data={**known, **asked})
        access, refresh = str(told.get("access_token") or ""), str(told.get("refresh_token") or "")
        if not access or not refresh:
            raise CrmUnavailable("HubSpot a répondu autre chose que ce qu'il documente")
        until = datetime.fromtimestamp(time.time() + float(told.get("expires_in") or 0), UTC)
        return CrmTokens(access, refresh, until.isoformat(timespec="milliseconds"))

    async def _asked(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        try:
            async with httpx.AsyncClient(base_url=self.api_url, timeout=SECONDS) as client:
                answer = await client.request(method, path, **given)
            told = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise CrmUnavailable("HubSpot ne répond pas") from error
        told = told if isinstance(told, dict) else {}
        if GRANT_GONE & {str(told.get("status")), str(told.get("error"))}:
            raise CrmGrantRefused
        if answer.status_code != 200:
            raise CrmUnavailable(f"HubSpot a répondu par une erreur ({answer.status_code})")
        return told
