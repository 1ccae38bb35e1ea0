"""A sandbox without bot and a Chromium to look at its page: fixtures."""

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
