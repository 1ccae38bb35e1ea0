"""A sandbox without bot and a Chromium to look at its page: fixtures."""

import shutil
import subprocess
import sys
import threading
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
    command = [sys.executable, "-m", "sandbox", "--no-bot", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            said = next((line for line in process.stdout if line.startswith("Bac à sable sur ")), "")
            assert said, "the sandbox stopped by itself"
            threading.Thread(target=process.stdout.read, daemon=True).start()  # a full pipe would hold it up
            yield said.split()[4].rstrip(".")
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The machine's own Chromium; the tests are skipped, and say so, where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the page's tests did not run")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
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
