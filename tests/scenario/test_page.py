"""The sandbox's page in a real Chromium: what a visitor types, sees and clicks, and that no message ever runs."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from sandbox.seed import APP

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=2</script> [clic](javascript:window.pwned=3)'


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


def test_a_message_written_with_a_mention_is_sent_and_its_thread_opens(server: str, visit: Any) -> None:
    """The @ completion makes a pill, Enter sends <@ID>, and the thread opens beside with a box of its own."""
    page = visit()
    page.locator("#saisie").click()
    page.keyboard.type("Bonjour @quart")
    page.keyboard.press("Enter")
    page.keyboard.type("que vaut Toulon & <b>Lyon</b> ?")
    page.keyboard.press("Enter")
    root = page.locator("#messages .message")
    expect(root).to_contain_text("@QuartierScope que vaut Toulon & <b>Lyon</b> ?")
    expect(page.locator("#replies .message")).to_have_count(1)
    stored = httpx.get(f"{server}/sandbox/messages?channel=C0MARCHE").json()["messages"][0]
    assert stored["text"] == f"Bonjour <@{APP.user_id}> que vaut Toulon &amp; &lt;b&gt;Lyon&lt;/b&gt; ?"
    page.locator("#saisie-fil").click()
    page.keyboard.type("Et à Nantes ?")
    page.keyboard.press("Enter")
    expect(page.locator("#replies .message")).to_have_count(2)


def test_an_answer_arrives_in_the_open_thread_without_reload(server: str, visit: Any) -> None:
    """The live line brings the bot's placeholder, then its update, into the thread that is shown."""
    page = visit()
    page.locator(".suggestion").first.click()
    expect(page.locator("#replies .message")).to_have_count(1)
    root = page.locator("#replies .message").get_attribute("data-ts")
    sent = as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="Je cherche…")
    expect(page.locator("#replies .message.waiting")).to_have_count(1)
    answer = [{"type": "markdown", "text": "### Prix\n- **3 500 €/m²** [1]\n\n| a | b |\n|---|--:|\n| x | 1 |"}]
    as_bot(server, "chat.update", channel="C0MARCHE", ts=sent["ts"], text="Prix", blocks=answer)
    reply = page.locator("#replies .message").nth(1)
    expect(reply.locator("h6, h5, h4")).to_have_text("Prix")
    expect(reply.locator("li strong")).to_have_text("3 500 €/m²")
    expect(reply.locator("td.to-right")).to_have_text("1")
    expect(reply.locator(".app-tag")).to_have_text("APP")
    expect(page.locator("#replies .message.waiting")).to_have_count(0)


def test_html_in_a_message_is_text_in_every_kind_of_block(server: str, visit: Any) -> None:
    """Whatever block carries it, a message with HTML or a javascript: link shows as text and runs nothing."""
    rich = {"type": "rich_text_section", "elements": [{"type": "text", "text": HOSTILE},
            {"type": "link", "url": "javascript:window.pwned=4", "text": "lien"}]}  # fmt: skip
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": HOSTILE[:140]}},
        {"type": "section", "text": {"type": "mrkdwn", "text": f"{HOSTILE} <javascript:window.pwned=5|x>"}},
        {"type": "context", "elements": [{"type": "plain_text", "text": HOSTILE}]},
        {"type": "markdown", "text": f"{HOSTILE}\n\n```\n{HOSTILE}\n```\n| {HOSTILE} | b |\n|---|---|\n| 1 | 2 |"},
        {"type": "rich_text", "elements": [rich]},
        *card(HOSTILE),
    ]
    as_bot(server, "chat.postMessage", channel="C0MARCHE", text=HOSTILE, blocks=blocks)
    say(server, text=HOSTILE)
    page = visit()
    expect(page.locator("#messages .message")).to_have_count(2)
    assert page.locator("#messages .message-body :is(img, script)").count() == 0
    assert page.locator('#messages a[href^="javascript"]').count() == 0
    assert page.evaluate("window.pwned") is None


