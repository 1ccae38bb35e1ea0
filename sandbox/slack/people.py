"""Who is who: auth.test, users.*, team.info, bots.info."""

from sandbox.slack import scopes
from sandbox.slack.arguments import Args
from sandbox.slack.errors import SlackError
from sandbox.slack.state import Json, User
from sandbox.slack.world import World


def auth_test(world: World, args: Args) -> Json:
    """Who the token belongs to."""
    workspace = world.workspace
    return {
        "url": f"{world.base_url}/",
        "team": workspace.team.name,
        "user": workspace.bot.handle,
        "team_id": workspace.team.id,
        "user_id": workspace.app.user_id,
        "bot_id": workspace.app.bot_id,
        "enterprise_id": workspace.enterprise,
        "is_enterprise_install": world.org,
    }


def users_info(world: World, args: Args) -> Json:
    """One person or the bot."""
    user = world.workspace.users.get(args.text("user", missing="user_not_found"))
    if user is None:
        raise SlackError("user_not_found")
    return {"user": described(world, user)}


def users_list(world: World, args: Args) -> Json:
    """Everybody; the firm is small enough for one page."""
    members = [described(world, user) for user in world.workspace.users.values()]
    return {"members": members, "cache_ts": 0, "response_metadata": {"next_cursor": ""}}


def users_lookup_by_email(world: World, args: Args) -> Json:
    """Raises `SlackError` users_not_found."""
    email = args.text("email").casefold()
    found = next((user for user in world.workspace.humans() if user.email.casefold() == email), None)
    if found is None:
        raise SlackError("users_not_found")
    return {"user": described(world, found)}


def team_info(world: World, args: Args) -> Json:
    """The workspace."""
    team = world.workspace.team
    return {"team": {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "aubrac.example"}}


def bots_info(world: World, args: Args) -> Json:
    """The app's own bot."""
    app = world.workspace.app
    if args.optional("bot") not in ("", app.bot_id):
        raise SlackError("bot_not_found")
    return {"bot": {"id": app.bot_id, "deleted": False, "name": app.name, "app_id": app.id, "user_id": app.user_id}}


def described(world: World, user: User) -> Json:
    """Slack's user object."""
    home = world.workspace.team_of(user.id)
    first, _, last = user.name.partition(" ")
    profile: Json = {
        "real_name": user.name,
        "display_name": user.handle,
        "first_name": first,
        "last_name": last,
        "title": user.title,
        "team": home.id,
    }
    if user.is_bot:
        profile["bot_id"] = world.workspace.app.bot_id
    elif scopes.has_email(world):
        profile["email"] = user.email
    return {
        "id": user.id,
        "team_id": home.id,
        "name": user.handle,
        "real_name": user.name,
        "color": user.color,
        "deleted": user.deleted,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "is_admin": False,
        "is_restricted": user.guest,
        "is_ultra_restricted": False,
        "locale": "fr-FR",
        "tz": "Europe/Paris",
        "tz_label": "Central European Time",
        "tz_offset": 3600,
        "profile": profile,
    } | ({"is_stranger": False} if user.team else {})


METHODS = {
    "auth.test": auth_test,
    "users.info": users_info,
    "users.list": users_list,
    "users.lookupByEmail": users_lookup_by_email,
    "team.info": team_info,
    "bots.info": bots_info,
}
