"""What a server answered -> a value or one French sentence; the body within its limits, whatever it is packed in."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx

from corpus.errors import UnreadableSource
from corpus.sources.urls import checked_url, shown

HTML: Final = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
FEED: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml"}
)
JSON: Final = frozenset({"application/json"})
PDF: Final = frozenset({"application/pdf"})


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """`bytes` after unpacking, `pdf_bytes` those of a PDF; `seconds` for everything, redirects included."""

    bytes: int = 5_000_000
    pdf_bytes: int = 20_000_000
    seconds: float = 20.0


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


async def received(
    response: httpx.Response, url: httpx.URL, *, limits: FetchLimits, accept: frozenset[str], seen: Seen
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
    body = await _body(response, url, most=limits.pdf_bytes if media in PDF else limits.bytes)
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


def _target(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return checked_url(str(url.join(location)))
    except httpx.InvalidURL:
        raise UnreadableSource(f"{shown(url)} renvoie vers une adresse illisible.") from None


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