def test_a_button_click_reaches_the_log(server: str, visit: Any) -> None:
    """A click on a card's button becomes a block_actions event in the journal, and only after the confirm question."""
    root = say(server, text="Une question")
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="carte", blocks=card())
    page = visit(f"C0MARCHE/{root}")
    page.locator("#replies").get_by_role("button", name="Rejeter").click()
    page.keyboard.press("Escape")
    page.locator("#replies").get_by_role("button", name="Valider").click()
    page.get_by_role("tab", name="Journal").click()
    expect(page.locator(".log-line.kind-event", has_text="block_actions")).to_have_count(1)
    clicks = [entry for entry in log(server) if "block_actions" in entry["summary"]]
    assert len(clicks) == 1
    assert "oui" in str(clicks[0]["detail"])


def test_each_user_sees_their_own_conversations(server: str, visit: Any) -> None:
    """Switching user moves the direct conversation, shows that user's ephemerals only, and writes in their name."""
    note = {"channel": "C0MARCHE", "user": "U0HUGO", "text": "Pour Hugo seulement"}
    as_bot(server, "chat.postEphemeral", **note)
    page = visit()
    expect(page.locator(".only-you")).to_have_count(0)
    page.locator("[data-user=U0HUGO]").click()
    expect(page.locator(".message.ephemeral")).to_contain_text("Visible de vous seul")
    page.locator("[data-place=D0HUGO]").click()
    page.locator("[data-user=U0INES]").click()
    page.wait_for_url("**/#/D0INES")
    page.locator("#saisie").click()
    page.keyboard.type("Bonjour")
    page.keyboard.press("Enter")
    expect(page.locator("#messages .author")).to_have_text("Inès Kadiri")


def test_a_modal_says_what_is_missing_and_keeps_what_was_typed(server: str, visit: Any) -> None:
    """A modal opened by a click shows its fields, the error beside the right one, and goes away on Escape."""
    root = say(server, text="Une question")
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="carte", blocks=card())
    page = visit(f"C0MARCHE/{root}")
    page.locator("#replies").get_by_role("button", name="Valider").click()
    page.locator("#toasts").get_by_role("alert").wait_for()
    trigger = next(entry for entry in log(server) if "block_actions" in entry["summary"])["detail"]["trigger_id"]
    view = {"type": "modal", "title": plain("Modifier"), "submit": plain("Enregistrer"), "blocks": [
        field("texte", {"type": "plain_text_input", "action_id": "t", "multiline": True}),
        field("date", {"type": "datepicker", "action_id": "d"}),
    ]}  # fmt: skip
    as_bot(server, "views.open", trigger_id=trigger, view=view)
    dialog = page.get_by_role("dialog", name="Modifier")
    dialog.get_by_label("texte").fill("gardé <b>tel quel</b>")
    dialog.get_by_role("button", name="Enregistrer").click()
    expect(dialog.locator('[data-block-id="date"] .field-error')).to_be_visible()
    expect(dialog.locator(".field-error")).to_have_count(1)
    expect(dialog.get_by_label("texte")).to_have_value("gardé <b>tel quel</b>")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert httpx.get(f"{server}/sandbox/views?user=U0CAMILLE").json()["modals"] == []


def test_the_home_tab_is_drawn_for_its_user(server: str, visit: Any) -> None:
    """What the app publishes for a person is what that person finds under Accueil."""
    page = visit("accueil")
    view = {"type": "home", "blocks": [{"type": "header", "text": plain("Bonjour Camille")}]}
    as_bot(server, "views.publish", user_id="U0CAMILLE", view=view)
    expect(page.locator("#home h4")).to_have_text("Bonjour Camille")
    page.locator("[data-user=U0HUGO]").click()
    expect(page.locator("#home")).not_to_contain_text("Bonjour Camille")


