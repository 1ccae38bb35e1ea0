"""The tables of official news and of what channels watch for."""

import sqlalchemy as sa

from bot.store.columns import SealedText, metadata, when

news_feed = sa.Table(
    "news_feed",
    metadata,
    sa.Column("feed_id", sa.String(40), primary_key=True),
    when("next_at", nullable=False),
    when("checked_at"),
    when("read_at"),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("reason", sa.Text),
    sa.Column("etag", sa.Text),
    sa.Column("last_modified", sa.String(64)),
    sa.Column("digest", sa.String(64)),
    sa.Column("held", sa.JSON),
    sa.Index(None, "next_at"),
)
"""How reading a feed or page goes. `next_at`: when it is due; `checked_at`, `read_at`: the last try, and the last that
succeeded; `failures` in a row; `held`: hashes of the paragraphs of a page as last read."""

news_item = sa.Table(
    "news_item",
    metadata,
    sa.Column("item_id", sa.String(40), primary_key=True),
    sa.Column("feed_id", sa.String(40), nullable=False),
    sa.Column("publisher", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("copy_of", sa.String(40)),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("lead", sa.Text, nullable=False),
    sa.Column("topic", sa.String(16), nullable=False),
    sa.Column("schemes", sa.JSON, nullable=False),
    sa.Column("published_on", sa.String(10), nullable=False),
    when("seen_at", nullable=False),
    sa.Column("content", sa.String(64), nullable=False),
    sa.Column("title_key", sa.String(64), nullable=False),
    sa.Column("sketch", sa.LargeBinary, nullable=False),
    sa.Column("marks", sa.Text, nullable=False),
    sa.Column("embedded", sa.Boolean, nullable=False),
    sa.Index(None, "state", "seen_at"),
    sa.Index(None, "state", "published_on"),
    sa.Index(None, "title_key"),
    sa.Index(None, "feed_id", "embedded"),
)
"""One a publication that a feed has shown, by its address. `publisher`: the feed's name; `state`: kept, copy (of
`copy_of`), aside (another language or another field), old, retired. `lead`: its first sentences; `content`: hash of its
text; `title_key`, `sketch` and `marks` (its numbers and names) tell copies; `embedded`: whether it is found by its
meaning too."""

watch = sa.Table(
    "watch",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("watch_id", sa.String(40), primary_key=True),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("question", SealedText, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("created_by", sa.String(64), nullable=False),
    when("created_at", nullable=False),
    when("next_at", nullable=False),
    when("checked_at"),
    sa.Column("reason", SealedText),
    sa.Index(None, "state", "next_at"),
    sa.Index(None, "team_id", "channel"),
)
"""A question that a channel has asked once for every day; what it finds is in `alert`. `state`: active or stopped;
`reason`: why the last look found nothing out."""
