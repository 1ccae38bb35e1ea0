"""Where a download may be taken: the configured server, or a public https host; nothing inside this network."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from corpus.sources.addresses import is_public
from pipeline.errors import PipelineError

Resolve = Callable[[str], Awaitable[tuple[str, ...]]]
"""Host name -> its addresses."""


class ForbiddenRedirect(PipelineError):
    """Le serveur renvoie vers une adresse qui n'est pas publique : téléchargement refusé."""


async def resolve(host: str) -> tuple[str, ...]:
    """The addresses of a host now; empty when it has none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(str(entry[4][0]) for entry in found)


async def redirected(current: str, location: str, *, base: str, resolve: Resolve) -> str:
    """The address to follow. Raises `ForbiddenRedirect` unless it is on `base`'s own server or https and public."""
    try:
        target = urljoin(current, location)
        parts = urlsplit(target)
        same = _origin(parts) == _origin(urlsplit(base))
        port = parts.port
    except ValueError:
        raise ForbiddenRedirect from None
    if same and not parts.username:
        return target
    if parts.scheme != "https" or not parts.hostname or parts.username or port not in (None, 443):
        raise ForbiddenRedirect
    addresses = await resolve(parts.hostname)
    if not addresses or not all(map(is_public, addresses)):
        raise ForbiddenRedirect
    return target


def check_peer(response: httpx.Response, *, base: str) -> None:
    """The address really connected to, for a name that changed between the check and the connection."""
    if _origin(urlsplit(str(response.url))) == _origin(urlsplit(base)):
        return
    stream = response.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream is not None else None
    if peer is not None and not is_public(str(peer[0])):
        raise ForbiddenRedirect


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or default
