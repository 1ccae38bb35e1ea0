"""The one way to HubSpot: kept API objects, a time limit on each call, and our own errors instead of the vendor's."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from hubspot import HubSpot
from hubspot.crm.associations import v4 as associations_v4
from hubspot.crm.contacts.exceptions import ApiException as ContactsError
from hubspot.crm.deals.exceptions import ApiException as DealsError
from hubspot.crm.objects.notes.exceptions import ApiException as NotesError
from hubspot.crm.objects.tasks.exceptions import ApiException as TasksError
from hubspot.crm.owners.exceptions import ApiException as OwnersError
from hubspot.crm.pipelines.exceptions import ApiException as PipelinesError
from urllib3.exceptions import ConnectTimeoutError, HTTPError, MaxRetryError, NewConnectionError
from urllib3.util.retry import Retry

from bot.crm.connections import never_kept
from bot.errors import CrmBusy, CrmDenied, CrmOutcomeUnknown, CrmRefused
from pipeline.errors import CrmUnavailable
from pipeline.text.persons import whose

READ = Retry(
    total=3,
    connect=2,
    read=1,
    status=3,
    backoff_factor=0.3,
    backoff_max=2,
    status_forcelist=(429, 502, 503, 504),
    allowed_methods=frozenset(["GET", "HEAD"]),
    raise_on_status=False,
    respect_retry_after_header=True,
    retry_after_max=4,
)
READ_BY_POST = READ.new(allowed_methods=frozenset(["POST"]))
"""For the API objects that only search and read in batches: there a POST changes nothing and may be repeated."""
WRITE = Retry(total=2, connect=2, read=0, status=0, other=0, redirect=0, backoff_factor=0.2)
"""A write is never repeated once it may have been sent: only a connection that never opened is tried again."""

# Every package of the SDK has an ApiException of its own, without a common ancestor.
ApiErrors = (
    ContactsError,
    DealsError,
    NotesError,
    TasksError,
    OwnersError,
    PipelinesError,
    associations_v4.exceptions.ApiException,
)
# What the SDK's decoder raises on a body that is not the promised JSON.
Undecodable = (ValueError, TypeError, AttributeError, KeyError)

GARBLED = "HubSpot a répondu autre chose que ce qu'il documente"
REFUSALS = {
    400: "HubSpot juge la demande invalide",
    401: "HubSpot refuse le jeton d'accès : vérifiez HUBSPOT_TOKEN",
    403: "le jeton HubSpot n'a pas le droit d'écrire ici",
    404: "la fiche n'existe pas ou plus dans HubSpot",
    409: "HubSpot signale un conflit avec une autre modification",
}
WRONG_VALUES = {
    "INVALID_OPTION": "HubSpot ne propose plus cette valeur : choisissez-en une autre avec « Modifier »",
    "PROPERTY_DOESNT_EXIST": "HubSpot ne connaît plus ce champ",
    "READ_ONLY_VALUE": "HubSpot ne laisse plus modifier ce champ",
}
"""What a 400 says of a value that was right when it was proposed, by the code that HubSpot puts in its message."""
LOCKED = frozenset({423, 429, 477})
"""Rate limit, record locked by a bulk job, portal being moved: nothing was done, later it may be."""


SEARCHES_PER_SECOND = 4
"""HubSpot's limit on its search endpoints, of a whole account; the rest of the API takes far more."""


@dataclass(frozen=True, slots=True)
class Apis:
    """API objects kept for the life of the process: each attribute access on the SDK's client opens a new pool."""

    deals: Any
    contacts: Any
    notes: Any
    tasks: Any
    search: Mapping[str, Any]
    batch: Mapping[str, Any]
    associations: Any
    associations_batch: Any
    owners: Any
    pipelines: Any


