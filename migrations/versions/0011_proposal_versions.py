"""proposals: versions, where each came from, who resolved and who undid it, the message for all of one answer"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.add_column(sa.Column("origin", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
        batch_op.add_column(sa.Column("edited_by", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("superseded_by", sa.String(length=48), nullable=True))
        batch_op.add_column(sa.Column("resolved_by", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("undone_by", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("undone_at", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("batch_ts", sa.String(length=32), nullable=True))
        batch_op.drop_constraint(batch_op.f("uq_proposal_answer_id_position"), type_="unique")
        batch_op.create_unique_constraint(
            batch_op.f("uq_proposal_answer_id_position_version"), ["answer_id", "position", "version"]
        )


def downgrade() -> None:
    """Older versions of an edited proposal go: the older tables have room for one."""
    op.execute("delete from proposal where superseded_by is not null")
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_proposal_answer_id_position_version"), type_="unique")
        batch_op.create_unique_constraint(batch_op.f("uq_proposal_answer_id_position"), ["answer_id", "position"])
        for name in ("batch_ts", "undone_at", "undone_by", "resolved_by", "superseded_by", "edited_by", "version"):
            batch_op.drop_column(name)
        batch_op.drop_column("origin")
