"""The only way to an address that somebody gave: https, public, pinned, checked again at each redirect, bounded.

Robots files are not asked: addresses are named one by one by people, or by an official search.
"""

import asyncio
import ssl
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import httpx

from corpus.errors import UnreadableSource
from corpus.sources.addresses import Resolve, is_public, resolve

AGENT: Final = "QuartierScope/0.1 (lecture de sources documentaires par un cabinet)"
HOPS: Final = 5
MOST_ADDRESSES: Final = 3
CONNECT_SECONDS: Final = 4.0
LONGEST_URL: Final = 2_000
HTML: Final = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
FEED: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml"}
)
JSON: Final = frozenset({"application/json"})


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """`bytes` after unpacking; `seconds` for everything, redirects included."""

    bytes: int = 5_000_000
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Reach:
    """How far reading goes. `internal`: (host, port) of the firm's own network, exempt from https and from being
    public; `trust`: certificates believed, instead of the usual authorities."""

    internal: frozenset[tuple[str, int]] = frozenset()
    resolve: Resolve = resolve
    limits: FetchLimits = FetchLimits()
    trust: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the server said of the copy that is known: sent back, so that it need not send it again."""

    etag: str = ""
    last_modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        said = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A body and where it really came from. `media`: lower case without parameters; `charset`: as the header says."""

    url: str
    body: bytes
    media: str = ""
    charset: str = ""
    seen: Seen = field(default_factory=Seen)


@dataclass(frozen=True, slots=True)
class NotModified:
    """The copy that is known still stands."""


@dataclass(frozen=True, slots=True)
class Gone:
    """404 or 410: nothing is there any more."""

    status: int


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
        "User-Agent": AGENT,
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
            return await _received(response, url, reach=reach, accept=accept, seen=seen)
        except (httpx.HTTPError, httpx.StreamError, zlib.error) as error:
            raise UnreadableSource(f"{shown(url)} a coupé la lecture : rien n'en a été gardé.") from error
        finally:
            await response.aclose()
    raise UnreadableSource(failure)


async def _received(
    response: httpx.Response, url: httpx.URL, *, reach: Reach, accept: frozenset[str], seen: Seen
) -> Fetched | NotModified | Gone | httpx.URL:
    status = response.status_code
    if response.has_redirect_location:
        return _target(url, response.headers["location"])
    if status == 304 and seen.headers:
        return NotModified()
    if status in (404, 410):
        return Gone(status)
    if status != 200:
        raise UnreadableSource(f"{shown(url)} {_why(status)}.")
    media, charset = _media(response.headers)
    if media and media not in accept:
        raise UnreadableSource(f"{shown(url)} donne un contenu de type « {media[:60]} », qui n'est pas lu.")
    body = await _body(response, url, most=reach.limits.bytes)
    return Fetched(str(url), body, media, charset, _seen(response.headers))


async def _body(response: httpx.Response, url: httpx.URL, *, most: int) -> bytes:
    """Unpacked in small steps: some kilobytes of gzip can hold gigabytes, so the size is checked on the way."""
    too_big = UnreadableSource(f"{shown(url)} dépasse {most / 1_000_000:g} Mo : rien n'en a été gardé.")
    length, packing = response.headers.get("content-length", ""), response.headers.get("content-encoding", "").lower()
    if packing not in ("", "identity", "gzip", "x-gzip"):
        raise UnreadableSource(f"{shown(url)} répond dans une compression qui n'a pas été demandée.")
    if length.isdecimal() and int(length) > most:
        raise too_big
    unpack = zlib.decompressobj(wbits=31) if "gzip" in packing else None
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk if unpack is None else unpack.decompress(chunk, most + 1 - len(body))
        if len(body) > most:
            raise too_big
    if unpack is not None and not unpack.eof:
        raise zlib.error
    return bytes(body)


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


def checked_url(address: str) -> httpx.URL:
    """An http(s) address without user, password, fragment or character that parsers read differently.

    Raises `UnreadableSource`.
    """
    wrong = UnreadableSource("Cette adresse est illisible : donnez une adresse qui commence par https://.")
    if len(address) > LONGEST_URL or any(sign.isspace() or sign in '\\^`{}|<>"' or ord(sign) < 32 for sign in address):
        raise wrong
    try:
        url = httpx.URL(address)
        host = url.raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError):
        raise wrong from None
    if url.scheme not in ("http", "https") or not host or "%" in host:
        raise wrong
    if url.userinfo:
        raise UnreadableSource(f"{shown(url)} : une adresse qui porte un identifiant ou un mot de passe n'est pas lue.")
    return url.copy_with(fragment=None)


def shown(address: str | httpx.URL) -> str:
    """The host as a person may read it, and nothing else of the address: paths can hold what should not be repeated."""
    try:
        host = httpx.URL(address).raw_host.decode("ascii", "replace")
    except httpx.InvalidURL:
        host = ""
    return host[:80] or "Cette adresse"


def _target(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return checked_url(str(url.join(location)))
    except httpx.InvalidURL:
        raise UnreadableSource(f"{shown(url)} renvoie vers une adresse illisible.") from None


def _origin(url: httpx.URL) -> tuple[str, int]:
    return url.raw_host.decode("ascii").lower(), url.port or {"http": 80}.get(url.scheme, 443)


def _why(status: int) -> str:
    if status in (401, 403, 407):
        return "demande une connexion ou refuse la lecture : la page n'est pas publique"
    if status == 429 or status >= 500:
        return f"est indisponible pour le moment (code {status})"
    return f"refuse la lecture (code {status})"


def _media(headers: Mapping[str, str]) -> tuple[str, str]:
    media, *parameters = headers.get("content-type", "").split(";")
    said = (each.partition("=") for each in parameters)
    charset = next((value.strip().strip("\"'") for name, _, value in said if name.strip().lower() == "charset"), "")
    return media.strip().lower(), charset[:40]


def _seen(headers: Mapping[str, str]) -> Seen:
    """Only what can be sent back as it is."""
    etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
    return Seen(
        etag=etag if len(etag) <= 200 and etag.isascii() and etag.isprintable() else "",
        last_modified=modified if len(modified) <= 64 and modified.isascii() and modified.isprintable() else "",
    )


@lru_cache(maxsize=1)
def _authorities() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
