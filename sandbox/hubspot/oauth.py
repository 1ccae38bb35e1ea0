"""HubSpot's OAuth: a page with a button, a code that serves once, tokens that end; each portal with its own."""

import html
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sandbox.hubspot.crm import Crm

CLIENT_ID: Final = "00000000-bac-a-sable"
CLIENT_SECRET: Final = "secret-hubspot-du-bac-a-sable"
USUAL_SECONDS: Final = 1800
OTHER_PORTAL: Final = "148000002"
_PAGE: Final = """<!doctype html><html lang="fr"><meta charset="utf-8"><title>HubSpot (essai)</title>
<h1>QuartierScope demande l'accès à un portail HubSpot</h1><form method="post">{hidden}
<p><label>Portail <select name="portal">{portals}</select></label></p><p>Droits : {scopes}</p>
<button name="said" value="yes">Connecter</button><button name="said" value="no">Annuler</button></form></html>"""


@dataclass(slots=True)
class Portals:
    """`crms`: by portal id. `seconds`: how long the next access tokens live."""

    crms: Mapping[str, Crm]
    seconds: int = USUAL_SECONDS
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)  # portal, redirect_uri
    tokens: dict[str, tuple[str, float]] = field(default_factory=dict)  # portal, until when
    refreshes: dict[str, str] = field(default_factory=dict)

    def of(self, token: str) -> Crm | None:
        """Whose access token it is; None for one that is unknown or has ended."""
        portal, until = self.tokens.get(token, ("", 0.0))
        return self.crms.get(portal) if time.monotonic() < until else None

    def revoke(self, portal: str) -> None:
        """The portal takes its yes back."""
        self.tokens = {name: each for name, each in self.tokens.items() if each[0] != portal}
        self.refreshes = {name: each for name, each in self.refreshes.items() if each != portal}

    def routes(self) -> list[Route]:
        """To be mounted beside the API's."""
        return [
            Route("/oauth/authorize", self._authorize, methods=["GET", "POST"]),
            Route("/oauth/v1/token", self._token, methods=["POST"]),
            Route("/oauth/v1/access-tokens/{token}", self._about, methods=["GET"]),
        ]

    async def _authorize(self, request: Request) -> Response:
        asked = {name: str(value) for name, value in {**request.query_params, **await request.form()}.items()}
        if asked.get("client_id") != CLIENT_ID or not asked.get("redirect_uri"):
            return HTMLResponse("<h1>HubSpot</h1><p>client_id</p>", 400)
        if request.method == "GET":
            return HTMLResponse(self._page(asked))
        told = {"state": asked.get("state", "")}
        if asked.get("said") == "yes" and asked.get("portal") in self.crms:
            told["code"] = secrets.token_urlsafe(16)
            self.codes[told["code"]] = (asked["portal"], asked["redirect_uri"])
        else:
            told["error"] = "access_denied"
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(told)}", 302)

    def _page(self, asked: Mapping[str, str]) -> str:
        names = ("client_id", "redirect_uri", "state", "scope")
        hidden = "".join(f'<input type="hidden" name="{n}" value="{html.escape(asked.get(n, ""))}">' for n in names)
        portals = "".join(f"<option>{portal}</option>" for portal in self.crms)
        return _PAGE.format(hidden=hidden, portals=portals, scopes=html.escape(asked.get("scope", "")))

    async def _token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return _refused("BAD_CLIENT_SECRET", "missing or unknown client id or secret")
        if form.get("grant_type") == "refresh_token":
            refresh = form.get("refresh_token", "")
            portal = self.refreshes.get(refresh)
            if portal is None:
                return _refused("BAD_REFRESH_TOKEN", "missing or invalid refresh token")
        else:
            portal, redirect_uri = self.codes.pop(form.get("code", ""), ("", ""))
            if not portal or redirect_uri != form.get("redirect_uri"):
                return _refused("BAD_AUTH_CODE", "missing or unknown auth code")
            refresh = secrets.token_hex(12)
            self.refreshes[refresh] = portal
        access = f"hs-{secrets.token_hex(16)}"
        self.tokens[access] = (portal, time.monotonic() + self.seconds)
        told = {"token_type": "bearer", "refresh_token": refresh, "access_token": access, "expires_in": self.seconds}
        return JSONResponse(told)

    async def _about(self, request: Request) -> Response:
        portal, until = self.tokens.get(request.path_params["token"], ("", 0.0))
        if not portal or time.monotonic() >= until:
            return JSONResponse({"status": "error", "message": "not found"}, 404)
        return JSONResponse({"token": request.path_params["token"], "hub_id": int(portal), "app_id": 1})


def other_firm() -> Crm:
    """A second portal: the same ids, and nothing else in common with the first."""
    crm = Crm()
    crm.portal_id = int(OTHER_PORTAL)
    for kind, name in (("deals", "dealname"), ("contacts", "lastname")):
        for number, record in crm.records[kind].items():
            record.properties[name] = f"Kermor {number}"
    return crm


def _refused(status: str, message: str) -> Response:
    return JSONResponse({"status": status, "message": message}, 400)