def test_what_comes_while_the_page_opens_is_shown(server: str, visit: Any) -> None:
    """Said after the page has read the channel, before its live line stands."""
    page = visit("C0MARCHE")
    page.route("**/sandbox/stream", lambda route: (say(server, text="entre-temps"), route.continue_()))
    page.reload()
    expect(page.locator("#messages")).to_contain_text("entre-temps")


def test_a_long_answer_is_read_from_its_question(server: str, visit: Any) -> None:
    """An answer taller than the pane leaves its question in sight; at the bottom, new messages are followed."""
    root = say(server, text=f"<@{APP.user_id}> Une question")
    page = visit(f"C0MARCHE/{root}")
    expect(page.locator("#replies .message")).to_have_count(1)
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="\n".join(["ligne"] * 80))
    more = page.locator("#thread").get_by_role("button", name="La suite")
    expect(more).to_be_visible()
    expect(page.locator("#replies .message").first).to_be_in_viewport()
    more.click()
    expect(more).to_be_hidden()
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="dernier mot")
    expect(page.get_by_text("dernier mot")).to_be_in_viewport()


def plain(text: str) -> dict[str, str]:
    """Slack's plain_text object."""
    return {"type": "plain_text", "text": text}


def field(name: str, element: dict[str, Any]) -> dict[str, Any]:
    """A required input block whose block_id is its label."""
    return {"type": "input", "block_id": name, "label": plain(name), "element": element}


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1440])
def test_no_width_makes_the_page_scroll_sideways(server: str, visit: Any, width: int) -> None:
    """From a phone to a desk: a wide table, a long word and a thread stay inside the window."""
    wide = [
        {"type": "markdown", "text": "| " + " | ".join(["colonne"] * 12) + " |\n|" + "---|" * 12 + "\n" + "x" * 400}
    ]
    root = say(server, text="m" * 300)
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="t", blocks=[*wide, *card()])
    page = visit(f"C0MARCHE/{root}", width=width, height=800)
    expect(page.locator("#replies .message")).to_have_count(2)
    overflow = (
        "[...document.querySelectorAll('html, #app, #main, #replies, #thread')].map(e => e.scrollWidth - e.clientWidth)"
    )
    assert max(page.evaluate(overflow)) <= 0
    assert page.locator("#saisie-fil").bounding_box()["x"] >= 0


def test_a_phone_reaches_channels_and_thread_one_at_a_time(server: str, visit: Any) -> None:
    """At 360 px the channels sit in a drawer, a thread covers the window, and closing it leads back."""
    root = say(server, text="Une question")
    as_bot(server, "chat.postMessage", channel="C0MARCHE", thread_ts=root, text="Une réponse")
    page = visit(width=360, height=740)
    expect(page.locator("#sidebar")).to_be_hidden()
    page.get_by_role("button", name="1 réponse").click()
    covers = (
        "() => { const b = document.querySelector('#thread').getBoundingClientRect(); return !b.x && b.width == 360; }"
    )
    page.wait_for_function(covers)
    page.get_by_role("button", name="Fermer le fil").click()
    page.get_by_role("button", name="Ouvrir le menu").click()
    page.locator("[data-place=C0TOULON]").click()
    expect(page.locator("#channel-bar h2")).to_have_text("dossiers-toulon")
    expect(page.locator("#sidebar")).to_be_hidden()


def test_a_reload_keeps_the_place(server: str, visit: Any) -> None:
    """The address holds channel and thread, so that a reload or a shared link lands in the same spot."""
    root = say(server, text="Une question", channel="C0TOULON")
    page = visit(f"C0TOULON/{root}")
    expect(page.locator("#replies .message")).to_have_count(1)
    page.reload()
    expect(page.locator("#replies .message")).to_have_count(1)
    expect(page.locator("#channel-bar h2")).to_have_text("dossiers-toulon")
