"""A file comes from Slack's own hosts or not at all, whole and within its limit, and no page passes for a file."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.slack.downloads import DownloadInterrupted, DownloadRefused, download
from tests.loopback import served

API = "https://slack.com/api/"
SIGN_IN = "<!doctype html><title>Sign in | Slack</title>"


async def _fetch(url: str, target: Path, *, api: str = API, most: int = 1_000, **info: Any) -> str:
    file = {"url_private_download": url, "size": 5, **info}
    return await download(file, target, token="xoxb-secret", api_url=api, most=most)


@pytest.mark.parametrize(
    "url",
    [
        "https://mal.example/files/bail.pdf",
        "http://files.slack.com/bail.pdf",
        "https://files.slack.com:8443/bail.pdf",
        "https://files.slack.com@mal.example/bail.pdf",
        "https://files.slack.com.mal.example/bail.pdf",
        "https://mal.example\\@files.slack.com/bail.pdf",
        "https://slack.com:444/bail.pdf",
        "http://slack.com/bail.pdf",
        "//mal.example/bail.pdf",
        "file:///etc/passwd",
        "",
    ],
)
async def test_the_token_goes_to_slacks_own_hosts_only(url: str, tmp_path: Path) -> None:
    """Refused before any request: whoever receives the token can act as the bot."""
    with respx.mock(assert_all_called=False) as wire:
        wire.route().respond(200, content=b"hello")
        with pytest.raises(DownloadRefused):
            await _fetch(url, tmp_path / "f")
        assert not wire.calls
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize(
    ("url", "api"),
    [
        ("https://files.slack.com/files-pri/T1-F1/download/bail.pdf", API),
        ("https://slack.com/files/bail.pdf", API),
        ("http://127.0.0.1:8080/files-pri/x", "http://127.0.0.1:8080/api/"),
    ],
)
async def test_slacks_hosts_get_the_token(url: str, api: str, tmp_path: Path) -> None:
    """files.slack.com, and wherever this Slack's own API is."""
    with respx.mock() as wire:
        route = wire.get(url).respond(200, content=b"hello")
        digest = await _fetch(url, tmp_path / "f", api=api)
    assert route.calls.last.request.headers["authorization"] == "Bearer xoxb-secret"
    assert (tmp_path / "f").read_bytes() == b"hello"
    assert digest.startswith("2cf24dba5fb0a30e")


def _server() -> Starlette:
    async def page(_request: Request) -> Response:
        return HTMLResponse(SIGN_IN)

    async def away(_request: Request) -> Response:
        return RedirectResponse("https://mal.example/")

    async def long(_request: Request) -> Response:
        return Response(b"x" * 1_001)

    async def endless(_request: Request) -> Response:
        async def pieces() -> Any:
            for _ in range(100_000):
                yield b"x" * 1_000
                await asyncio.sleep(0)  # the server's turn to see that the reader has left

        return StreamingResponse(pieces())

    async def status(request: Request) -> Response:
        return Response(status_code=int(request.path_params["code"]))

    places = {"/page": page, "/away": away, "/long": long, "/endless": endless, "/status/{code}": status}
    return Starlette(routes=[Route(path, act) for path, act in places.items()])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/page", "files:read"),
        ("/away", "files:read"),
        ("/status/403", "files:read"),
        ("/status/404", "plus dans Slack"),
        ("/long", "je lis jusqu'à"),
        ("/endless", "je lis jusqu'à"),
    ],
)
async def test_what_is_no_file_is_refused_in_one_sentence(path: str, words: str, tmp_path: Path) -> None:
    """Slack's sign-in page with status 200, a redirect (the token stays), a file gone, too long, or without an end."""
    with served(_server()) as url, pytest.raises(DownloadRefused, match=words):
        await _fetch(f"{url}{path}", tmp_path / "f", api=f"{url}/api/")


async def test_a_web_page_that_somebody_dropped_is_kept(tmp_path: Path) -> None:
    """HTML of exactly the size that Slack told is the file itself."""
    with served(_server()) as url:
        await _fetch(f"{url}/page", tmp_path / "f", api=f"{url}/api/", size=len(SIGN_IN))
    assert (tmp_path / "f").read_text() == SIGN_IN


@pytest.mark.parametrize("path", ["/status/500", "/status/429"])
async def test_an_outage_is_worth_another_attempt(path: str, tmp_path: Path) -> None:
    """The job tries again; so it does when the connection fails."""
    with served(_server()) as url, pytest.raises(DownloadInterrupted):
        await _fetch(f"{url}{path}", tmp_path / "f", api=f"{url}/api/")
    with respx.mock() as wire:
        wire.get("https://files.slack.com/f").mock(side_effect=httpx.ConnectError("down"))
        with pytest.raises(DownloadInterrupted):
            await _fetch("https://files.slack.com/f", tmp_path / "f")
