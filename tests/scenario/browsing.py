"""A sandbox without bot and a Chromium to look at its page: fixtures and the few calls that fill it."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from sandbox.seed import APP

ROOT = Path(__file__).parents[2]
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A sandbox without bot, on a free port; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "sandbox", "--no-bot", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        base = f"http://127.0.0.1:{port}"
        try:
            _wait_for(f"{base}/sandbox/state", process)
            yield base
        finally:
            process.terminate()


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert process.poll() is None, "the sandbox stopped by itself"
        try:
            if httpx.get(url).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail("the sandbox did not answer within 20 s")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The machine's own Chromium; the tests are skipped, and say so, where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the page's tests did not run")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def visit(server: str, browser: Browser) -> Iterator[Any]:
    """visit(place, width=, height=, scheme=) -> a Page. The sandbox is reset first; page errors fail the test."""
    httpx.post(f"{server}/sandbox/reset", json={}).raise_for_status()
    contexts, errors = [], []

    def open_page(place: str = "C0MARCHE", *, width: int = 1440, height: int = 900, scheme: Any = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="fr-FR", reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server}/#/{place}")
        page.wait_for_selector("body.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def as_bot(server: str, method: str, **arguments: Any) -> dict[str, Any]:
    """One Web API call as the bot; fails on ok: false."""
    headers = {"Authorization": f"Bearer {APP.bot_token}"}
    answer: dict[str, Any] = httpx.post(f"{server}/api/{method}", json=arguments, headers=headers).json()
    assert answer["ok"], answer
    return answer


def say(server: str, **body: Any) -> str:
    """A person's message; returns its ts."""
    answer = httpx.post(f"{server}/sandbox/say", json={"user": "U0CAMILLE", "channel": "C0MARCHE", **body})
    return str(answer.raise_for_status().json()["ts"])


def log(server: str) -> list[dict[str, Any]]:
    """The sandbox's log, oldest first."""
    entries: list[dict[str, Any]] = httpx.get(f"{server}/sandbox/log?after=0").json()["entries"]
    return entries


def card(text: str = "Note proposée") -> list[dict[str, Any]]:
    """A proposal card with two buttons, the second behind a confirm question."""
    plain = {"type": "plain_text", "text": "Rejeter ?"}
    buttons = [
        {"type": "button", "action_id": "oui", "style": "primary", "value": "7", "text": {**plain, "text": "Valider"}},
        {"type": "button", "action_id": "non", "value": "7", "text": {**plain, "text": "Rejeter"},
         "confirm": {"title": plain, "text": plain, "confirm": plain, "deny": plain}},
    ]  # fmt: skip
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": text}},
        {"type": "actions", "block_id": "choix", "elements": buttons},
    ]
