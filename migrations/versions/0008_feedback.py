"""what people say of an answer: one verdict a person, which may change"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feedback",
        sa.Column("answer_id", sa.String(length=160), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.answer_id"], name=op.f("fk_feedback_answer_id_answer")),
        sa.PrimaryKeyConstraint("answer_id", "user_id", name=op.f("pk_feedback")),
    )
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_feedback_team_id_at"), ["team_id", "at"], unique=False)


def downgrade() -> None:
    op.drop_table("feedback")
