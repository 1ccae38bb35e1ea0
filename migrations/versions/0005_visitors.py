"""who asked: member, guest or outsider, of which team, and whether the channel is shared with another company"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rows from before stay NULL: nobody looked who asked, so they are trusted with nothing."""
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.add_column(sa.Column("visitor", sa.String(length=16), nullable=True))
        batch_op.add_column(sa.Column("visitor_team", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("shared_channel", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.drop_column("shared_channel")
        batch_op.drop_column("visitor_team")
        batch_op.drop_column("visitor")
