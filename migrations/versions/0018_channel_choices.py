"""what members chose for the answers in a channel: communes, deal, form, team files, language model"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("channel_setting", sa.Column("choices", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("channel_setting", "choices")
