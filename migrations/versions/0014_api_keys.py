"""keys of programs"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "api_key",
        sa.Column("key_id", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("deals", sa.Boolean(), nullable=False),
        sa.Column("adviser", sa.String(length=254), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("added_at", sa.String(length=32), nullable=False),
        sa.Column("used_at", sa.String(length=32), nullable=True),
        sa.Column("revoked_at", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_api_key")),
    )
    op.create_index(op.f("ix_api_key_team_id"), "api_key", ["team_id", "name"])


def downgrade() -> None:
    op.drop_index(op.f("ix_api_key_team_id"), table_name="api_key")
    op.drop_table("api_key")
