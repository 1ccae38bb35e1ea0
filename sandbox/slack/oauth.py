"""/oauth/v2/authorize: the page on which somebody says yes; and apps.uninstall, for who says no again."""

import html
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.grants import CLIENT_ID, CLIENT_SECRET, Code, Grant
from sandbox.slack.state import Json
from sandbox.slack.worlds import Worlds

_PAGE: Final = """<!doctype html><html lang="fr"><meta charset="utf-8"><title>Autoriser QuartierScope</title>
<style>body{{font:1.05rem/1.6 system-ui;max-width:34rem;margin:12vh auto;padding:0 1rem}}
button{{font:inherit;padding:.5rem 1.2rem;margin-right:.5rem}}</style>
<h1>QuartierScope demande l'accès à un espace Slack</h1>
<form method="post">{hidden}
<p><label>Espace <select name="team">{teams}</select></label></p>
<p><label><input type="checkbox" name="org" value="1"> toute l'organisation (Enterprise Grid)</label></p>
<p>Droits : {scopes}</p>
<button name="said" value="yes">Autoriser</button><button name="said" value="no">Annuler</button></form></html>"""


async def authorize(worlds: Worlds, request: Request) -> Response:
    """GET shows the page, POST is its button: back to the app with a code, or with access_denied."""
    asked = {name: str(value) for name, value in {**request.query_params, **await request.form()}.items()}
    if asked.get("client_id") != CLIENT_ID or not asked.get("redirect_uri") or not worlds.grants.open:
        return HTMLResponse("<h1>Slack</h1><p>invalid_client_id</p>", 400)
    if request.method == "GET":
        return HTMLResponse(_page(worlds, asked))
    world = worlds.of(asked.get("team", ""))
    if world is None:
        return HTMLResponse("<h1>Slack</h1><p>invalid_team</p>", 400)
    told = {"state": asked.get("state", "")}
    if asked.get("said") != "yes":
        told["error"] = "access_denied"
    else:
        org = bool(asked.get("org")) and bool(world.workspace.enterprise)
        who = world.workspace.humans()[0].id
        told["code"] = worlds.grants.agree(Code(world.workspace.team.id, who, asked["redirect_uri"], org))
    return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(told)}", 302)


def _page(worlds: Worlds, asked: dict[str, str]) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(asked.get(name, ""))}">'
        for name in ("client_id", "redirect_uri", "state", "scope")
    )
    wanted, known = asked.get("team"), [world.workspace.team for world in worlds]
    teams = "".join(
        f'<option value="{team.id}"{" selected" if team.id == wanted else ""}>{html.escape(team.name)}</option>'
        for team in known
    )
    return _PAGE.format(hidden=hidden, teams=teams, scopes=html.escape(asked.get("scope", "").replace(",", ", ")))


def access(worlds: Worlds, args: Args) -> Json:
    """oauth.v2.access: a code, or a refresh token, for a token."""
    if (args.optional("client_id"), args.optional("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
        raise SlackError("bad_client_secret" if args.optional("client_id") == CLIENT_ID else "invalid_client_id")
    if args.optional("grant_type") == "refresh_token":
        return _told(worlds, worlds.grants.renew(args.optional("refresh_token")), scope=args.optional("scope"))
    grant = worlds.grants.exchange(
        args.text("code", missing="invalid_code"), redirect_uri=args.optional("redirect_uri")
    )
    world = worlds.of(grant.team_id)
    assert world is not None
    world.installed, world.org = True, grant.org
    return _told(worlds, grant, scope="")


def uninstall(worlds: Worlds, args: Args) -> Json:
    """apps.uninstall, with the token of the workspace that it is about."""
    world = worlds.of_token(args.optional("token"))
    worlds.uninstall(world)
    return {}


def _told(worlds: Worlds, grant: Grant, *, scope: str) -> Json:
    world = worlds.of(grant.team_id)
    assert world is not None
    app, team = world.workspace.app, world.workspace.team
    enterprise = {"id": world.workspace.enterprise, "name": "Armor (fictive)"} if world.workspace.enterprise else None
    rotation = {"refresh_token": grant.refresh, "expires_in": worlds.grants.seconds} if grant.refresh else {}
    return {
        "access_token": grant.token,
        "token_type": "bot",
        "scope": scope or ",".join(sorted(world.scopes or ())),
        "bot_user_id": app.user_id,
        "app_id": app.id,
        "team": None if grant.org else {"id": team.id, "name": team.name},
        "enterprise": enterprise,
        "is_enterprise_install": grant.org,
        "authed_user": {"id": grant.user_id},
        **rotation,
    }
