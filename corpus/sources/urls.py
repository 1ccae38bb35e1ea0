"""Addresses as text: which can be read at all, how one is named to people, which lead back to their own site."""

from typing import Final

import httpx

from corpus.errors import UnreadableSource

LONGEST_URL: Final = 2_000


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


def same_site(address: str, base: str) -> bool:
    """Whether an address that a text gives leads back to where the text stands: https (or as `base`), same host, or
    the same with or without www."""
    try:
        url, own = httpx.URL(address), httpx.URL(base)
    except httpx.InvalidURL:
        return False
    hosts = [each.raw_host.lower().removeprefix(b"www.") for each in (url, own)]
    return (
        url.scheme in ("https", own.scheme)
        and hosts[0] == hosts[1] != b""
        and not url.userinfo
        and url.port in (None, own.port)
        and len(address) <= 2_000
    )
