"""/hubspot/connect and /hubspot/oauth_redirect: the two pages on a team's way to its own HubSpot."""

import html
from collections.abc import Sequence
from typing import Final

from aiohttp import web

from bot.errors import StoreUnavailable
from bot.installation.pages import page
from bot.installation.portals import TeamPortals
from bot.store import crm_accounts, workspaces
from bot.store.database import Database
from pipeline.errors import CrmUnavailable

CONNECT: Final = "/hubspot/connect"
BACK: Final = "/hubspot/oauth_redirect"
COOKIE: Final = "quartierscope-hubspot"
TITLE: Final = "Connecter HubSpot"
EXPIRED: Final = (
    "<p>Ce lien a expiré ou a déjà servi : rouvrez l'accueil de QuartierScope dans Slack et recommencez.</p>"
)
CHOICE: Final = """<p>L'espace Slack <b>{team}</b> lira les dossiers, contacts et tâches du portail que vous
choisirez, et y écrira ce que ses membres valident. Ne continuez que si c'est le vôtre.</p>
<p><a class="button" href="{address}">Choisir le portail HubSpot</a></p>"""
DONE: Final = "<p>HubSpot est connecté à votre espace Slack. Vous pouvez fermer cette page.</p>"


def portal_routes(portals: TeamPortals, database: Database) -> Sequence[web.RouteDef]:
    """The yes of a browser counts for the ticket that this very browser opened: the cookie says which."""

    async def connect(request: web.Request) -> web.Response:
        shown = request.query.get("ticket", "")
        ticket = await database.read(lambda c: crm_accounts.holder(c, shown))
        if ticket is None:
            return _page(403, EXPIRED)
        row = await database.read(lambda c: workspaces.find(c, ticket.team_id))
        team = html.escape((row or {}).get("name") or ticket.team_id)
        answer = _page(200, CHOICE.format(team=team, address=html.escape(portals.oauth.address(shown))))
        safe = portals.oauth.redirect_uri.startswith("https://")
        answer.set_cookie(COOKIE, shown, path="/hubspot", max_age=3600, httponly=True, secure=safe, samesite="Lax")
        return answer

    async def back(request: web.Request) -> web.Response:
        shown, code = request.query.get("state", ""), request.query.get("code", "")
        if not shown or request.cookies.get(COOKIE) != shown:
            return _page(403, EXPIRED)
        if not code:
            return _page(200, "<p>La connexion a été annulée : rien n'a changé.</p>")
        try:
            done = await portals.connected(shown, code)
        except (CrmUnavailable, StoreUnavailable) as error:
            return _page(502, f"<p>{html.escape(str(error))}. Rien n'a changé : recommencez depuis Slack.</p>")
        return _page(403, EXPIRED) if done is None else _page(200, DONE)

    return [web.get(CONNECT, connect), web.get(BACK, back)]


def _page(status: int, body: str) -> web.Response:
    headers = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return web.Response(status=status, text=page(TITLE, body), content_type="text/html", headers=headers)
