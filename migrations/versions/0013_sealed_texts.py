"""texts under a key: a name may be longer once sealed, and the proof of the key that is needed"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "text_key",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("proof", sa.String(length=255), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text_key")),
    )
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.alter_column(
            "decided_by_name", existing_type=sa.String(length=128), type_=sa.Text(), existing_nullable=True
        )


def downgrade() -> None:
    """Names that are too long for the older column, sealed ones, go."""
    op.execute("update proposal set decided_by_name = null where length(decided_by_name) > 128")
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.alter_column(
            "decided_by_name", existing_type=sa.Text(), type_=sa.String(length=128), existing_nullable=True
        )
    op.drop_table("text_key")
