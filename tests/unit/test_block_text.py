"""Nothing that a person, a page or a CRM wrote can ping, link or hide once it is in a message of ours."""

from typing import Any

import pytest

from bot.slack.blocks.answers import answer_blocks, answer_text
from bot.slack.blocks.batches import batch_blocks
from bot.slack.blocks.cards import card_blocks, card_text, reading_view
from bot.slack.blocks.proposal_form import Field, Form, edit_view
from bot.slack.blocks.text import escape, link, markdown, unbroken, verbatim

SHOWN = {
    "reason": None, "proposal_id": "p", "crm_url": "", "crm_id": None, "decided_by": None, "decided_at": None,
    "expires_at": "2026-11-22T10:00:00+00:00", "origin": None, "requested_by": "digest", "version": 1,
    "edited_by": None, "resolved_by": None, "undone_by": None, "undone_at": None,
}  # fmt: skip
"""What a proposal's row holds besides its action and its state."""

HOSTILE = [
    "<!channel>",
    "<!here|ici>",
    "<!everyone>",
    "<!subteam^S123>",
    "<@U0HUGO>",
    "<#C0MARCHE>",
    "<https://mal.example|votre banque>",
    "<mailto:a@b.fr|moi>",
    "\u202e<!channel>",
    "<\u200b!channel>",
]
LIVE = ("<!", "<@", "<#", "<http", "<mailto")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    """In `mrkdwn`, in a `markdown` block and as a link's label."""
    for shown in (escape(text), markdown(text), link("https://www.legifrance.gouv.fr", text).removeprefix("<https://")):
        assert not [sign for sign in LIVE if sign in shown]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://a.fr", "https://a.fr|x>", "https://a.fr\n", ""])
def test_only_a_clean_https_address_becomes_a_link(url: str) -> None:
    """Everything else is shown as its label."""
    assert link(url, "source") == "source"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_card_and_no_answer_holds_a_live_mention(text: str) -> None:
    """Fields, summary, target's name, old value, reason, the words that led to it, sources; text, remarks, titles and
    missing parts."""
    action = {
        "kind": "update_property",
        "target": {"object": "deal", "id": text, "name": text},
        "fields": {"hs_next_step": text, text: text},
        "summary": text,
        "base": {"value": text, "label": text},
    }
    origin = {"words": text, "sources": [[text, text], [text, "https://www.anil.org/y"]]}
    row: dict[str, Any] = {**SHOWN, "action": action, "state": "failed", "reason": text, "crm_id": text}
    row |= {"origin": origin}
    form = Form((Field("value", text, "choice", text, options=((text, text),)),), said=text)
    citation = {"id": 1, "kind": "passage", "title": text, "url": "", "quote": text, "as_of": None}
    record = {"remarks": [text], "citations": [citation], "degraded": [text], "figures_checked": 1}
    answer = {"text": text, "record": record}
    both = batch_blocks([row, row], key="k")
    messages = (card_blocks(row), card_text(row), reading_view(row), answer_blocks(answer), answer_text(answer), both)
    said = edit_view("p", form)["blocks"][0]
    for shown in (str(message).replace("<https://www.anil.org/y|", "") for message in (*messages, said)):
        assert not [sign for sign in LIVE if sign in shown]


def test_a_refusal_does_not_say_its_reason_twice() -> None:
    """What the answer itself says is left out of its footer; other gaps stay."""
    record = {"refusal": "Cerema : indisponible. Rien d'autre.", "degraded": ["Cerema : indisponible.", "Sans modèle"]}
    *_, footer = answer_blocks({"text": record["refusal"], "record": record})
    assert "Cerema" not in str(footer)
    assert "Sans modèle" in str(footer)


def test_a_card_of_a_stage_reads_in_the_firms_words() -> None:
    """The field and both values as people know them, never an id."""
    action = {
        "kind": "update_property",
        "target": {"object": "deal", "id": "9001", "name": "Dossier Martin"},
        "fields": {"dealstage": "closedwon"},
        "summary": "x",
        "base": {"value": "qualifiedtobuy", "old_label": "Étude patrimoniale", "new_label": "Acte signé"},
    }
    row: dict[str, Any] = {**SHOWN, "action": action, "state": "offered"}
    shown = str(card_blocks(row))
    assert "*Étape du dossier*" in shown
    assert "~Étude patrimoniale~ → Acte signé" in shown
    assert "qualifiedtobuy" not in shown
    assert "closedwon" not in shown


def test_no_line_ends_inside_french_punctuation() -> None:
    """Narrow spaces inside « » and before : ; ? !; an emoji's code stays one."""
    told = unbroken("Cible : « Martin ; fils » ? :white_check_mark: écrite")
    assert told == "Cible\u202f: «\u202fMartin\u202f; fils\u202f»\u202f? :white_check_mark: écrite"


def test_no_line_ends_inside_a_figure() -> None:
    """Thousands, % and € stay together in an answer, also where an article wrote plain spaces; a year and a count do
    not become one number."""
    told = markdown("Sur 300 000 € au plus, 12 % en 2026, 1 250 logements")
    assert told == "Sur 300\u202f000\u00a0€ au plus, 12\u00a0% en 2026, 1\u202f250 logements"
    assert unbroken("en 2026 300 logements") == "en 2026 300 logements"


def test_an_answer_leads_only_where_it_cites() -> None:
    """Whoever wrote the text: in its blocks and in the plain text for notifications."""
    cited = "https://www.service-public.gouv.fr/x"
    citation = {"id": 1, "kind": "passage", "title": "Fiche", "url": cited, "quote": "", "as_of": None}
    near = "https://www.anil.org/y"
    text = (
        f"Voir [ici](https://mal.example/a), https://mal.example, mal.example/c, [la fiche]({cited}), [près]({near})."
    )
    answer = {"text": text, "record": {"citations": [citation], "links": [near]}}
    for shown in (str(answer_blocks(answer)), answer_text(answer)):
        assert "mal.example" not in shown
        assert cited in shown
        assert near in shown


def test_slack_makes_no_link_of_its_own() -> None:
    """`verbatim` on every text object of Slack's own mark-up, however deep; nothing else changes."""
    card = {"type": "section", "text": {"type": "mrkdwn", "text": "a.fr"}, "fields": [{"type": "mrkdwn", "text": "b"}]}
    (told,) = verbatim([card])
    assert (told["text"]["verbatim"], told["fields"][0]["verbatim"]) == (True, True)
    assert "verbatim" not in told
    assert "verbatim" not in card["text"]
