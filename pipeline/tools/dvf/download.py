"""One file over HTTPS, resumed where it stopped, asked again only if it changed, put in place whole or not at all."""

import asyncio
import gzip
import json
import os
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
import stamina

from pipeline.errors import PipelineError, Retryable
from pipeline.tools.dvf.layout import read_layout
from pipeline.tools.dvf.reach import ForbiddenRedirect, Resolve, check_peer, redirected, resolve
from pipeline.tools.dvf.values import UnreadableFile

Fetched = Literal["new", "unchanged", "absent"]
Progress = Callable[[int, int | None], None]
"""Bytes held so far, and the whole size when it is known."""

BIGGEST = 200_000_000
"""Bytes of one file as sent; a department weighs 1 to 10 MB."""
BIGGEST_UNPACKED = 3_000_000_000
HOPS, ATTEMPTS = 5, 4
RANGE = re.compile(r"bytes (\d{1,15})-\d{1,15}/(?:\d{1,15}|\*)", re.ASCII)


class DownloadFailed(PipelineError):
    """Le fichier n'a pas pu être téléchargé."""


class Interrupted(Retryable, DownloadFailed):
    """Le téléchargement a été interrompu."""


@dataclass(frozen=True, slots=True)
class Target:
    """What to fetch and where to put it; `base` is the configured server, which redirects may leave only for public
    https hosts."""

    url: str
    base: str
    path: Path

    @property
    def part(self) -> Path:
        return self.path.with_name(self.path.name + ".part")

    def tag_of(self, path: Path) -> Path:
        """Where the ETag of a file or of its part is kept."""
        return path.with_name(path.name + ".etag")


async def fetch(
    client: httpx.AsyncClient,
    target: Target,
    *,
    progress: Progress = lambda held, whole: None,
    resolve: Resolve = resolve,
    biggest: int = BIGGEST,
) -> Fetched:
    """Brings `target.path` up to date. An interrupted transfer is retried from where it stopped, also by a later call.

    Raises `DownloadFailed` (French; `Interrupted` after the last attempt, the part is kept) and `OSError` of the disk.
    """
    target.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        async for attempt in stamina.retry_context(on=Interrupted, attempts=ATTEMPTS, timeout=None, wait_max=5.0):
            with attempt:
                fetched = await _attempt(client, target, progress=progress, resolve=resolve, biggest=biggest)
    except ForbiddenRedirect as error:
        raise DownloadFailed(str(error)) from error
    return fetched


async def _attempt(
    client: httpx.AsyncClient, target: Target, *, progress: Progress, resolve: Resolve, biggest: int
) -> Fetched:
    url, headers = target.url, _conditions(target)
    try:
        for _ in range(HOPS):
            async with client.stream("GET", url, headers=headers, follow_redirects=False) as response:
                check_peer(response, base=target.base)
                if response.has_redirect_location:
                    url = await redirected(url, response.headers["location"], base=target.base, resolve=resolve)
                    continue
                return await _receive(response, target, progress=progress, biggest=biggest)
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise DownloadFailed("Le serveur renvoie vers une adresse illisible.") from error
    except (httpx.TransportError, httpx.StreamError) as error:
        raise Interrupted(f"Le serveur {httpx.URL(target.base).host} ne répond pas ou a coupé la connexion.") from error
    raise DownloadFailed("Le serveur renvoie sans fin d'une adresse à l'autre.")


def _conditions(target: Target) -> dict[str, str]:
    """`identity`: the .gz itself is wanted, not a copy that a proxy has packed again. A part is resumed only under the
    strong ETag it was begun with (RFC 9110, 13.1.5); the whole file is asked again only if its ETag changed."""
    headers = {"Accept-Encoding": "identity"}
    begun = _read_tag(target.tag_of(target.part))
    if target.part.exists() and begun.startswith('"') and (held := target.part.stat().st_size):
        return {**headers, "Range": f"bytes={held}-", "If-Range": begun}
    if target.path.exists() and (tag := _read_tag(target.tag_of(target.path))):
        return {**headers, "If-None-Match": tag}
    return headers


