"""Keys of programs: whom each speaks for and what it may, and a hash of what it shows; never the key itself."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.ports import KEY_MARK, Visitor
from bot.store import audit, workspaces
from bot.store import tables as t
from bot.store.inbox import utc_now
from bot.store.tables import Row

OPERATOR: Final = "operator"
MARK: Final = "qs_"
LONGEST: Final = 128
"""Characters of a shown key that are looked at."""


@dataclass(frozen=True, slots=True)
class Key:
    """A program that may ask. `deals`: it reads the CRM and proposes writes, as `adviser` (an e-mail address) where
    deals are restricted; `channel`: the Slack channel of its proposals, none where empty."""

    key_id: str
    team_id: str
    name: str
    deals: bool = False
    adviser: str = ""
    channel: str = ""

    @property
    def user_id(self) -> str:
        """Stands where a person's Slack id stands, in rows and budgets."""
        return f"{KEY_MARK}{self.key_id}"

    @property
    def place(self) -> str:
        """Stands where a channel stands: its threads are its own."""
        return f"api-{self.key_id}"

    @property
    def visitor(self) -> Visitor:
        return Visitor("member" if self.deals else "program", self.user_id, self.team_id, shared_channel=False)


def add(
    connection: sa.Connection, *, team_id: str, name: str, deals: bool, adviser: str = "", channel: str = ""
) -> str | None:
    """The key as it is shown once; None where one of that name is in use. 256 random bits need no slow hash."""
    if _named(connection, name) is not None:
        return None
    key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    rights = {"deals": deals, "adviser": adviser, "channel": channel}
    row = {"key_id": key_id, "team_id": team_id, "name": name, "secret_hash": _hash(secret), "added_at": utc_now()}
    connection.execute(t.api_key.insert().values(**row, **rights))
    audit.record(connection, team_id=team_id, actor=OPERATOR, event="key_added", subject=key_id, name=name, **rights)
    return f"{MARK}{key_id}_{secret}"


def holder(connection: sa.Connection, shown: str) -> Key | None:
    """Whose key it is; None for what is unknown, wrong, revoked, or of a team that has left. Compared in constant
    time, also where nothing is known of it."""
    key_id, _, secret = shown[:LONGEST].removeprefix(MARK).partition("_")
    query = sa.select(t.api_key).where(t.api_key.c.key_id == key_id, t.api_key.c.revoked_at.is_(None))
    row = connection.execute(query).mappings().first()
    same = hmac.compare_digest(_hash(secret), row["secret_hash"] if row is not None else _hash(""))
    if row is None or not same or not shown.startswith(MARK) or workspaces.departed(connection, {row["team_id"]}):
        return None
    return _key(dict(row))


def used(connection: sa.Connection, key: Key, *, what: str, subject: str) -> bool:
    """An audit row: who did what, when; never a text. False where the key was revoked meanwhile."""
    here = t.api_key.c.key_id == key.key_id
    revoked = connection.execute(sa.select(t.api_key.c.revoked_at).where(here)).scalar()
    connection.execute(t.api_key.update().where(here).values(used_at=utc_now()))
    audit.record(connection, team_id=key.team_id, actor=key.user_id, event=f"api_{what}", subject=subject)
    return revoked is None


def listed(connection: sa.Connection) -> list[Row]:
    """All, revoked ones too, oldest first."""
    return [dict(row) for row in connection.execute(sa.select(t.api_key).order_by(t.api_key.c.added_at)).mappings()]


def of_name(connection: sa.Connection, name: str) -> Key | None:
    """The one in use of that name or id."""
    row = _named(connection, name)
    return None if row is None else _key(row)


def revoke(connection: sa.Connection, name: str) -> Key | None:
    """From now on it opens nothing; None where none of that name or id is in use."""
    key = of_name(connection, name)
    if key is not None:
        here = t.api_key.c.key_id == key.key_id
        connection.execute(t.api_key.update().where(here).values(revoked_at=utc_now()))
        audit.record(connection, team_id=key.team_id, actor=OPERATOR, event="key_revoked", subject=key.key_id)
    return key


def _named(connection: sa.Connection, name: str) -> Row | None:
    called = sa.or_(t.api_key.c.name == name, t.api_key.c.key_id == name)
    query = sa.select(t.api_key).where(called, t.api_key.c.revoked_at.is_(None))
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def _key(row: Row) -> Key:
    return Key(**{name: row[name] for name in ("key_id", "team_id", "name", "deals", "adviser", "channel")})


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
