"""the first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _answer()
    _audit()
    _inbound_event()
    _thread()
    _proposal()


def downgrade() -> None:
    op.drop_table("proposal")
    op.drop_table("thread")
    op.drop_table("inbound_event")
    op.drop_table("audit")
    op.drop_table("answer")


def _answer() -> None:
    op.create_table(
        "answer",
        sa.Column("answer_id", sa.String(length=160), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("thread_key", sa.String(length=96), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("channel_type", sa.String(length=16), nullable=False),
        sa.Column("thread_ts", sa.String(length=32), nullable=False),
        sa.Column("asked_by", sa.String(length=64), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("placeholder_ts", sa.String(length=32), nullable=True),
        sa.Column("posting_at", sa.String(length=32), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("communes", sa.JSON(), nullable=True),
        sa.Column("schemes", sa.JSON(), nullable=True),
        sa.Column("record", sa.JSON(), nullable=True),
        sa.Column("refused", sa.Boolean(), nullable=True),
        sa.Column("model", sa.String(length=96), nullable=True),
        sa.Column("euros", sa.Float(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("answered_at", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_answer")),
    )
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_answer_team_id_channel_asked_at"), ["team_id", "channel", "asked_at"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_answer_team_id_thread_key_asked_at"), ["team_id", "thread_key", "asked_at"], unique=False
        )


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("event", sa.String(length=48), nullable=False),
        sa.Column("subject", sa.String(length=160), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_team_id_subject"), ["team_id", "subject"], unique=False)


def _inbound_event() -> None:
    op.create_table(
        "inbound_event",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("event_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("ts", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("answer_id", sa.String(length=160), nullable=False),
        sa.Column("received_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "event_id", name=op.f("pk_inbound_event")),
        sa.UniqueConstraint("team_id", "channel", "ts", "kind", name=op.f("uq_inbound_event_team_id_channel_ts_kind")),
    )


def _thread() -> None:
    op.create_table(
        "thread",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("thread_key", sa.String(length=96), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("thread_ts", sa.String(length=32), nullable=False),
        sa.Column("deal_id", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "thread_key", name=op.f("pk_thread")),
    )
    with op.batch_alter_table("thread", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_thread_team_id_channel"), ["team_id", "channel"], unique=False)


def _proposal() -> None:
    op.create_table(
        "proposal",
        sa.Column("proposal_id", sa.String(length=48), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("answer_id", sa.String(length=160), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("thread_ts", sa.String(length=32), nullable=False),
        sa.Column("card_ts", sa.String(length=32), nullable=True),
        sa.Column("requested_by", sa.String(length=64), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("payload_hash", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("offered_at", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.String(length=32), nullable=False),
        sa.Column("decided_by", sa.String(length=64), nullable=True),
        sa.Column("decided_by_name", sa.String(length=128), nullable=True),
        sa.Column("decided_at", sa.String(length=32), nullable=True),
        sa.Column("crm_id", sa.String(length=64), nullable=True),
        sa.Column("crm_url", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.answer_id"], name=op.f("fk_proposal_answer_id_answer")),
        sa.PrimaryKeyConstraint("proposal_id", name=op.f("pk_proposal")),
        sa.UniqueConstraint("answer_id", "position", name=op.f("uq_proposal_answer_id_position")),
    )
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_proposal_state_expires_at"), ["state", "expires_at"], unique=False)
