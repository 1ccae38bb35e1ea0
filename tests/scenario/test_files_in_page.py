"""One file of each kind, dropped in the page with a real browser, added with a click, asked about, listed, removed."""

import base64
import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.scenario.firm_files import FirmFile, firm_files
from tests.scenario.stage import Stage

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser
PATIENCE_MS = 60_000
DROP = """([pane, files]) => {
  const carried = new DataTransfer();
  for (const [name, content] of files) {
    carried.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
  }
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
    document.querySelector(pane).dispatchEvent(event);
  }
}"""


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Kept beside the test; QS_PICTURES moves them."""
    return Path(os.environ.get("QS_PICTURES", tmp_path))


def _open(stage: Stage, browser: Browser, place: str, *, width: int = 1440, height: int = 900) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, locale="fr-FR", reduced_motion="reduce")
    page.goto(f"{stage.http.base_url}/#/{place}")
    page.wait_for_selector("body.ready")
    return page


def _drop(page: Page, pane: str, *files: FirmFile) -> None:
    page.evaluate(DROP, [pane, [[file.name, base64.b64encode(file.content).decode()] for file in files]])


def _add_all(page: Page, count: int) -> Locator:
    thread = page.locator("#replies")
    offers = thread.get_by_role("button", name="Pour ce canal")
    expect(offers).to_have_count(count, timeout=PATIENCE_MS)
    for left in range(count, 0, -1):
        offers.first.click()
        expect(offers).to_have_count(left - 1, timeout=PATIENCE_MS)
    expect(thread.get_by_role("button", name="Retirer")).to_have_count(count, timeout=PATIENCE_MS)
    return thread


def test_each_kind_is_dropped_added_asked_about_and_listed(on_stage: Stage, browser: Browser, pictures: Path) -> None:
    """pdf, docx, xlsx, xls, csv, txt, md, html: half chosen with the button, half dragged onto the conversation."""
    files = firm_files()
    page = _open(on_stage, browser, "C0MARCHE")
    page.get_by_role("button", name="@QuartierScope").first.click()
    page.keyboard.type("voici nos documents")
    chosen: list[FilePayload] = [
        {"name": f.name, "mimeType": "application/octet-stream", "buffer": f.content} for f in files[:4]
    ]
    page.locator("#composer input[type=file]").set_input_files(chosen)
    _drop(page, "#conversation", *files[4:])
    expect(page.locator("#composer .tray .file-chip")).to_have_count(8)
    page.screenshot(path=pictures / "1-joined.png")
    page.keyboard.press("Enter")
    expect(page.locator("#messages .files .file-chip")).to_have_count(8)
    thread = _add_all(page, 8)
    page.screenshot(path=pictures / "2-added.png")
    for number, file in enumerate(files):
        page.locator("#saisie-fil").click()
        page.keyboard.type(file.question)
        page.keyboard.press("Enter")
        answer = thread.locator(".message.from-bot", has=page.get_by_text("Sources", exact=True)).nth(number)
        expect(answer).to_contain_text(file.answer, timeout=PATIENCE_MS)
        expect(answer.locator(f'a:text("{file.name}")').first).to_be_visible()
        page.screenshot(path=pictures / f"3-{file.name.rpartition('.')[2]}.png")
    page.locator("#saisie").click()
    page.keyboard.type("/quartier sources tilleuls")
    page.keyboard.press("Enter")
    modal = page.get_by_role("dialog")
    expect(modal.get_by_text("charges des Tilleuls.xls")).to_be_visible(timeout=PATIENCE_MS)
    page.screenshot(path=pictures / "4-sources.png")
    page.keyboard.press("Escape")
    expect(modal).to_have_count(0)
    page.close()


def test_a_phone_drops_confirms_and_removes(on_stage: Stage, browser: Browser, pictures: Path) -> None:
    """At 390 pixels, in a private room: nothing overflows, opening to the team asks first, removing too."""
    file = FirmFile(
        "bail très long nom de fichier pour la maison du chemin des Amandiers.txt", b"Le loyer est fixe.", "", ""
    )
    page = _open(on_stage, browser, "C0PRIVE", width=390, height=844)
    page.get_by_role("button", name="@QuartierScope").first.click()
    _drop(page, "#conversation", file)
    page.screenshot(path=pictures / "5-phone-joined.png")
    page.get_by_role("button", name="Envoyer").first.click()
    thread = page.locator("#replies")
    thread.get_by_role("button", name="Pour toute l'équipe").click(timeout=PATIENCE_MS)
    expect(page.get_by_role("dialog")).to_contain_text("conversation privée")
    page.get_by_role("dialog").get_by_role("button", name="Annuler").click()
    page.screenshot(path=pictures / "6-phone-card.png")
    thread.get_by_role("button", name="Ici seulement").click()
    expect(thread.get_by_text("ce salon privé")).to_be_visible(timeout=PATIENCE_MS)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    thread.get_by_role("button", name="Retirer").click()
    page.get_by_role("dialog").get_by_role("button", name="Retirer").click()
    expect(thread.get_by_text("aucun de ses passages ne peut plus être cité")).to_be_visible(timeout=PATIENCE_MS)
    page.screenshot(path=pictures / "7-phone-removed.png")
    page.close()
