"""The main job in a real browser with the real bot: question, follow-up, note, click, and the note in the CRM."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.scenario.stage import Stage

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser
PATIENCE_MS = 60_000


def _reply(page: Page, text: str) -> None:
    page.locator("#saisie-fil").click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_an_advisor_asks_follows_up_and_notes_the_answer(on_stage: Stage, browser: Browser, tmp_path: Path) -> None:
    """What a newcomer does in the page, with the pictures kept beside the test (QS_PICTURES moves them)."""
    pictures = Path(os.environ.get("QS_PICTURES", tmp_path))
    before = len(on_stage.notes())
    page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="fr-FR", reduced_motion="reduce")
    page.goto(f"{on_stage.http.base_url}/#/C0MARCHE")
    page.wait_for_selector("body.ready")
    page.get_by_role("button", name="@QuartierScope").first.click()
    page.keyboard.type("Un T3 à Villeurbanne en LMNP : quels prix, et quelle fiscalité à la revente ? --deal 9001")
    page.keyboard.press("Enter")
    thread = page.locator("#replies")
    expect(thread.get_by_text("Sources", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    expect(thread.get_by_text("€/m²").first).to_be_visible()
    page.screenshot(path=pictures / "1-answer.png")
    _reply(page, "approfondis ce point")
    expect(thread.get_by_text("Sources", exact=True)).to_have_count(2, timeout=PATIENCE_MS)
    page.screenshot(path=pictures / "2-deeper.png")
    _reply(page, "note ce résultat sur le dossier 9001")
    expect(thread.get_by_role("button", name="Valider")).to_have_count(3, timeout=PATIENCE_MS)
    assert len(on_stage.notes()) == before
    thread.get_by_role("button", name="Valider").last.click()
    expect(thread.get_by_text("écrite, validée par")).to_be_visible(timeout=PATIENCE_MS)
    page.screenshot(path=pictures / "3-written.png")
    assert len(on_stage.notes()) == before + 1
    page.close()


def test_a_played_scene_leads_the_page_and_ends_in_the_crm(on_stage: Stage, browser: Browser) -> None:
    """What `make demo` does: an open page goes where the scene is, as who plays it, and the note is really written."""
    before = len(on_stage.notes())
    page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="fr-FR", reduced_motion="reduce")
    page.goto(f"{on_stage.http.base_url}/#/C0MARCHE")
    page.wait_for_selector("body.ready")
    place = on_stage.http.post("/sandbox/play", json={"scene": "deal", "pause": 0.3}, timeout=120).raise_for_status()
    expect(page.locator("#caption")).to_contain_text("Un dossier")
    expect(page.locator("#replies").get_by_text("écrite, validée par")).to_be_visible(timeout=PATIENCE_MS)
    assert place.json()["thread_ts"] in page.url
    assert len(on_stage.notes()) == before + 1
    page.close()
