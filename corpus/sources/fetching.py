"""The only way to an address that somebody gave: https, public, pinned, checked again at each redirect, bounded.

Robots files are not asked: addresses are named one by one by people, or by an official search.
"""

import asyncio
import ssl
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import httpx

from corpus.errors import UnreadableSource
from corpus.sources.addresses import Resolve, is_public, resolve
from corpus.sources.receiving import Fetched, FetchLimits, Gone, NotModified, Seen, received
from corpus.sources.urls import checked_url, shown

AGENT: Final = "QuartierScope/0.1 (lecture de sources documentaires par un cabinet{contact})"
HOPS: Final = 5
MOST_ADDRESSES: Final = 3
CONNECT_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Reach:
    """How far reading goes. `internal`: (host, port) of the firm's own network, exempt from https and from being
    public; `trust`: certificates believed, instead of the usual authorities; `contact`: how whoever serves the pages
    can reach the firm, as Wikipedia asks of its readers' programs."""

    internal: frozenset[tuple[str, int]] = frozenset()
    resolve: Resolve = resolve
    limits: FetchLimits = field(default_factory=FetchLimits)
    trust: ssl.SSLContext | None = None
    contact: str = ""


async def fetch(
    address: str,
    *,
    reach: Reach,
    accept: frozenset[str],
    seen: Seen | None = None,
    allowed: Callable[[str], bool] = lambda url: True,
) -> Fetched | NotModified | Gone:
    """`allowed` is asked about each address on the way. Raises `UnreadableSource`: one French sentence."""
    try:
        async with asyncio.timeout(reach.limits.seconds):
            return await _followed(
                checked_url(address), reach=reach, accept=accept, seen=seen or Seen(), allowed=allowed
            )
    except TimeoutError:
        host = shown(address)
        raise UnreadableSource(f"{host} n'a pas répondu en {reach.limits.seconds:g} s : rien n'a été lu.") from None


async def _followed(
    url: httpx.URL, *, reach: Reach, accept: frozenset[str], seen: Seen, allowed: Callable[[str], bool]
) -> Fetched | NotModified | Gone:
    begun_inside = _origin(url) in reach.internal
    been: set[str] = set()
    for _ in range(HOPS + 1):
        if str(url) in been:
            raise UnreadableSource(f"{shown(url)} renvoie en boucle d'une adresse à l'autre : rien n'a été lu.")
        been.add(str(url))
        if not allowed(str(url)):
            raise UnreadableSource(f"{shown(url)} ne fait pas partie des sites admis : la page n'est pas lue.")
        # The same client twice could send one site's request down another site's connection: they may share an address.
        async with httpx.AsyncClient(verify=reach.trust or _authorities(), trust_env=False) as client:
            found = await _hop(client, url, reach=reach, accept=accept, seen=seen, inside=begun_inside)
        if not isinstance(found, httpx.URL):
            return found
        url = found
    raise UnreadableSource(f"{shown(url)} : plus de {HOPS} renvois d'une adresse à l'autre, rien n'a été lu.")


async def _hop(
    client: httpx.AsyncClient, url: httpx.URL, *, reach: Reach, accept: frozenset[str], seen: Seen, inside: bool
) -> Fetched | NotModified | Gone | httpx.URL:
    """What stands there, or the address it leads to."""
    addresses = await _checked(url, reach, inside=inside)
    headers = {
        "Host": url.netloc.decode("ascii"),
        "User-Agent": AGENT.format(contact=f" ; {reach.contact}" if reach.contact else ""),
        "Accept": ", ".join(sorted(accept)),
        "Accept-Language": "fr",
        "Accept-Encoding": "gzip",
        **seen.headers,
    }
    failure = f"{shown(url)} est injoignable."
    for number, address in enumerate(addresses[:MOST_ADDRESSES], start=1):
        # To the address that was checked, whatever the name means by now; certificate and Host stay the name's.
        request = client.build_request(
            "GET",
            url.copy_with(host=address),
            headers=headers,
            timeout=httpx.Timeout(reach.limits.seconds, connect=CONNECT_SECONDS),
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
        )
        try:
            response = await client.send(request, stream=True)
        except httpx.ConnectError as error:
            if "CERTIFICATE" in str(error).upper():
                raise UnreadableSource(f"Le certificat de {shown(url)} n'est pas valable : rien n'a été lu.") from error
            if number == min(len(addresses), MOST_ADDRESSES):
                raise UnreadableSource(failure) from error
            continue
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreadableSource(failure) from error
        try:
            return await received(response, url, limits=reach.limits, accept=accept, seen=seen)
        except (httpx.HTTPError, httpx.StreamError, zlib.error) as error:
            raise UnreadableSource(f"{shown(url)} a coupé la lecture : rien n'en a été gardé.") from error
        finally:
            await response.aclose()
    raise UnreadableSource(failure)


async def _checked(url: httpx.URL, reach: Reach, *, inside: bool) -> tuple[str, ...]:
    """The addresses that this URL may be asked at. Raises `UnreadableSource` unless each of them may be."""
    host, port = _origin(url)
    internal = (host, port) in reach.internal
    if internal and not inside:
        raise UnreadableSource(f"Une page publique renvoie vers le réseau interne ({shown(url)}) : lecture refusée.")
    if not internal and url.scheme != "https":
        raise UnreadableSource(f"{shown(url)} : seules les adresses en https:// sont lues.")
    if not internal and port != 443:
        raise UnreadableSource(f"{shown(url)} : une adresse publique se lit sans numéro de port.")
    addresses = await reach.resolve(url.raw_host.decode("ascii"), port)
    if not addresses:
        raise UnreadableSource(f"Le site {shown(url)} est introuvable : vérifiez son adresse.")
    if not internal and not all(map(is_public, addresses)):
        raise UnreadableSource(f"{shown(url)} n'est pas une adresse publique : lecture refusée.")
    return addresses


def _origin(url: httpx.URL) -> tuple[str, int]:
    return url.raw_host.decode("ascii").lower(), url.port or {"http": 80}.get(url.scheme, 443)


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
