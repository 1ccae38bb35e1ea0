"""The tables of an installation in any workspace: Slack's tokens and states as slack_sdk's own stores shape them, who
has installed us, and each team's HubSpot."""

import sqlalchemy as sa

from bot.store.columns import SealedText, metadata, when


def _who() -> list[sa.Column[str]]:
    """Whose tokens a row holds, in both of slack_sdk's tables."""
    return [
        sa.Column("client_id", sa.String(32), nullable=False),
        sa.Column("app_id", sa.String(32), nullable=False),
        sa.Column("enterprise_id", sa.String(32)),
        sa.Column("enterprise_name", sa.String(200)),
        sa.Column("team_id", sa.String(32)),
        sa.Column("team_name", sa.String(200)),
    ]


def _bot() -> list[sa.Column[str]]:
    return [
        sa.Column("bot_token", SealedText),
        sa.Column("bot_id", sa.String(32)),
        sa.Column("bot_user_id", sa.String(32)),
        sa.Column("bot_scopes", sa.String(1000)),
        sa.Column("bot_refresh_token", SealedText),
    ]


def _kind() -> list[sa.Column[bool]]:
    return [sa.Column("is_enterprise_install", sa.Boolean, nullable=False, default=False)]


slack_installation = sa.Table(
    "slack_installation",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    *_who(),
    sa.Column("enterprise_url", sa.String(200)),
    *_bot(),
    sa.Column("bot_token_expires_at", sa.DateTime),
    sa.Column("user_id", sa.String(32), nullable=False),
    sa.Column("user_token", SealedText),
    sa.Column("user_scopes", sa.String(1000)),
    sa.Column("user_refresh_token", SealedText),
    sa.Column("user_token_expires_at", sa.DateTime),
    sa.Column("incoming_webhook_url", SealedText),
    sa.Column("incoming_webhook_channel", sa.String(200)),
    sa.Column("incoming_webhook_channel_id", sa.String(200)),
    sa.Column("incoming_webhook_configuration_url", sa.String(200)),
    *_kind(),
    sa.Column("token_type", sa.String(32)),
    sa.Column("installed_at", sa.DateTime, nullable=False),
    sa.Index(None, "client_id", "enterprise_id", "team_id", "user_id", "installed_at"),
)
"""slack_sdk's `slack_installations`: one a time that somebody installed us. `team_id` is NULL for an organisation."""

slack_bot = sa.Table(
    "slack_bot",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    *_who(),
    *_bot(),
    sa.Column("bot_token_expires_at", sa.DateTime),
    *_kind(),
    sa.Column("installed_at", sa.DateTime, nullable=False),
    sa.Index(None, "client_id", "enterprise_id", "team_id", "installed_at"),
)
"""slack_sdk's `slack_bots`: the token that we act with."""

slack_oauth_state = sa.Table(
    "slack_oauth_state",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("state", sa.String(200), nullable=False),
    sa.Column("expire_at", sa.DateTime, nullable=False),
    sa.Index(None, "state"),
)
"""slack_sdk's `slack_oauth_states`: what Slack gives back to whom it was given."""

workspace = sa.Table(
    "workspace",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("enterprise_id", sa.String(32)),
    sa.Column("org_install", sa.Boolean, nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    when("installed_at", nullable=False),
    when("left_at"),
    when("forget_at"),
    sa.Index(None, "enterprise_id"),
    sa.Index(None, "forget_at"),
)
"""A team that has installed us, or whose organisation has (`org_install`). `left_at`: it has uninstalled us, and
`forget_at` its data go; both NULL while it is with us."""

crm_account = sa.Table(
    "crm_account",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("portal_id", sa.String(32), nullable=False),
    sa.Column("access_token", SealedText, nullable=False),
    sa.Column("refresh_token", SealedText, nullable=False),
    when("expires_at", nullable=False),
    sa.Column("connected_by", sa.String(64), nullable=False),
    when("connected_at", nullable=False),
)
"""A team's HubSpot portal, connected by one of its members."""

crm_ticket = sa.Table(
    "crm_ticket",
    metadata,
    sa.Column("ticket_hash", sa.String(64), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("user_id", sa.String(64), nullable=False),
    when("expires_at", nullable=False),
)
"""Who may connect a portal to which team, once. `ticket_hash`: SHA-256 of what the link carries."""