async def _receive(response: httpx.Response, target: Target, *, progress: Progress, biggest: int) -> Fetched:
    if response.status_code == 304:
        return "unchanged"
    if response.status_code in (404, 410):
        return "absent"
    if response.status_code == 416:
        _drop_part(target)
        raise Interrupted("Le fichier a changé pendant le téléchargement.")
    if response.status_code >= 500 or response.status_code == 429:
        raise Interrupted(f"Le serveur répond {response.status_code}.")
    if response.status_code not in (200, 206):
        raise DownloadFailed(f"Le serveur refuse le fichier (code {response.status_code}).")
    start = _start(response, target)
    length = response.headers.get("content-length", "")
    whole = start + int(length) if re.fullmatch(r"\d{1,15}", length, re.ASCII) else None
    if whole is not None and whole > biggest:
        raise DownloadFailed(_too_big(biggest))
    await _save(response, target, start=start, whole=whole, progress=progress, biggest=biggest)
    await asyncio.to_thread(_check_archive, target)
    _put_in_place(target)
    return "new"


def _start(response: httpx.Response, target: Target) -> int:
    """Where the body begins; a server that ignores ranges answers 200 with everything."""
    if response.status_code == 200:
        _drop_part(target)
        _write_tag(target.tag_of(target.part), response.headers.get("etag", ""))
        return 0
    said = RANGE.fullmatch(response.headers.get("content-range", ""))
    held = target.part.stat().st_size if target.part.exists() else 0
    if said is None or int(said[1]) != held:
        _drop_part(target)
        raise Interrupted("Le serveur a repris le fichier au mauvais endroit.")
    return held


async def _save(
    response: httpx.Response, target: Target, *, start: int, whole: int | None, progress: Progress, biggest: int
) -> None:
    held = start
    progress(held, whole)
    with target.part.open("ab") as part:
        async for chunk in response.aiter_raw():
            held += len(chunk)
            if held > biggest:
                part.close()
                _drop_part(target)
                raise DownloadFailed(_too_big(biggest))
            part.write(chunk)
            progress(held, whole)
        part.flush()
        os.fsync(part.fileno())
    if whole is not None and held != whole:
        raise Interrupted("Le fichier reçu n'est pas entier.")


def _check_archive(target: Target) -> None:
    """Sum, size and columns, before anything replaces a good file: an error page with code 200 is no data."""
    try:
        unpacked = 0
        with gzip.open(target.part, "rb") as archive:
            while chunk := archive.read(1_000_000):
                unpacked += len(chunk)
                if unpacked > BIGGEST_UNPACKED:
                    raise DownloadFailed(_too_big(BIGGEST_UNPACKED))
        read_layout(target.part)
    except DownloadFailed:
        _drop_part(target)
        raise
    except (OSError, EOFError, zlib.error, UnreadableFile) as error:
        _drop_part(target)
        raise DownloadFailed("Le fichier reçu n'est pas une archive geo-dvf lisible.") from error


def _put_in_place(target: Target) -> None:
    """The old tag goes first: between the two renames a stale tag must not vouch for the new file."""
    kept, begun = target.tag_of(target.path), target.tag_of(target.part)
    kept.unlink(missing_ok=True)
    os.replace(target.part, target.path)
    if begun.exists():
        os.replace(begun, kept)


def _drop_part(target: Target) -> None:
    target.part.unlink(missing_ok=True)
    target.tag_of(target.part).unlink(missing_ok=True)


def _read_tag(path: Path) -> str:
    """One line of printable ASCII, or nothing."""
    try:
        tag = json.loads(path.read_text(encoding="utf-8")).get("etag", "")
    except (OSError, ValueError, AttributeError):
        return ""
    return tag if isinstance(tag, str) and re.fullmatch(r'(?:W/)?"[\x21\x23-\x7e]{1,200}"', tag) else ""


def _write_tag(path: Path, tag: str) -> None:
    path.write_text(json.dumps({"etag": tag}), encoding="utf-8")


def _too_big(biggest: int) -> str:
    return f"Le fichier dépasse la taille permise ({biggest // 1_000_000} Mo)."
