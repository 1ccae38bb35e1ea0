"""The journeys that the product exists for: ask, follow up, note, click; and what must not happen."""

import re

import pytest

from tests.scenario.stage import CAMILLE, HUGO, Stage, shown


def test_a_conceptual_question_gets_a_cited_answer_in_its_thread(on_stage: Stage) -> None:
    """LMNP resale: the rule of 2025, with sources linked."""
    ts = on_stage.say("@bot Comment est calculée la plus-value à la revente d'un bien en LMNP ?")
    answer = on_stage.answer(ts)
    assert "amortissement" in answer
    assert re.search(r"\[\d+\]", answer)
    assert "Sources" in answer
    assert "https://" in answer


def test_a_commune_question_gets_prices_with_counts_and_source(on_stage: Stage) -> None:
    """The sandbox's figures say that they are fictitious, and the answer passes that on."""
    ts = on_stage.say("@bot Quels sont les prix des appartements à Villeurbanne ?")
    answer = on_stage.answer(ts)
    assert "€/m²" in answer
    assert "Villeurbanne" in answer
    assert "fictives" in answer


def test_a_mixed_question_brings_prices_and_the_flood_plan(on_stage: Stage) -> None:
    """A commune with a risk aspect always asks for its PPRI."""
    ts = on_stage.say("@bot Acheter une maison à Toulon en zone inondable : prix et obligations ?")
    answer = on_stage.answer(ts)
    assert "€/m²" in answer
    assert "PPRI" in answer


def test_a_follow_up_keeps_commune_and_scheme(on_stage: Stage) -> None:
    """« approfondis ce point » without a mention, in the thread."""
    ts = on_stage.say("@bot Un T3 en LMNP à Villeurbanne : quels prix, et quelle fiscalité à la revente ?")
    on_stage.answer(ts)
    on_stage.say("approfondis ce point", thread=ts)
    answer = on_stage.answer(ts, count=2)
    assert "LMNP" in answer
    assert "Villeurbanne" in answer or "€/m²" in answer


def test_a_note_is_written_by_one_click_and_only_once(on_stage: Stage) -> None:
    """Ask, ask to note, see the card, click: one note on the deal; a second click changes nothing."""
    before = len(on_stage.notes())
    ts = on_stage.say("@bot Mon client peut-il encore acheter en Pinel ?")
    on_stage.answer(ts)
    on_stage.say("note ce résultat sur le dossier 9002", thread=ts)
    card = on_stage.card(ts)
    assert "« note ce résultat sur le dossier 9002 »" in shown(card)
    assert "Sources : <https://" in shown(card)
    assert len(on_stage.notes()) == before, "no click, no write"
    on_stage.click(card, "approve")
    on_stage.until(lambda: len(on_stage.notes()) == before + 1, "note in the CRM")
    locked = on_stage.until(
        lambda: next((c for c in on_stage.cards(ts) if "écrite, validée" in shown(c)), None), "locked card"
    )
    assert "proposal_approve" not in shown(locked)
    assert "Pinel" in on_stage.notes()[-1]["properties"]["hs_note_body"]
    assert "Camille Renaud" in on_stage.notes()[-1]["properties"]["hs_note_body"]
    assert "|voir dans HubSpot>" in shown(locked)
    assert "9002" in on_stage.notes()[-1]["associations"]["deals"]
    on_stage.click(card, "approve", value=_value(card))
    on_stage.until(lambda: any("déjà été" in shown(m) for m in on_stage.thread(ts)), "whisper")
    assert len(on_stage.notes()) == before + 1


def test_a_rejected_card_writes_nothing(on_stage: Stage) -> None:
    """The card is locked as rejected, and the CRM is as before."""
    before = len(on_stage.notes())
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : le client préfère un T3 avec balcon")
    card = on_stage.card(ts)
    on_stage.click(card, "reject")
    on_stage.until(lambda: any("rejetée" in shown(c) for c in on_stage.cards(ts)), "rejected card")
    assert len(on_stage.notes()) == before


def test_a_colleague_may_not_approve_anothers_proposal(on_stage: Stage) -> None:
    """The clicker's right is checked at the click; the card stays open for who asked."""
    before = len(on_stage.notes())
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : à rappeler en janvier")
    card = on_stage.card(ts)
    on_stage.click(card, "approve", user=HUGO)
    on_stage.until(lambda: any("Seule la personne" in shown(m) for m in on_stage.thread(ts)), "whisper")
    assert len(on_stage.notes()) == before
    assert "proposal_approve" in shown(on_stage.cards(ts)[0])


