"""what members chose for a channel: whether deals are shown there, who may approve"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "channel_setting",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("deals", sa.String(length=8), nullable=False),
        sa.Column("deals_by", sa.String(length=64), nullable=True),
        sa.Column("deals_at", sa.String(length=32), nullable=True),
        sa.Column("approvers", sa.JSON(), nullable=False),
        sa.Column("changed_by", sa.String(length=64), nullable=False),
        sa.Column("changed_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "channel", name=op.f("pk_channel_setting")),
    )


def downgrade() -> None:
    op.drop_table("channel_setting")
