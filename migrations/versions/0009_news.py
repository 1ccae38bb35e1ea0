"""official news, how their feeds go, and what channels watch for"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _news()
    _watches()


def _news() -> None:
    op.create_table(
        "news_feed",
        sa.Column("feed_id", sa.String(length=40), nullable=False),
        sa.Column("next_at", sa.String(length=32), nullable=False),
        sa.Column("checked_at", sa.String(length=32), nullable=True),
        sa.Column("read_at", sa.String(length=32), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.String(length=64), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("held", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("feed_id", name=op.f("pk_news_feed")),
    )
    op.create_index(op.f("ix_news_feed_next_at"), "news_feed", ["next_at"], unique=False)
    op.create_table(
        "news_item",
        sa.Column("item_id", sa.String(length=40), nullable=False),
        sa.Column("feed_id", sa.String(length=40), nullable=False),
        sa.Column("publisher", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("copy_of", sa.String(length=40), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("lead", sa.Text(), nullable=False),
        sa.Column("topic", sa.String(length=16), nullable=False),
        sa.Column("schemes", sa.JSON(), nullable=False),
        sa.Column("published_on", sa.String(length=10), nullable=False),
        sa.Column("seen_at", sa.String(length=32), nullable=False),
        sa.Column("content", sa.String(length=64), nullable=False),
        sa.Column("title_key", sa.String(length=64), nullable=False),
        sa.Column("sketch", sa.LargeBinary(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("embedded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_news_item")),
    )
    for columns in (["state", "seen_at"], ["state", "published_on"], ["title_key"], ["feed_id", "embedded"]):
        op.create_index(op.f(f"ix_news_item_{'_'.join(columns)}"), "news_item", columns, unique=False)


def _watches() -> None:
    op.create_table(
        "watch",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("watch_id", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.Column("next_at", sa.String(length=32), nullable=False),
        sa.Column("checked_at", sa.String(length=32), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("team_id", "watch_id", name=op.f("pk_watch")),
    )
    op.create_index(op.f("ix_watch_state_next_at"), "watch", ["state", "next_at"], unique=False)
    op.create_index(op.f("ix_watch_team_id_channel"), "watch", ["team_id", "channel"], unique=False)


def downgrade() -> None:
    for table in ("watch", "news_item", "news_feed"):
        op.drop_table(table)
