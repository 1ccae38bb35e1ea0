"""Live data in a real browser: a chart that is seen, an address's risks, and a homonym settled by its button."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.scenario.stage import Stage

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser
PATIENCE_MS = 60_000


def opened(on_stage: Stage, browser: Browser, text: str) -> Page:
    """The page on the thread of this question, asked by a script."""
    ts = on_stage.say(f"@bot {text}")
    on_stage.answer(ts)
    page = browser.new_page(viewport={"width": 1440, "height": 1400}, locale="fr-FR", reduced_motion="reduce")
    page.goto(f"{on_stage.http.base_url}/#/C0TOULON/{ts}")
    page.wait_for_selector("body.ready")
    return page


def test_prices_risks_and_a_homonym_are_read_in_the_page(on_stage: Stage, browser: Browser, tmp_path: Path) -> None:
    """Each figure with its source; pictures are kept beside the test (QS_PICTURES moves them)."""
    pictures = Path(os.environ.get("QS_PICTURES", tmp_path))
    page = opened(on_stage, browser, "Quels sont les prix des appartements à Saint-Denis ?")
    thread = page.locator("#replies")
    thread.get_by_role("button", name=re.compile("Seine-Saint-Denis")).click()
    expect(thread.get_by_text("vendus à Saint-Denis en 2025")).to_be_visible(timeout=PATIENCE_MS)
    expect(thread.get_by_role("img", name=re.compile("Courbe du prix médian"))).to_be_visible(timeout=PATIENCE_MS)
    page.wait_for_function("() => document.querySelector('#replies .file-image img').naturalWidth === 1200")
    page.screenshot(path=pictures / "market-1-homonym.png")
    page.close()
    page = opened(on_stage, browser, "Quels risques au 12 rue Victor Hugo à Toulon, argiles comprises ?")
    thread = page.locator("#replies")
    expect(thread.get_by_text("l'exposition au retrait-gonflement des argiles est faible")).to_be_visible()
    expect(thread.get_by_role("link", name=re.compile("Géorisques"))).to_be_visible()
    page.screenshot(path=pictures / "market-2-risks.png")
    page.close()
