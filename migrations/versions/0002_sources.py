"""sources of the corpus: who added what, when, for whom"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "source",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("source_id", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("audience", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("added_by", sa.String(length=64), nullable=False),
        sa.Column("added_at", sa.String(length=32), nullable=False),
        sa.Column("decided_by", sa.String(length=64), nullable=True),
        sa.Column("decided_at", sa.String(length=32), nullable=True),
        sa.Column("message_ts", sa.String(length=32), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("file_id", sa.String(length=32), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.String(length=32), nullable=True),
        sa.Column("channel_type", sa.String(length=16), nullable=True),
        sa.Column("thread_ts", sa.String(length=32), nullable=True),
        sa.Column("card_ts", sa.String(length=32), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.String(length=64), nullable=True),
        sa.Column("checked_at", sa.String(length=32), nullable=True),
        sa.Column("documents", sa.Integer(), server_default="0", nullable=False),
        sa.Column("passages", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("skipped", sa.JSON(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("removed_by", sa.String(length=64), nullable=True),
        sa.Column("removed_at", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("team_id", "source_id", name=op.f("pk_source")),
    )
    with op.batch_alter_table("source", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_source_team_id_state_added_at"), ["team_id", "state", "added_at"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_source_team_id_channel_message_ts"), ["team_id", "channel", "message_ts"], unique=False
        )


def downgrade() -> None:
    op.drop_table("source")
