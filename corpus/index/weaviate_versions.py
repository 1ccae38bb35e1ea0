"""The connection to Weaviate and the versions of the corpus on it.

Each set of analyser, schema and embedder has two collections of its own, `…Passages_<version>` and
`…Documents_<version>`; the alias `…Passages` names the version that is live. A new version is filled beside it and the
alias moved once.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import weaviate
from weaviate.classes.init import AdditionalConfig, Auth
from weaviate.client import WeaviateAsyncClient
from weaviate.collections import CollectionAsync
from weaviate.exceptions import UnexpectedStatusCodeError, WeaviateBaseError

from corpus.errors import IndexUnavailable
from corpus.french import ANALYSER_VERSION
from corpus.index.weaviate_schema import Kind, fingerprint, lacking, schema

LOOK_SECONDS: Final = 5.0
"""A process that waits for its own version to be filled looks this often whether it is live."""

Collection = CollectionAsync[Any, Any]


class Versions:
    """`vectors` names embedder and mean vector. `own`: the version of the running code. `followed`: the one being read,
    `own` or an older live one; `lacking`: the fields that it does not have. `staged`: work on `own` whatever is live,
    as a re-indexing does.
    """

    def __init__(
        self, url: str, *, grpc_port: int, vectors: str, api_key: str | None, prefix: str, staged: bool = False
    ) -> None:
        address = urlsplit(url)
        secure = address.scheme == "https"
        host = address.hostname or "localhost"
        self.client: WeaviateAsyncClient = weaviate.use_async_with_custom(
            http_host=host,
            http_port=address.port or (443 if secure else 80),
            http_secure=secure,
            grpc_host=host,
            grpc_port=grpc_port,
            grpc_secure=secure,
            auth_credentials=Auth.api_key(api_key) if api_key else None,
            additional_config=AdditionalConfig(trust_env=False),
            skip_init_checks=True,
        )
        self.own = re.sub(r"[^0-9A-Za-z]", "", f"{ANALYSER_VERSION}{fingerprint()}{vectors}")
        self.followed = self.own
        self.lacking: frozenset[str] = frozenset()
        self._alias = f"{prefix}Passages"
        self._prefix = prefix
        self.staged = staged
        self._connecting = asyncio.Lock()
        self._ready = False
        self._looked = 0.0
        self._closed = False
        self._tenants: set[tuple[str, str]] = set()

    @property
    def stale(self) -> bool:
        """Whether what is read comes from another analyser or embedder."""
        return self.followed != self.own

    def name(self, kind: Kind, *, version: str | None = None) -> str:
        return f"{self._prefix}{kind}_{version or self.followed}"

    def read(self, kind: Kind, tenant: str) -> Collection:
        """For reading: a tenant that does not exist stays so, and answers `tenant not found`."""
        return self.client.collections.use(self.name(kind)).with_tenant(tenant)

    async def written(self, kind: Kind, tenant: str) -> Collection:
        """For writing: the tenant is made where it does not exist. Aliases take no tenants, hence real names."""
        collection = self.client.collections.use(self.name(kind))
        if (collection.name, tenant) not in self._tenants:
            await collection.tenants.create([tenant])
            self._tenants.add((collection.name, tenant))
        return collection.with_tenant(tenant)

    @asynccontextmanager
    async def reached(self, seconds: float) -> AsyncIterator[None]:
        """Within the time limit, with collections in place; the client's errors become `IndexUnavailable`."""
        if self._closed:
            raise IndexUnavailable("La base documentaire est fermée.")
        try:
            async with asyncio.timeout(seconds):
                await self._connect()
                yield
        except (WeaviateBaseError, TimeoutError, OSError) as error:
            # For a second after a restart queries answer "could not find class": down, like everything else here.
            self._tenants.clear()
            self._ready = False
            if isinstance(error, UnexpectedStatusCodeError) and error.status_code in (401, 403):
                raise IndexUnavailable("Weaviate refuse l'accès : vérifier WEAVIATE_API_KEY.") from error
            raise IndexUnavailable("Weaviate ne répond pas.") from error

    async def live(self) -> str | None:
        """The version that the alias names now; None before the first."""
        found = await self.client.alias.get(alias_name=self._alias)
        return None if found is None else found.collection.removeprefix(f"{self._prefix}Passages_")

    async def go_live(self) -> None:
        """Move the alias to `own`: at once, and for every reader that connects from now on."""
        target = self.name("Passages", version=self.own)
        if await self.live() is None:
            await self._unless_there(self.client.alias.create(alias_name=self._alias, target_collection=target))
        else:
            await self.client.alias.update(alias_name=self._alias, new_target_collection=target)

    async def others(self) -> list[str]:
        """Versions on the server that are neither live nor `own`."""
        start = f"{self._prefix}Passages_"
        there = await self.client.collections.list_all()
        versions = {name.removeprefix(start) for name in there if name.startswith(start)}
        return sorted(versions - {await self.live(), self.own})

    async def remove(self, version: str) -> None:
        """The version's collections with all they hold, and the alias where it named them."""
        if await self.live() == version:  # else it would stay and name nothing
            await self.client.alias.delete(alias_name=self._alias)
        for kind in ("Passages", "Documents"):
            await self.client.collections.delete(f"{self._prefix}{kind}_{version}")
        self._tenants.clear()
        self._ready = False

    async def aclose(self) -> None:
        self._closed = True
        await self.client.close()

    async def _connect(self) -> None:
        async with self._connecting:
            if self._ready and not self._should_look_again():
                return
            try:
                await self.client.connect()
            except UnexpectedStatusCodeError:
                await self.client.close()  # it answered, with a refusal: the client would leave the connection open
                raise
            # Schema calls wait for the server to be ready, so that "not there" is true even just after a restart.
            live = await self.live()
            if live is None or self.staged:
                await self._make(self.own)
            if live is None and not self.staged:
                await self.go_live()
            self.followed = self.own if self.staged else live or self.own
            read = await self.client.collections.use(self.name("Passages")).config.get()
            self.lacking = lacking(found.name for found in read.properties)
            self._ready, self._looked = True, time.monotonic()

    def _should_look_again(self) -> bool:
        return self.stale and time.monotonic() - self._looked > LOOK_SECONDS

    async def _make(self, version: str) -> None:
        for kind in ("Documents", "Passages"):
            name = f"{self._prefix}{kind}_{version}"
            if not await self.client.collections.exists(name):
                await self._unless_there(self.client.collections.create(name, **schema(kind)))

    async def _unless_there(self, making: Any) -> None:
        """Several processes start together: the second to make something finds it made."""
        try:
            await making
        except WeaviateBaseError as error:
            if "already exists" not in str(error):
                raise
