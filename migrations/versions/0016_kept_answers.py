"""answers that may be given again"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_answer",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("answer_id", sa.String(length=160), nullable=False),
        sa.Column("made_at", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_kept_answer")),
    )
    op.create_index(op.f("ix_kept_answer_team_id_expires_at"), "kept_answer", ["team_id", "expires_at"])
    op.create_index(op.f("ix_kept_answer_answer_id"), "kept_answer", ["answer_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_kept_answer_answer_id"), table_name="kept_answer")
    op.drop_index(op.f("ix_kept_answer_team_id_expires_at"), table_name="kept_answer")
    op.drop_table("kept_answer")