def test_a_click_forged_from_another_team_writes_nothing(on_stage: Stage) -> None:
    """Nothing crosses teams: to the other team, this card does not exist."""
    before = len(on_stage.notes())
    ts = on_stage.say("@bot ajoute une note sur le dossier 9001 : confidentiel")
    card = on_stage.card(ts)
    on_stage.click(card, "approve", team="T0OTHER")
    on_stage.until(
        lambda: any("Je ne connais pas cette proposition" in shown(m) for m in on_stage.thread(ts)), "whisper"
    )
    assert len(on_stage.notes()) == before


def test_a_written_note_can_be_taken_back(on_stage: Stage) -> None:
    """Undo archives the note and says on the card who did it; one more click is told so too."""
    before = len(on_stage.notes())
    ts = on_stage.say("@bot ajoute une note sur le dossier 9003 : visite faite")
    card = on_stage.card(ts)
    on_stage.click(card, "approve")
    on_stage.until(lambda: len(on_stage.notes()) == before + 1, "note in the CRM")
    locked = on_stage.until(
        lambda: next((c for c in on_stage.cards(ts) if "proposal_undo" in shown(c)), None), "undo button"
    )
    on_stage.click(locked, "undo")
    undone = f"écrite puis annulée par <@{CAMILLE}>"
    on_stage.until(lambda: any(undone in shown(c) for c in on_stage.cards(ts)), "undone card")
    on_stage.click(locked, "undo")
    told = f"L'écriture a déjà été annulée par <@{CAMILLE}>"
    on_stage.until(lambda: any(told in shown(m) for m in on_stage.thread(ts)), "whisper")
    assert len(on_stage.notes()) == before


def test_what_hubspot_said_itself_is_not_offered_back_to_it(on_stage: Stage) -> None:
    """A deal said by its name is read; the only card is the one asked for next, on that deal."""
    ts = on_stage.say("@bot Quel DPE pour le dossier Benali ?")
    assert "9003" in on_stage.answer(ts)
    on_stage.say("ajoute une note : visite prévue", thread=ts)
    on_stage.answer(ts, count=2)
    assert "visite prévue" in shown(on_stage.card(ts)).lower()
    assert "Benali" in shown(on_stage.card(ts))
    assert len(on_stage.cards(ts)) == 1


def test_an_unknown_deal_is_said_and_offers_nothing(on_stage: Stage) -> None:
    """A plain sentence instead of a card."""
    ts = on_stage.say("@bot ajoute une note sur le dossier 424242 : bonjour")
    assert "424242" in on_stage.answer(ts)
    assert not on_stage.cards(ts)


def test_the_thread_itself_is_remembered(on_stage: Stage) -> None:
    """« qu'ai-je demandé ? » is answered from the thread, without search."""
    ts = on_stage.say("@bot Quelles sont les obligations d'un CIF avant une recommandation ?")
    on_stage.answer(ts)
    on_stage.say("qu'ai-je demandé ?", thread=ts)
    assert "obligations d'un CIF" in on_stage.answer(ts, count=2)


def test_a_direct_message_is_answered(on_stage: Stage) -> None:
    """No mention is needed in a direct message."""
    ts = on_stage.say("Qu'est-ce que le Denormandie ?", channel="D0CAMILLE")
    assert "Denormandie" in on_stage.answer(ts, channel="D0CAMILLE")


def test_a_question_outside_the_field_is_refused_with_a_reason(on_stage: Stage) -> None:
    """A refusal is an answer: plain, and without sources."""
    ts = on_stage.say("@bot Quelle est la recette de la tarte tatin ?")
    answer = on_stage.answer(ts)
    assert "Sources" not in answer
    assert "domaine" in answer or "champ" in answer


@pytest.mark.parametrize("action", ["stop", "kill"])
def test_a_restart_in_mid_thread_forgets_nothing(on_stage: Stage, action: str) -> None:
    """What was said while the bot was away is answered when it is back, and knows the thread."""
    ts = on_stage.say("@bot Que dit le dispositif Denormandie sur les travaux ?")
    on_stage.answer(ts)
    on_stage.post("process", action=action)
    on_stage.say("approfondis ce point", thread=ts)
    on_stage.post("process", action="start")
    assert "Denormandie" in on_stage.answer(ts, count=2)


def _value(card: dict[str, object]) -> str:
    """The opaque id that the button carried when the card still had it."""
    blocks = card["blocks"]
    assert isinstance(blocks, list)
    return next(str(e["value"]) for b in blocks if b["type"] == "actions" for e in b["elements"])
