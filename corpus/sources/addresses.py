"""Which addresses the whole Internet sees, and which hosts of a firm's own network may be read all the same."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from typing import Final

Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""(host name, port) -> its addresses, best first; empty when it has none."""

# IANA's special-purpose registries, written out: what `ipaddress` calls global differs between Python versions.
_CLOSED_V4: Final = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/3", "168.63.129.16/32",
)  # fmt: skip
"""The last one is Azure's: a public address that answers on every virtual machine, with what only it should know."""
_OPEN_V6: Final = "2000::/3"
_CLOSED_V6: Final = ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
"""Within 2000::/3: Teredo and other protocol assignments, documentation, and 6to4, which leads to any IPv4 address."""
_NAT64: Final = "64:ff9b::/96"
_HTTP_PORTS: Final = (80, 443)


async def resolve(host: str, port: int) -> tuple[str, ...]:
    """What the system's resolver says now."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether the whole Internet sees this address. An IPv4 one inside IPv6 (mapped, NAT64) counts as itself."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv4Address):
        return not any(parsed in ipaddress.IPv4Network(net) for net in _CLOSED_V4)
    if parsed.scope_id is not None:
        return False
    if parsed.ipv4_mapped is not None:
        return is_public(str(parsed.ipv4_mapped))
    if parsed in ipaddress.IPv6Network(_NAT64):
        return is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    closed = any(parsed in ipaddress.IPv6Network(net) for net in _CLOSED_V6)
    return parsed in ipaddress.IPv6Network(_OPEN_V6) and not closed


def named(hosts: str) -> frozenset[tuple[str, int]]:
    """`intranet.cabinet.fr, 127.0.0.1:8080` -> (host, port) pairs; a host without a port means both usual ones.

    Raises `ValueError` for what is neither.
    """
    pairs: set[tuple[str, int]] = set()
    for part in filter(None, (each.strip().lower() for each in hosts.split(","))):
        host, colon, port = part.rpartition(":")
        if not colon or part.endswith("]"):
            host, port = part, ""
        host = host.strip("[]")
        if not host or set(host) & set("/@ *?#\\") or (colon and port and not port.isdecimal()):
            raise ValueError(part)
        pairs |= {(host, int(port))} if port else {(host, usual) for usual in _HTTP_PORTS}
    return frozenset(pairs)
