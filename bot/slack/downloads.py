"""A Slack file -> a file on disk: streamed, bounded, and the token shown to Slack's own hosts only."""

import hashlib
from pathlib import Path
from typing import Any

import httpx

from bot.errors import BotError
from bot.slack.files import too_big
from pipeline.errors import Retryable

FILES_HOST = "files.slack.com"
PIECE = 65_536
GONE_FILE = "Ce fichier n'est plus dans Slack."
SIGN_IN = "Slack n'a pas reconnu mon accès à ce fichier (droit `files:read`) : prévenez votre administrateur."
"""Without the right, Slack answers 200 with its sign-in page: keeping that page as the file would be a lie."""
PATIENCE = httpx.Timeout(30.0, connect=10.0)


class DownloadRefused(BotError):
    """Slack n'a pas donné le fichier."""


class DownloadInterrupted(Retryable, BotError):
    """Le téléchargement du fichier a été interrompu."""


async def download(file: dict[str, Any], target: Path, *, token: str, api_url: str, most: int) -> str:
    """Writes the file that Slack's `files.info` describes to `target`; its SHA-256.

    Raises `DownloadRefused` (a sentence for the card) and `DownloadInterrupted` (worth another attempt).
    """
    address = _address(file, api_url=api_url)
    try:
        async with (
            httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client,
            client.stream("GET", address, headers={"Authorization": f"Bearer {token}"}) as response,
        ):
            _check(response, file, most=most)
            return await _keep(response, target, file, most=most)
    except httpx.HTTPError as error:
        raise DownloadInterrupted from error


def _address(file: dict[str, Any], *, api_url: str) -> httpx.URL:
    """Raises `DownloadRefused` for any place that is not Slack's: whoever receives the token can act as the bot."""
    try:
        address = httpx.URL(str(file.get("url_private_download") or file.get("url_private") or ""))
    except httpx.InvalidURL as error:
        raise DownloadRefused("Slack a donné une adresse de téléchargement illisible : rien n'a été lu.") from error
    ours = _origin(address) == _origin(httpx.URL(api_url))
    if address.userinfo or not (ours or _origin(address) == ("https", FILES_HOST, 443)):
        raise DownloadRefused("Ce fichier n'est pas hébergé par Slack : je ne vais pas le chercher ailleurs.")
    return address


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"https": 443, "http": 80}.get(url.scheme)


def _check(response: httpx.Response, file: dict[str, Any], *, most: int) -> None:
    """What the headers say already, before anything is read."""
    if response.status_code >= 500 or response.status_code == 429:
        raise DownloadInterrupted
    if response.status_code == 404:
        raise DownloadRefused(GONE_FILE)
    if response.status_code != 200:
        raise DownloadRefused(SIGN_IN)
    announced = response.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        raise DownloadRefused(too_big(int(announced), most))


async def _keep(response: httpx.Response, target: Path, file: dict[str, Any], *, most: int) -> str:
    target.parent.mkdir(parents=True, exist_ok=True)
    hashed, length = hashlib.sha256(), 0
    with target.open("wb") as kept:
        async for piece in response.aiter_bytes(PIECE):
            length += len(piece)
            if length > most:
                raise DownloadRefused(too_big(length, most))
            hashed.update(piece)
            kept.write(piece)
    web_page = response.headers.get("content-type", "").startswith("text/html")
    if web_page and length != file.get("size"):
        raise DownloadRefused(SIGN_IN)
    return hashed.hexdigest()
