"""slack_sdk's own SQL stores on our tables and in our transactions: their tokens are sealed like texts."""

import contextlib
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from slack_bolt.error import BoltError
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.oauth.state_store.sqlalchemy import SQLAlchemyOAuthStateStore

from bot.errors import StoreUnavailable
from bot.store import workspaces
from bot.store.database import Database
from bot.store.inbox import utc_now
from bot.store.installation_tables import slack_bot, slack_installation, slack_oauth_state

if TYPE_CHECKING:
    import sqlalchemy as sa

STATE_SECONDS: Final = 600
_LOG: Final = logging.getLogger("slack_sdk")


class _Held:
    """Stands where slack_sdk opens connections of its own: what it does joins our transaction."""

    def __init__(self, connection: "sa.Connection") -> None:
        self._connection = connection

    @contextlib.contextmanager
    def begin(self) -> "Iterator[sa.Connection]":
        yield self._connection

    connect = begin


class _Tokens(SQLAlchemyInstallationStore):
    def __init__(self, connection: "sa.Connection", client_id: str) -> None:
        held: Any = _Held(connection)
        self.bots, self.installations = slack_bot, slack_installation
        self.engine, self.client_id, self._logger = held, client_id, _LOG


class _States(SQLAlchemyOAuthStateStore):
    def __init__(self, connection: "sa.Connection") -> None:
        held: Any = _Held(connection)
        self.engine, self.oauth_states = held, slack_oauth_state
        self.expiration_seconds, self._logger = STATE_SECONDS, _LOG


class Installations(AsyncInstallationStore):
    """Who has installed us, with their tokens. `TEXT_KEY` has to be set: nothing else seals them."""

    def __init__(self, database: Database, *, client_id: str) -> None:
        self._database, self._client_id = database, client_id

    @property
    def logger(self) -> logging.Logger:
        return _LOG

    async def async_save(self, installation: Installation) -> None:
        """Raises `BoltError`, which Bolt's flow tells as a page, where the database does not answer."""
        try:
            await self._database.write(lambda c: self._save(c, installation))
        except StoreUnavailable as error:
            raise BoltError(str(error)) from error

    def _save(self, connection: "sa.Connection", installation: Installation) -> None:
        _Tokens(connection, self._client_id).save(installation)
        now = utc_now()
        if installation.is_enterprise_install:
            workspaces.join_again(connection, str(installation.enterprise_id), now=now)
        elif installation.team_id:
            workspaces.join(
                connection,
                installation.team_id,
                enterprise_id=installation.enterprise_id,
                org_install=False,
                name=installation.team_name or "",
                now=now,
            )

    async def async_save_bot(self, bot: Bot) -> None:
        await self._database.write(lambda c: _Tokens(c, self._client_id).save_bot(bot))

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        about: dict[str, Any] = {"enterprise_id": enterprise_id, "team_id": team_id}
        return await self._database.read(
            lambda c: _Tokens(c, self._client_id).find_bot(**about, is_enterprise_install=is_enterprise_install)
        )

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        about: dict[str, Any] = {"enterprise_id": enterprise_id, "team_id": team_id, "user_id": user_id}
        return await self._database.read(
            lambda c: _Tokens(c, self._client_id).find_installation(
                **about, is_enterprise_install=is_enterprise_install
            )
        )

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        await self._database.write(lambda c: self.delete(c, enterprise_id=enterprise_id, team_id=team_id, bot=True))

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        about: dict[str, Any] = {"enterprise_id": enterprise_id, "team_id": team_id, "user_id": user_id}
        await self._database.write(lambda c: _Tokens(c, self._client_id).delete_installation(**about))

    def delete(
        self, connection: "sa.Connection", *, enterprise_id: str | None, team_id: str | None, bot: bool = False
    ) -> None:
        """The tokens of who has left, in the caller's transaction; `bot`: those alone."""
        store = _Tokens(connection, self._client_id)
        store.delete_bot(enterprise_id=enterprise_id, team_id=team_id)
        if not bot:
            store.delete_installation(enterprise_id=enterprise_id, team_id=team_id)


class States(AsyncOAuthStateStore):
    """What Slack's redirection has to bring back, once and within ten minutes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def logger(self) -> logging.Logger:
        return _LOG

    async def async_issue(self, *_args: object, **_kwargs: object) -> str:
        def issue(connection: "sa.Connection") -> str:
            workspaces.purge_states(connection)
            return _States(connection).issue()

        return await self._database.write(issue)

    async def async_consume(self, state: str) -> bool:
        return await self._database.write(lambda c: _States(c).consume(state))
