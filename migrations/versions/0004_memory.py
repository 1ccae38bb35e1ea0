"""what a thread is about after each answer: the frames that its next message may change"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answer", sa.Column("memory", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("answer", "memory")
