"""weekly digests: who wants what, one row a channel and ISO week, what was known of a commune, lines in between"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "subscription",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("communes", sa.JSON(), nullable=False),
        sa.Column("schemes", sa.JSON(), nullable=False),
        sa.Column("topics", sa.JSON(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(length=5), nullable=False),
        sa.Column("length", sa.String(length=16), nullable=False),
        sa.Column("alerts", sa.Boolean(), nullable=False),
        sa.Column("alert_days", sa.Integer(), nullable=False),
        sa.Column("shared_allowed", sa.Boolean(), nullable=False),
        sa.Column("active_since", sa.String(length=32), nullable=False),
        sa.Column("changed_by", sa.String(length=64), nullable=False),
        sa.Column("changed_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "channel", name=op.f("pk_subscription")),
    )
    op.create_index(op.f("ix_subscription_state"), "subscription", ["state"], unique=False)
    _weekly()


def _weekly() -> None:
    op.create_table(
        "digest",
        *_week("team_id", "channel"),
        sa.Column("slot", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("content", sa.JSON(), nullable=True),
        sa.Column("content_hash", sa.String(length=64), nullable=True),
        sa.Column("built_at", sa.String(length=32), nullable=True),
        sa.Column("posting_at", sa.String(length=32), nullable=True),
        sa.Column("ts", sa.String(length=32), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("team_id", "channel", "iso_year", "iso_week", name=op.f("pk_digest")),
    )
    op.create_index(op.f("ix_digest_team_id_channel_slot"), "digest", ["team_id", "channel", "slot"], unique=False)
    op.create_table(
        "commune_snapshot",
        *_week("team_id", "insee"),
        sa.Column("findings", sa.JSON(), nullable=False),
        sa.Column("taken_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "insee", "iso_year", "iso_week", name=op.f("pk_commune_snapshot")),
    )
    op.create_table(
        "alert",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("alert_id", sa.String(length=64), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("found_at", sa.String(length=32), nullable=False),
        sa.Column("posting_at", sa.String(length=32), nullable=True),
        sa.Column("ts", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("team_id", "channel", "alert_id", name=op.f("pk_alert")),
    )


def _week(team: str, what: str) -> list[sa.Column[object]]:
    """The key of what there is once an ISO week."""
    size = 5 if what == "insee" else 32
    return [
        sa.Column(team, sa.String(length=32), nullable=False),
        sa.Column(what, sa.String(length=size), nullable=False),
        sa.Column("iso_year", sa.Integer(), nullable=False),
        sa.Column("iso_week", sa.Integer(), nullable=False),
    ]


def downgrade() -> None:
    for table in ("alert", "commune_snapshot", "digest", "subscription"):
        op.drop_table(table)
