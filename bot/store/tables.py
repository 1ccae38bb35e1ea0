"""The tables, for SQLite and PostgreSQL alike. Every row belongs to one Slack team, but for official news, which are
everybody's."""

import sqlalchemy as sa

from bot.store import installation_tables
from bot.store.columns import Row, SealedJson, SealedText, metadata
from bot.store.columns import when as _when
from bot.store.kept_answers import kept_answer
from bot.store.news_tables import news_feed, news_item, watch

__all__ = ["Row", "installation_tables", "kept_answer", "metadata", "news_feed", "news_item", "watch"]

inbound_event = sa.Table(
    "inbound_event",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("event_id", sa.String(64), primary_key=True),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("ts", sa.String(32), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("answer_id", sa.String(160), nullable=False),
    _when("received_at", nullable=False),
    sa.UniqueConstraint("team_id", "channel", "ts", "kind"),
)

thread = sa.Table(
    "thread",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("thread_key", sa.String(96), primary_key=True),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("thread_ts", sa.String(32), nullable=False),
    sa.Column("deal_id", sa.String(64)),
    _when("created_at", nullable=False),
    sa.Index(None, "team_id", "channel"),
)

answer = sa.Table(
    "answer",
    metadata,
    sa.Column("answer_id", sa.String(160), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("thread_key", sa.String(96), nullable=False),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("channel_type", sa.String(16), nullable=False),
    sa.Column("thread_ts", sa.String(32), nullable=False),
    sa.Column("asked_by", sa.String(64), nullable=False),
    sa.Column("question", SealedText, nullable=False),
    _when("asked_at", nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("placeholder_ts", sa.String(32)),
    sa.Column("stream", sa.String(8)),
    _when("posting_at"),
    sa.Column("text", SealedText),
    sa.Column("query", SealedText),
    sa.Column("communes", SealedJson),
    sa.Column("schemes", SealedJson),
    sa.Column("record", SealedJson),
    sa.Column("memory", SealedJson),
    sa.Column("refused", sa.Boolean),
    sa.Column("model", sa.String(96)),
    sa.Column("euros", sa.Float),
    sa.Column("seconds", sa.Float),
    _when("answered_at"),
    sa.Column("visitor", sa.String(16)),
    sa.Column("visitor_team", sa.String(32)),
    sa.Column("shared_channel", sa.Boolean),
    sa.Index(None, "team_id", "thread_key", "asked_at"),
    sa.Index(None, "team_id", "channel", "asked_at"),
)
"""`stream`: open where the placeholder is a message that Slack streams, grown once more than its first step is in it;
NULL for an ordinary message. `visitor`, `visitor_team` and `shared_channel`: who asked and whether another company
reads along; NULL where nobody looked, which is trusted with nothing."""

proposal = sa.Table(
    "proposal",
    metadata,
    sa.Column("proposal_id", sa.String(48), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("answer_id", sa.String(160), sa.ForeignKey("answer.answer_id"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("thread_ts", sa.String(32), nullable=False),
    sa.Column("card_ts", sa.String(32)),
    sa.Column("requested_by", sa.String(64), nullable=False),
    sa.Column("action", SealedJson, nullable=False),
    sa.Column("payload_hash", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    _when("offered_at", nullable=False),
    _when("expires_at", nullable=False),
    sa.Column("decided_by", sa.String(64)),
    sa.Column("decided_by_name", SealedText),
    _when("decided_at"),
    sa.Column("crm_id", sa.String(64)),
    sa.Column("crm_url", SealedText),
    sa.Column("reason", SealedText),
    sa.Column("origin", SealedJson),
    sa.Column("version", sa.Integer, nullable=False, default=1, server_default="1"),
    sa.Column("edited_by", sa.String(64)),
    sa.Column("superseded_by", sa.String(48)),
    sa.Column("resolved_by", sa.String(64)),
    sa.Column("undone_by", sa.String(64)),
    _when("undone_at"),
    sa.Column("batch_ts", sa.String(32)),
    sa.UniqueConstraint("answer_id", "position", "version"),
    sa.Index(None, "state", "expires_at"),
)
"""`origin`: the words that led to it and the sources of its text. An edit makes the next `version` at the same
`position`, a row with an id and a hash of its own; the older one is `superseded_by` it. `resolved_by` said whether a
write of unknown outcome is in the CRM; `batch_ts`: the message that decides on all proposals of one answer."""

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    _when("at", nullable=False),
    sa.Column("actor", sa.String(64), nullable=False),
    sa.Column("event", sa.String(48), nullable=False),
    sa.Column("subject", sa.String(160), nullable=False),
    sa.Column("detail", SealedJson),
    sa.Index(None, "team_id", "subject"),
)

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("answer_id", sa.String(160), sa.ForeignKey("answer.answer_id"), primary_key=True),
    sa.Column("user_id", sa.String(64), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    _when("at", nullable=False),
    sa.Index(None, "team_id", "at"),
)
"""`verdict`: useful, wrong or incomplete."""

source = sa.Table(
    "source",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("source_id", sa.String(80), primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("name", SealedText, nullable=False),
    sa.Column("url", SealedText, nullable=False),
    sa.Column("audience", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("added_by", sa.String(64), nullable=False),
    _when("added_at", nullable=False),
    sa.Column("decided_by", sa.String(64)),
    _when("decided_at"),
    sa.Column("message_ts", sa.String(32)),
    sa.Column("position", sa.Integer),
    sa.Column("file_id", sa.String(32)),
    sa.Column("size", sa.BigInteger),
    sa.Column("channel", sa.String(32)),
    sa.Column("channel_type", sa.String(16)),
    sa.Column("thread_ts", sa.String(32)),
    sa.Column("card_ts", sa.String(32)),
    sa.Column("digest", sa.String(64)),
    sa.Column("etag", SealedText),
    sa.Column("last_modified", sa.String(64)),
    _when("checked_at"),
    sa.Column("documents", sa.Integer, nullable=False, server_default="0"),
    sa.Column("passages", sa.Integer, nullable=False, server_default="0"),
    sa.Column("pages", sa.Integer),
    sa.Column("skipped", SealedJson),
    sa.Column("reason", SealedText),
    sa.Column("removed_by", sa.String(64)),
    _when("removed_at"),
    sa.Index(None, "team_id", "state", "added_at"),
    sa.Index(None, "team_id", "channel", "message_ts"),
)
"""A file or an address that somebody offered to the corpus. Its documents in the index are named `source_id`, or
`source_id/<something>` where there are several (a feed). `added_by` offered it, `decided_by` clicked; for files only,
`file_id` is Slack's, `size` in bytes, and `position` its place in the message `message_ts`."""

subscription = sa.Table(
    "subscription",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("channel", sa.String(32), primary_key=True),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("communes", SealedJson, nullable=False),
    sa.Column("schemes", SealedJson, nullable=False),
    sa.Column("topics", SealedJson, nullable=False),
    sa.Column("weekday", sa.Integer, nullable=False),
    sa.Column("at", sa.String(5), nullable=False),
    sa.Column("length", sa.String(16), nullable=False),
    sa.Column("alerts", sa.Boolean, nullable=False),
    sa.Column("alert_days", sa.Integer, nullable=False),
    sa.Column("shared_allowed", sa.Boolean, nullable=False),
    _when("active_since", nullable=False),
    sa.Column("changed_by", sa.String(64), nullable=False),
    _when("changed_at", nullable=False),
    sa.Index(None, "state"),
)
"""What a channel wants of its weekly digest. `communes`: INSEE codes; `weekday`: 1 is Monday; `at`: `HH:MM` in Paris;
`active_since`: no earlier slot is owed; `shared_allowed`: a member chose it although another company reads along."""

digest = sa.Table(
    "digest",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("channel", sa.String(32), primary_key=True),
    sa.Column("iso_year", sa.Integer, primary_key=True),
    sa.Column("iso_week", sa.Integer, primary_key=True),
    _when("slot", nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("content", SealedJson),
    sa.Column("content_hash", sa.String(64)),
    _when("built_at"),
    _when("posting_at"),
    sa.Column("ts", sa.String(32)),
    sa.Column("reason", SealedText),
    sa.Index(None, "team_id", "channel", "slot"),
)
"""One a channel and ISO week, whoever wakes it and however often. `slot`: when it was due; `content` is frozen under
`content_hash` before it is posted."""

commune_snapshot = sa.Table(
    "commune_snapshot",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("insee", sa.String(5), primary_key=True),
    sa.Column("iso_year", sa.Integer, primary_key=True),
    sa.Column("iso_week", sa.Integer, primary_key=True),
    sa.Column("findings", sa.JSON, nullable=False),
    _when("taken_at", nullable=False),
)
"""What the sources said of a commune in an ISO week: by tool, its sentences, figures, source and date."""

alert = sa.Table(
    "alert",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("channel", sa.String(32), primary_key=True),
    sa.Column("alert_id", sa.String(64), primary_key=True),
    sa.Column("content", SealedJson, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    _when("found_at", nullable=False),
    _when("posting_at"),
    sa.Column("ts", sa.String(32)),
)
"""One line between two digests, said once: `alert_id` is a hash of what it is about."""

channel_setting = sa.Table(
    "channel_setting",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("channel", sa.String(32), primary_key=True),
    sa.Column("deals", sa.String(8), nullable=False),
    sa.Column("deals_by", sa.String(64)),
    _when("deals_at"),
    sa.Column("approvers", SealedJson, nullable=False),
    sa.Column("choices", SealedJson),
    sa.Column("changed_by", sa.String(64), nullable=False),
    _when("changed_at", nullable=False),
)
"""What members chose for a channel. `deals`: auto, open or closed to the CRM's deals, chosen by `deals_by` at
`deals_at`; `approvers`: Slack ids of those who, besides who asked, may decide on a proposal there; `choices`: a
`ChannelSettings`, for its answers."""

api_key = sa.Table(
    "api_key",
    metadata,
    sa.Column("key_id", sa.String(16), primary_key=True),
    sa.Column("team_id", sa.String(32), nullable=False),
    sa.Column("name", sa.String(48), nullable=False),
    sa.Column("secret_hash", sa.String(64), nullable=False),
    sa.Column("deals", sa.Boolean, nullable=False),
    sa.Column("adviser", sa.String(254), nullable=False),
    sa.Column("channel", sa.String(32), nullable=False),
    _when("added_at", nullable=False),
    _when("used_at"),
    _when("revoked_at"),
    sa.Index(None, "team_id", "name"),
)
"""A program's key. `secret_hash`: SHA-256 of what it shows; `deals`: it reads the CRM, as `adviser` (an e-mail address)
where one is named; `channel`: where its proposals are shown, none where empty."""

text_key = sa.Table(
    "text_key",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("proof", sa.String(255), nullable=False),
)
"""One row once texts are sealed: a known word under the oldest key that is still needed."""

spending = sa.Table(
    "spending",
    metadata,
    sa.Column("team_id", sa.String(32), primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("euros", sa.Float, nullable=False),
)
"""What language models cost; `day` is that of Paris."""
