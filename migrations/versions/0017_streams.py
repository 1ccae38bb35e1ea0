"""whether the message in which an answer stands was begun as one that grows"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answer", sa.Column("stream", sa.String(length=8), nullable=True))


def downgrade() -> None:
    op.drop_column("answer", "stream")