@dataclass(frozen=True, slots=True)
class Transport:
    """`reads` retry and keep their connections, `writes` do neither. `timeout` is (connect, read) in seconds, given to
    every single call.

    Threads of its own: a slow HubSpot must neither hold up the rest of the process, which shares asyncio's few
    default threads, nor its own writes.
    """

    reads: Apis
    writes: Apis
    scheme: str
    timeout: tuple[float, float]
    read_threads: ThreadPoolExecutor
    write_threads: ThreadPoolExecutor
    told: Callable[[Iterable[str]], None]
    searched: deque[float] = field(default_factory=lambda: deque(maxlen=SEARCHES_PER_SECOND))
    """When the last searches leave, on the event loop's clock."""

    def renew(self, token: str) -> None:
        """From now on calls bear another token of the same portal."""
        for apis in (self.reads, self.writes):
            kept = (getattr(apis, each.name) for each in fields(apis))
            for api in (one for some in kept for one in (some.values() if isinstance(some, Mapping) else (some,))):
                api.api_client.configuration.access_token = token

    async def get(self, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """A read; None when HubSpot answers 404. Raises `CrmUnavailable` with a French reason."""
        try:
            found = await self._run(self.read_threads, call, *arguments, **options)
        except ApiErrors as error:
            if error.status == 404:
                return None
            raise _unreadable(error.status) from error
        except HTTPError as error:
            raise CrmUnavailable("HubSpot ne répond pas") from error
        except Undecodable as error:
            raise CrmUnavailable(GARBLED) from error
        if _hollow(found):
            raise CrmUnavailable(GARBLED)
        self.told(_named_in(found))
        return found

    async def _run(self, threads: ThreadPoolExecutor, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        timed = partial(call, *arguments, _request_timeout=self.timeout, **options)
        return await asyncio.get_running_loop().run_in_executor(threads, timed)

    async def search(self, kind: str, request: Mapping[str, Any]) -> Any:
        """One page of a search of `kind`, a `PublicObjectSearchRequest` in HubSpot's JSON; waits for its turn."""
        now = asyncio.get_running_loop().time()
        full = len(self.searched) == SEARCHES_PER_SECOND
        turn = max(now, self.searched[0] + 1.0) if full else now
        self.searched.append(turn)
        if turn > now:
            await asyncio.sleep(turn - now)
        return await self.get(self.reads.search[kind].do_search, public_object_search_request=dict(request))

    async def get_json(self, path: str, **parameters: str) -> dict[str, Any] | None:
        """A read of a path as a JSON object, None on 404: for what the SDK's models leave out."""
        client = self.reads.deals.api_client
        found = await self.get(
            client.call_api,
            path,
            "GET",
            path_params=parameters,
            response_types_map={200: "object"},
            auth_settings=["oauth2"],
            header_params={"Accept": "application/json"},
            _return_http_data_only=True,
        )
        if found is not None and not isinstance(found, dict):
            raise CrmUnavailable(GARBLED)
        return found

    async def send(self, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """A write, sent at most once. Raises `CrmRefused`, `CrmBusy` or `CrmOutcomeUnknown`."""
        try:
            written = await self._run(self.write_threads, call, *arguments, **options)
        except ApiErrors as error:
            raise _write_error(error) from error
        except MaxRetryError as error:
            if isinstance(error.reason, NewConnectionError | ConnectTimeoutError):
                raise CrmBusy("HubSpot est injoignable, rien n'a été envoyé", retry_after=5.0) from error
            raise CrmOutcomeUnknown() from error
        except (HTTPError, *Undecodable) as error:
            raise CrmOutcomeUnknown() from error
        if _hollow(written):
            raise CrmOutcomeUnknown()
        return written


def nobody_listens(_names: Iterable[str]) -> None:
    """Where nothing is made of the names."""


def connect(
    token: str,
    *,
    base_url: str,
    timeout: tuple[float, float] = (2.0, 5.0),
    told: Callable[[Iterable[str]], None] = nobody_listens,
) -> Transport:
    """Opens nothing yet: the first call does. `base_url` is HubSpot's or the sandbox's address; `told` learns of each
    person that HubSpot names."""
    return Transport(
        reads=_apis(token, base_url, READ),
        writes=_apis(token, base_url, WRITE),
        scheme=urlsplit(base_url).scheme or "https",
        timeout=timeout,
        read_threads=ThreadPoolExecutor(max_workers=8, thread_name_prefix="hubspot-read"),
        write_threads=ThreadPoolExecutor(max_workers=2, thread_name_prefix="hubspot-write"),
        told=told,
    )


def _apis(token: str, base_url: str, retry: Retry) -> Apis:
    # `host` alone does not move every call of the SDK: without `base_url` some would go to api.hubapi.com.
    crm = HubSpot(access_token=token, host=base_url, base_url=base_url, retry=retry).crm
    reading = HubSpot(access_token=token, host=base_url, base_url=base_url, retry=READ_BY_POST).crm
    packages = {
        "deals": reading.deals,
        "contacts": reading.contacts,
        "notes": reading.objects.notes,
        "tasks": reading.objects.tasks,
    }
    basic = [crm.deals.basic_api, crm.contacts.basic_api, crm.objects.notes.basic_api, crm.objects.tasks.basic_api]
    for api in basic if retry is WRITE else ():
        never_kept(api.api_client.rest_client.pool_manager)
    deals, contacts, notes, tasks = basic
    return Apis(
        deals=deals,
        contacts=contacts,
        notes=notes,
        tasks=tasks,
        search={kind: package.search_api for kind, package in packages.items()},
        batch={kind: package.batch_api for kind, package in packages.items()},
        associations=crm.associations.v4.basic_api,
        associations_batch=reading.associations.v4.batch_api,
        owners=crm.owners.owners_api,
        pipelines=crm.pipelines.pipelines_api,
    )


def _named_in(answer: Any) -> Iterator[str]:
    """Names of persons in a record or a page of them; of a deal, whose it is."""
    for record in (answer, *(getattr(answer, "results", None) or ())):
        values = getattr(record, "properties", None)
        if isinstance(values, Mapping):
            yield from filter(None, (values.get("firstname"), values.get("lastname")))
            yield whose(values.get("dealname") or "")


def _hollow(answer: Any) -> bool:
    """The SDK decodes a body that is not JSON, a proxy's web page say, into a model that holds nothing."""
    names = getattr(type(answer), "openapi_types", None)
    return names is not None and all(getattr(answer, name, None) is None for name in names)


def _unreadable(status: int) -> CrmUnavailable:
    if status in (401, 403):
        return CrmDenied()
    if status in LOCKED:
        return CrmUnavailable("HubSpot est saturé pour l'instant")
    return CrmUnavailable(f"HubSpot a répondu par une erreur ({status})")


def _write_error(error: Any) -> CrmRefused | CrmBusy | CrmOutcomeUnknown:
    if error.status in LOCKED:
        return CrmBusy("HubSpot est saturé, rien n'a été écrit", retry_after=_retry_after(error.headers))
    # 408 and 5xx may come from a proxy that had already passed the request on; status 0 is a broken TLS session.
    if error.status == 408 or not 400 <= error.status < 500:
        return CrmOutcomeUnknown()
    wrong = next((said for code, said in WRONG_VALUES.items() if code in str(error.body)), None)
    known = REFUSALS.get(error.status, f"HubSpot a refusé l'écriture (erreur {error.status})")
    return CrmRefused(wrong or known if error.status == 400 else known)


def _retry_after(headers: Any) -> float:
    """Seconds, between 1 and 60; HubSpot does not promise the header."""
    text = str((headers or {}).get("Retry-After") or "")
    return min(max(float(text), 1.0), 60.0) if text.replace(".", "", 1).isdigit() else 1.0
