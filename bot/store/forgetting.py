"""What must go from every table when a person, a thread or a deal is to be forgotten.

A conversation is one thing: whoever asked in a thread is quoted by its other answers, so that threads go whole. Rows
that keep something from happening twice (deliveries, digests and alerts that were sent) stay, without their texts.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.columns import SealedJson, SealedText
from bot.store.inbox import SILENT
from bot.store.installation_tables import crm_ticket

Kind = Literal["user", "thread", "deal"]
GONE: Final = "oublié"
"""Stands where a person's id stood."""
KEPT: Final = frozenset({"inbound_event"})
"""Ids and moments of deliveries alone: without them a late one would be answered again."""
SENT: Final = (t.digest, t.alert)
"""Of these the row says that something was sent, its content what."""
_BATCH: Final = 500
_PART: Final = 100
"""Rows whose texts are held at once."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was found to go, by id: threads as (team, key), sources as (team, id); `rows`: table -> how many rows."""

    threads: tuple[tuple[str, str], ...] = ()
    jobs: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    rows: dict[str, int] = field(default_factory=dict)


def forget(connection: sa.Connection, kind: Kind, subject: str, *, team_id: str | None = None) -> Forgotten:
    """Erases in the caller's transaction. `subject`: a user's id, `CHANNEL:TS` or a deal's id; without `team_id`, in
    every team. The audit says that it happened and how much it was, not whom it was about."""
    threads = _threads(connection, kind, subject, team_id)
    sources = added_by(connection, subject, team_id) if kind == "user" else []
    rows: dict[str, int] = {}
    jobs = _erase_threads(connection, threads, rows)
    for team, source_id in sources:
        jobs.append(source_id)
        _count(rows, "source", _delete(connection, t.source, team_id=team, source_id=source_id))
        _count(rows, "audit", _delete(connection, t.audit, team_id=team, subject=source_id))
    if kind == "user":
        _erase_person(connection, subject, team_id, rows)
    if kind == "deal":
        _blank_sent(connection, subject, team_id, rows)
    for team in sorted({team for team, _ in (*threads, *sources)} or {team_id or "-"}):
        audit.record(connection, team_id=team, actor="operator", event="forgotten", subject=kind, rows=rows)
    return Forgotten(tuple(threads), tuple(jobs), tuple(sources), rows)


def forget_before(connection: sa.Connection, day: str) -> Forgotten:
    """Threads in which nothing was said since the moment (UTC, ISO)."""
    last = sa.select(t.answer.c.team_id, t.answer.c.thread_key).group_by(t.answer.c.team_id, t.answer.c.thread_key)
    old = last.having(sa.func.max(t.answer.c.asked_at) < day).limit(_BATCH)
    threads = [(row.team_id, row.thread_key) for row in connection.execute(old)]
    rows: dict[str, int] = {}
    jobs = _erase_threads(connection, threads, rows)
    for team in sorted({team for team, _ in threads}):
        audit.record(connection, team_id=team, actor="clock", event="forgotten", subject="retention", rows=rows)
    return Forgotten(tuple(threads), tuple(jobs), (), rows)


def _threads(connection: sa.Connection, kind: Kind, subject: str, team_id: str | None) -> list[tuple[str, str]]:
    answer, proposal = t.answer.c, t.proposal.c
    if kind == "thread":
        channel, _, ts = subject.partition(":")
        found = [sa.select(answer.team_id, answer.thread_key).where(answer.channel == channel, answer.thread_ts == ts)]
        found.append(
            sa.select(t.thread.c.team_id, t.thread.c.thread_key).where(
                t.thread.c.channel == channel, t.thread.c.thread_ts == ts
            )
        )
    elif kind == "user":
        found = [sa.select(answer.team_id, answer.thread_key).where(answer.asked_by == subject)]
    else:
        found = [sa.select(t.thread.c.team_id, t.thread.c.thread_key).where(t.thread.c.deal_id == subject)]
        told = sa.select(answer.team_id, answer.thread_key, answer.text, answer.record, answer.memory)
        acted = sa.select(answer.team_id, answer.thread_key, proposal.action).join(
            t.proposal, proposal.answer_id == answer.answer_id
        )
    rows = {(row[0], row[1]) for query in found for row in connection.execute(query)}
    if kind == "deal":
        for query in (told, acted):
            rows |= {(row[0], row[1]) for row in _read(connection, query) if _names_deal(row[2:], subject)}
    return sorted(pair for pair in rows if team_id in (None, pair[0]))


def _read(connection: sa.Connection, query: Any) -> Iterable[Any]:
    """A part at a time: what is kept of all answers is more than fits in memory. SQL cannot search sealed texts."""
    for part in connection.execute(query, execution_options={"yield_per": _PART}).partitions():
        yield from part


def _names_deal(values: Iterable[Any], deal_id: str) -> bool:
    return any(f'"{deal_id}"' in said or f"n° {deal_id})" in said for said in map(_as_text, values))


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def added_by(connection: sa.Connection, user_id: str, team_id: str | None) -> list[tuple[str, str]]:
    """What they added, which goes out of the index too."""
    query = sa.select(t.source.c.team_id, t.source.c.source_id).where(t.source.c.added_by == user_id)
    return [(row[0], row[1]) for row in connection.execute(query) if team_id in (None, row[0])]


