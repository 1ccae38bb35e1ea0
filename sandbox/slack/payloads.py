"""What interaction payloads share: who, where, trigger_id, response_url."""

import secrets
import time

from sandbox.slack import views
from sandbox.slack.state import Channel, Json, ResponseUrl, User
from sandbox.slack.world import World

RESPONSE_URL_S = 30 * 60


def actor(world: World, user: User, *, team: str = "") -> Json:
    """The fields of every interaction: `user.team_id` is the person's team, `team` the app's; `team` forges both."""
    app, own = world.workspace.app, world.workspace.team
    enterprise = world.workspace.enterprise
    team_id, home = team or own.id, team or world.workspace.team_of(user.id).id
    return {
        "user": {"id": user.id, "username": user.handle, "name": user.handle, "team_id": home},
        "api_app_id": app.id,
        "token": app.verification_token,
        "team": None if world.org else {"id": team_id, "domain": own.domain if team_id == own.id else "autre-espace"},
        "enterprise": {"id": enterprise, "name": "Armor (fictive)"} if enterprise else None,
        "is_enterprise_install": world.org,
    }


def trigger(world: World, user: User, *, view_id: str | None = None) -> Json:
    """A fresh trigger_id."""
    return {"trigger_id": views.new_trigger(world, user.id, view_id=view_id)}


def response_url(
    world: World, channel: Channel, user: User, *, message_ts: str | None = None, thread_ts: str | None = None
) -> Json:
    """A fresh response_url for that place and person."""
    key = secrets.token_urlsafe(16)
    world.workspace.response_urls[key] = ResponseUrl(
        channel=channel.id,
        user=user.id,
        message_ts=message_ts,
        thread_ts=thread_ts,
        expires=time.monotonic() + RESPONSE_URL_S,
    )
    return {"response_url": f"{world.base_url}/response/{key}"}
