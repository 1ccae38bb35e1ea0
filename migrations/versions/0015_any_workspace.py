"""any workspace: who has installed us, with which tokens, and each team's HubSpot"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_slack_tables()
    op.create_table(
        "workspace",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("enterprise_id", sa.String(length=32), nullable=True),
        sa.Column("org_install", sa.Boolean(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("installed_at", sa.String(length=32), nullable=False),
        sa.Column("left_at", sa.String(length=32), nullable=True),
        sa.Column("forget_at", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("team_id", name=op.f("pk_workspace")),
    )
    op.create_index(op.f("ix_workspace_enterprise_id"), "workspace", ["enterprise_id"])
    op.create_index(op.f("ix_workspace_forget_at"), "workspace", ["forget_at"])
    op.create_table(
        "crm_account",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("portal_id", sa.String(length=32), nullable=False),
        sa.Column("access_token", sa.Text(), nullable=False),
        sa.Column("refresh_token", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.Column("connected_by", sa.String(length=64), nullable=False),
        sa.Column("connected_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", name=op.f("pk_crm_account")),
    )
    op.create_table(
        "crm_ticket",
        sa.Column("ticket_hash", sa.String(length=64), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("ticket_hash", name=op.f("pk_crm_ticket")),
    )


def _create_slack_tables() -> None:
    """As slack_sdk shapes them, with room for tokens that are sealed."""
    op.create_table(
        "slack_installation",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        *_who(),
        sa.Column("enterprise_url", sa.String(length=200), nullable=True),
        *_bot(),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("user_token", sa.Text(), nullable=True),
        sa.Column("user_scopes", sa.String(length=1000), nullable=True),
        sa.Column("user_refresh_token", sa.Text(), nullable=True),
        sa.Column("user_token_expires_at", sa.DateTime(), nullable=True),
        sa.Column("incoming_webhook_url", sa.Text(), nullable=True),
        sa.Column("incoming_webhook_channel", sa.String(length=200), nullable=True),
        sa.Column("incoming_webhook_channel_id", sa.String(length=200), nullable=True),
        sa.Column("incoming_webhook_configuration_url", sa.String(length=200), nullable=True),
        sa.Column("token_type", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slack_installation")),
    )
    found_by = ["client_id", "enterprise_id", "team_id", "user_id", "installed_at"]
    op.create_index(op.f("ix_slack_installation_client_id"), "slack_installation", found_by)
    op.create_table(
        "slack_bot",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        *_who(),
        *_bot(),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slack_bot")),
    )
    found_by = ["client_id", "enterprise_id", "team_id", "installed_at"]
    op.create_index(op.f("ix_slack_bot_client_id"), "slack_bot", found_by)
    op.create_table(
        "slack_oauth_state",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("expire_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slack_oauth_state")),
    )
    op.create_index(op.f("ix_slack_oauth_state_state"), "slack_oauth_state", ["state"])


def _who() -> list[sa.Column[str]]:
    return [
        sa.Column("client_id", sa.String(length=32), nullable=False),
        sa.Column("app_id", sa.String(length=32), nullable=False),
        sa.Column("enterprise_id", sa.String(length=32), nullable=True),
        sa.Column("enterprise_name", sa.String(length=200), nullable=True),
        sa.Column("team_id", sa.String(length=32), nullable=True),
        sa.Column("team_name", sa.String(length=200), nullable=True),
    ]


def _bot() -> "list[sa.Column[object]]":
    return [
        sa.Column("bot_token", sa.Text(), nullable=True),
        sa.Column("bot_id", sa.String(length=32), nullable=True),
        sa.Column("bot_user_id", sa.String(length=32), nullable=True),
        sa.Column("bot_scopes", sa.String(length=1000), nullable=True),
        sa.Column("bot_refresh_token", sa.Text(), nullable=True),
        sa.Column("bot_token_expires_at", sa.DateTime(), nullable=True),
        sa.Column("is_enterprise_install", sa.Boolean(), nullable=False),
        sa.Column("installed_at", sa.DateTime(), nullable=False),
    ]


def downgrade() -> None:
    for table in ("crm_ticket", "crm_account", "workspace", "slack_oauth_state", "slack_bot", "slack_installation"):
        op.drop_table(table)
