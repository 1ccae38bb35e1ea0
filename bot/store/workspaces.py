"""Who has installed us, and who has left: rows of `workspace`, and what goes with a team that is forgotten."""

from collections.abc import Collection
from datetime import UTC, datetime

import sqlalchemy as sa

from bot.store import audit
from bot.store import tables as t
from bot.store.columns import Row
from bot.store.inbox import insert_once
from bot.store.installation_tables import slack_oauth_state, workspace

ACTOR = "slack"


def find(connection: sa.Connection, team_id: str) -> Row | None:
    row = connection.execute(sa.select(workspace).where(workspace.c.team_id == team_id)).mappings().first()
    return None if row is None else dict(row)


def join(
    connection: sa.Connection, team_id: str, *, enterprise_id: str | None, org_install: bool, name: str, now: str
) -> None:
    """It is with us from now on; one that had left and comes back keeps what is still there."""
    values = {"enterprise_id": enterprise_id, "org_install": org_install, "name": name[:200], "installed_at": now}
    if not insert_once(connection, workspace, team_id=team_id, **values):
        here = workspace.c.team_id == team_id
        connection.execute(workspace.update().where(here).values(**values, left_at=None, forget_at=None))
    audit.record(connection, team_id=team_id, actor=ACTOR, event="workspace_joined", subject=team_id)


def join_again(connection: sa.Connection, enterprise_id: str, *, now: str) -> None:
    """The teams of an organisation that had left and has installed us anew."""
    back = (workspace.c.enterprise_id == enterprise_id, workspace.c.org_install, workspace.c.left_at.is_not(None))
    connection.execute(workspace.update().where(*back).values(left_at=None, forget_at=None, installed_at=now))


def leaving(connection: sa.Connection, *, team_id: str | None, enterprise_id: str | None) -> list[Row]:
    """The teams that an uninstallation is about: one, or all that came by their organisation."""
    about = workspace.c.team_id == team_id
    if team_id is None:
        about = sa.and_(workspace.c.enterprise_id == enterprise_id, workspace.c.org_install)
    rows = connection.execute(sa.select(workspace).where(about, workspace.c.left_at.is_(None))).mappings()
    return [dict(row) for row in rows]


def leave(connection: sa.Connection, team_id: str, *, now: str, forget_at: str) -> None:
    here = workspace.c.team_id == team_id
    connection.execute(workspace.update().where(here).values(left_at=now, forget_at=forget_at))
    audit.record(connection, team_id=team_id, actor=ACTOR, event="workspace_left", subject=team_id)


def departed(connection: sa.Connection, names: Collection[str]) -> bool:
    """Whether one of these ids is of a team that has left."""
    query = sa.select(workspace.c.team_id).where(workspace.c.team_id.in_(names), workspace.c.left_at.is_not(None))
    return connection.execute(query.limit(1)).first() is not None


def due(connection: sa.Connection, *, now: str) -> list[Row]:
    """Those whose data are to go by now."""
    rows = connection.execute(sa.select(workspace).where(workspace.c.forget_at <= now)).mappings()
    return [dict(row) for row in rows]


def forget(connection: sa.Connection, team_id: str) -> dict[str, int]:
    """Every row of the team in every table, by table; the audit then says that it happened, and how much it was."""
    rows: dict[str, int] = {}
    for table in reversed(t.metadata.sorted_tables):
        if "team_id" in table.c:
            gone = connection.execute(table.delete().where(table.c.team_id == team_id)).rowcount
            rows |= {table.name: gone} if gone else {}
    audit.record(connection, team_id=team_id, actor="clock", event="workspace_forgotten", subject=team_id, rows=rows)
    return rows


def subjects(connection: sa.Connection, team_id: str) -> list[str]:
    """The ids by which the engine's jobs about this team are named."""
    queries = [
        sa.select(column).where(column.table.c.team_id == team_id)
        for column in (t.answer.c.answer_id, t.proposal.c.proposal_id, t.source.c.source_id)
    ]
    answers, proposals, sources = (list(connection.execute(query).scalars()) for query in queries)
    return [*answers, *proposals, *(f"{team_id}/{source}" for source in sources)]


def purge_states(connection: sa.Connection) -> None:
    """States that nobody came back with; their moments are in UTC, without saying so."""
    now = datetime.now(UTC).replace(tzinfo=None)
    connection.execute(slack_oauth_state.delete().where(slack_oauth_state.c.expire_at < now))
