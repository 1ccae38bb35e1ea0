"""what language models cost, by team, day and person"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spending",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("euros", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "day", "person", name=op.f("pk_spending")),
    )


def downgrade() -> None:
    op.drop_table("spending")
