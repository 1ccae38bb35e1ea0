"""Events that Slack sends because we subscribed, and that ask for nothing: acked, or Slack would send them again."""

from slack_bolt.async_app import AsyncApp

QUIET_EVENTS = ("member_joined_channel", "reaction_added", "app_uninstalled", "tokens_revoked")


def register(app: AsyncApp) -> None:
    async def nothing() -> None:
        """Deliberate silence."""

    for name in QUIET_EVENTS:
        app.event(name)(nothing)