def _erase_threads(connection: sa.Connection, threads: Sequence[tuple[str, str]], rows: dict[str, int]) -> list[str]:
    """The ids by which the engine's jobs about them are named."""
    jobs: list[str] = []
    for team, key in threads:
        where = (t.answer.c.team_id == team, t.answer.c.thread_key == key)
        answers = list(connection.execute(sa.select(t.answer.c.answer_id).where(*where)).scalars())
        for some in _batches(answers):
            proposals = list(
                connection.execute(
                    sa.select(t.proposal.c.proposal_id).where(t.proposal.c.answer_id.in_(some))
                ).scalars()
            )
            jobs += [*some, *proposals]
            told = t.audit.c.subject.in_([*some, *proposals])
            _count(rows, "audit", connection.execute(t.audit.delete().where(told)).rowcount)
            for table in (t.feedback, t.kept_answer, t.proposal, t.answer):
                _count(rows, table.name, connection.execute(table.delete().where(table.c.answer_id.in_(some))).rowcount)
        _count(rows, "thread", _delete(connection, t.thread, team_id=team, thread_key=key))
    return jobs


def _erase_person(connection: sa.Connection, user_id: str, team_id: str | None, rows: dict[str, int]) -> None:
    """What stays in the rows of others, whichever column it is in: the id gives way to a word. Questions that somebody
    wanted to be watched, what they spent and thought of answers go."""
    for table, name in (
        (t.feedback, "user_id"),
        (t.spending, "person"),
        (t.watch, "created_by"),
        (crm_ticket, "user_id"),
    ):
        where = [table.c[name] == user_id, *([table.c.team_id == team_id] if team_id else [])]
        _count(rows, table.name, connection.execute(table.delete().where(*where)).rowcount)
    own_name = t.proposal.c.decided_by == user_id
    connection.execute(t.proposal.update().where(own_name).values(decided_by_name=GONE))
    for table in t.metadata.sorted_tables:
        if table.name in KEPT or "team_id" not in table.c:
            continue
        for column in table.columns:
            if column.primary_key or not isinstance(column.type, sa.String | SealedText | SealedJson):
                continue
            held: list[Any] = [column.is_not(None), *([table.c.team_id == team_id] if team_id else [])]
            held += [column.like(f"%{user_id}%")] if isinstance(column.type, sa.String) else []
            _count(rows, table.name, _rename(connection, table, column, held, user_id))


def _rename(connection: sa.Connection, table: sa.Table, column: sa.Column[Any], held: list[Any], user_id: str) -> int:
    keys = list(table.primary_key.columns)
    query = sa.select(*keys, column).where(*held)
    found = [row for row in _read(connection, query) if user_id in _as_text(row[-1])]
    for row in found:
        said = _as_text(row[-1]).replace(user_id, GONE)
        value = said if isinstance(row[-1], str) else json.loads(said)
        here = [key == part for key, part in zip(keys, row[:-1], strict=True)]
        connection.execute(table.update().where(*here).values({column.name: value}))
    return len(found)


def _blank_sent(connection: sa.Connection, deal_id: str, team_id: str | None, rows: dict[str, int]) -> None:
    """What was sent about it: the row still says that something was."""
    for table in SENT:
        keys = list(table.primary_key.columns)
        query = sa.select(*keys, table.c.content).where(*([table.c.team_id == team_id] if team_id else []))
        found = [row for row in _read(connection, query) if _names_deal([row[-1]], deal_id)]
        for row in found:
            here = [key == part for key, part in zip(keys, row[:-1], strict=True)]
            connection.execute(table.update().where(*here).values(content={}))
        _count(rows, table.name, len(found))


def _delete(connection: sa.Connection, table: sa.Table, **equal: str) -> int:
    return connection.execute(table.delete().where(*(table.c[name] == value for name, value in equal.items()))).rowcount


def _count(rows: dict[str, int], name: str, count: int) -> None:
    if count:
        rows[name] = rows.get(name, 0) + count


def _batches(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))


def under_way(connection: sa.Connection, kind: Kind, subject: str, *, team_id: str | None = None) -> bool:
    """Whether an answer in one of the threads is being made: what its job is about to write would come back."""
    ended = t.answer.c.state.in_(("published", "failed_shown", SILENT))
    pairs = connection.execute(sa.select(t.answer.c.team_id, t.answer.c.thread_key).where(~ended))
    return bool(set(_threads(connection, kind, subject, team_id)) & {(row[0], row[1]) for row in pairs})


def rewrite(url: str) -> None:
    """Every page anew: a deleted row stays readable in its file until its page is used again. On PostgreSQL the write
    ahead log keeps it until it is recycled."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        if parsed.database:
            rewrite_file(Path(parsed.database))
        return
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(sa.text("vacuum full"))
    finally:
        engine.dispose()


def rewrite_file(path: Path) -> None:
    """Raises `sqlite3.OperationalError` while somebody holds it."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    try:
        connection.execute("pragma secure_delete=on")
        connection.execute("vacuum")
        connection.execute("pragma wal_checkpoint(truncate)")
    finally:
        connection.close()
