"""Proposals in a real browser with the real bot: edited, approved, seen in the CRM, taken back; conflict; unknown."""

import os
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sandbox.hubspot.schema import TOKEN
from tests.scenario.stage import CAMILLE, TOULON, Stage
from tests.scenario.traces import change, until_card_says

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser
PATIENCE_MS = 60_000


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Beside the test, unless QS_PICTURES says where."""
    return Path(os.environ.get("QS_PICTURES", tmp_path))


def opened(browser: Browser, stage: Stage, ts: str, *, width: int = 1440, height: int = 1000) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, locale="fr-FR", reduced_motion="reduce")
    page.goto(f"{stage.http.base_url}/#/{TOULON}/{ts}")
    page.wait_for_selector("body.ready")
    return page


def press(page: Page, name: str) -> None:
    page.locator("#replies").get_by_role("button", name=name, exact=True).last.click()


def dialog(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name)


def seen(page: Page, words: str) -> None:
    expect(page.locator("#replies").get_by_text(words).first).to_be_visible(timeout=PATIENCE_MS)


@pytest.mark.parametrize("width", [1440, 390], ids=["desk", "phone"])
def test_a_note_is_edited_approved_seen_and_undone(
    on_stage: Stage, browser: Browser, pictures: Path, width: int
) -> None:
    """Each step as a person sees it, at a desk and on a phone; nothing scrolls sideways."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : relire le bail", user=CAMILLE)
    on_stage.card(ts)
    page, size = opened(browser, on_stage, ts, width=width), f"{width}"
    seen(page, "Pourquoi")
    page.screenshot(path=pictures / f"note-1-offered-{size}.png")
    press(page, "Modifier")
    form = dialog(page, "Modifier la proposition")
    form.get_by_role("textbox").fill("Bail relu avec le notaire : l'indexation manque.")
    page.screenshot(path=pictures / f"note-2-form-{size}.png")
    form.get_by_role("button", name="Enregistrer").click()
    seen(page, "Version 2, modifiée par")
    press(page, "Valider")
    seen(page, "écrite, validée par")
    page.screenshot(path=pictures / f"note-3-written-{size}.png")
    with page.expect_popup() as popup:
        page.locator("#replies").get_by_role("link", name="voir dans HubSpot").last.click()
    expect(popup.value.get_by_text("Bail relu avec le notaire").first).to_be_visible()
    popup.value.screenshot(path=pictures / f"note-4-crm-{size}.png")
    popup.value.close()
    press(page, "Annuler l'écriture")
    seen(page, "écrite puis annulée par")
    page.screenshot(path=pictures / f"note-5-undone-{size}.png")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.close()


@pytest.mark.parametrize("width", [1440, 390], ids=["desk", "phone"])
def test_several_are_decided_together(on_stage: Stage, browser: Browser, pictures: Path, width: int) -> None:
    """Three cards, one list; each line says what became of it."""
    ts = on_stage.say(
        f"@bot ajoute une note sur le dossier {'9003' if width > 400 else '9001'} : bail relu, crée une tâche : "
        "rappeler le notaire demain, et mets l'étape à Financement en cours"
    )
    page = opened(browser, on_stage, ts, width=width, height=1500)
    seen(page, "3 écritures proposées ensemble")
    page.screenshot(path=pictures / f"all-1-offered-{width}.png")
    press(page, "Rejeter")
    seen(page, "rejetée par")
    press(page, "Préciser le motif")
    form = dialog(page, "Motif du rejet")
    form.get_by_role("combobox").select_option(label="Plus d'actualité")
    page.screenshot(path=pictures / f"all-2-reason-{width}.png")
    form.get_by_role("button", name="Enregistrer").click()
    seen(page, "Plus d'actualité")
    press(page, "Tout valider")
    seen(page, "2 écrites")
    page.screenshot(path=pictures / f"all-3-told-{width}.png")
    page.close()


def test_a_record_that_changed_is_offered_again(on_stage: Stage, browser: Browser, pictures: Path) -> None:
    """A colleague moves the deal in HubSpot while the card waits: both stages told, the form starts from today's."""
    ts = on_stage.say("@bot passe le dossier 9002 à l'étape Financement en cours")
    on_stage.card(ts)
    page = opened(browser, on_stage, ts)
    seen(page, "Pourquoi")
    body, by = {"properties": {"dealstage": "appointmentscheduled"}}, {"Authorization": f"Bearer {TOKEN}"}
    at = f"{on_stage.http.base_url}/hubspot/crm/v3/objects/deals/9002"
    httpx.patch(at, json=body, headers=by).raise_for_status()
    press(page, "Valider")
    seen(page, "mais non écrite, la fiche a changé")
    page.screenshot(path=pictures / "conflict-1-told.png")
    press(page, "Revoir et proposer à nouveau")
    form = dialog(page, "Modifier la proposition")
    expect(form.get_by_text("Aujourd'hui dans HubSpot")).to_contain_text("Premier rendez-vous")
    page.screenshot(path=pictures / "conflict-2-form.png")
    form.get_by_role("button", name="Enregistrer").click()
    seen(page, "Version 2, modifiée par")
    press(page, "Valider")
    seen(page, "écrite, validée par")
    page.screenshot(path=pictures / "conflict-3-written.png")
    page.close()


def test_an_unknown_outcome_is_resolved_by_a_person(on_stage: Stage, browser: Browser, pictures: Path) -> None:
    """« Absent, refaire » asks once more, looks once more, and writes once."""
    ts, before = on_stage.say("@bot ajoute une note sur le dossier 9001 : relire le bail"), len(on_stage.notes())
    card = on_stage.card(ts)
    told = "HubSpot n''a pas confirmé l''écriture et je ne la retrouve pas"
    state = f"state = 'unknown', decided_by = ?, decided_at = '2026-11-22T10:00:00.000+00:00', reason = '{told}'"
    on_stage.until(lambda: change(on_stage, f"update proposal set {state} where thread_ts = ?", CAMILLE, ts), "row")
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "Absent, refaire")
    page = opened(browser, on_stage, ts)
    page.screenshot(path=pictures / "unknown-1-asked.png")
    press(page, "Absent, refaire")
    page.get_by_role("button", name="Refaire", exact=True).click()
    seen(page, "écrite, validée par")
    page.screenshot(path=pictures / "unknown-2-written.png")
    assert len(on_stage.notes()) == before + 1
    page.close()
