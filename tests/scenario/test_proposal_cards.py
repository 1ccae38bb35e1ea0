"""What people do with a proposal besides approving it: edit it, say why not, decide on all, find out what happened."""

import json
from typing import Any

import pytest

from bot.proposals.lifecycle import payload_hash
from tests.scenario.dropping import whispers
from tests.scenario.stage import CAMILLE, HUGO, Stage, is_batch, shown
from tests.scenario.traces import NOTE, change, crm_writes, last_entry, lines, rows, until_card_says

pytestmark = pytest.mark.usefixtures("good_day")

THREE = (
    "@bot ajoute une note sur le dossier 9001 : bail relu, crée une tâche : rappeler le notaire demain, "
    "et mets l'étape à Financement en cours"
)


def modal(stage: Stage, title: str, *, user: str = CAMILLE) -> dict[str, Any]:
    """The open modal once its fields are there."""

    def look() -> dict[str, Any] | None:
        views = stage.get("views", user=user)["modals"]
        return next((v for v in views[::-1] if v["title"]["text"] == title and inputs(v)), None)

    return stage.until(look, f"modal « {title} »")


def inputs(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The elements by what they fill in."""
    return {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}


def edit(stage: Stage, card: dict[str, Any], values: dict[str, Any], *, user: str = CAMILLE) -> Any:
    stage.click(card, "edit", user=user)
    view = modal(stage, "Modifier la proposition", user=user)
    return stage.post("submit", user=user, view_id=view["id"], values=values)


def until_whisper(stage: Stage, ts: str, words: str, *, user: str = CAMILLE) -> None:
    stage.until(lambda: words in whispers(stage, ts, user=user), f"whisper « {words} »")


def old_button(card: dict[str, Any]) -> str:
    return next(str(e["value"]) for b in card["blocks"] if b["type"] == "actions" for e in b["elements"])


def test_a_note_is_edited_then_approved_and_taken_back(on_stage: Stage) -> None:
    """The card shows the next version and by whom; that one is written, the old button is told it is dead."""
    ts, before = on_stage.say(NOTE), len(on_stage.notes())
    card = on_stage.card(ts)
    assert "Pourquoi : « ajoute une note sur le dossier 9001 : relire le bail »" in shown(card)
    edit(on_stage, card, {"hs_note_body": "Bail relu avec le notaire"})
    until_card_says(on_stage, ts, "Version 2, modifiée par")
    assert len(on_stage.cards(ts)) == 1
    on_stage.click(card, "approve", value=old_button(card), forge=True)
    until_whisper(on_stage, ts, "Cette version a été modifiée depuis")
    assert len(on_stage.notes()) == before
    on_stage.click(on_stage.cards(ts)[0], "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    body = on_stage.notes()[-1]["properties"]["hs_note_body"]
    assert "Bail relu avec le notaire" in body
    assert "relire le bail" not in body
    on_stage.click(on_stage.cards(ts)[0], "undo")
    until_card_says(on_stage, ts, f"écrite puis annulée par <@{CAMILLE}>")
    assert len(on_stage.notes()) == before


def test_an_edited_text_is_masked_like_a_proposed_one(on_stage: Stage) -> None:
    """A number that somebody pastes into the form does not reach HubSpot either, and that is said."""
    ts = on_stage.say(NOTE)
    edit(
        on_stage,
        on_stage.card(ts),
        {"hs_note_body": "NIR 2 55 08 14 168 025 38, IBAN FR76 3000 6000 0112 3456 7890 189"},
    )
    until_whisper(on_stage, ts, "a été masqué")
    card = on_stage.cards(ts)[0]
    assert "[NIR masqué]" in shown(card)
    assert "[IBAN masqué]" in shown(card)
    assert "168 025" not in str(rows(on_stage, "select action from proposal where thread_ts = ?", ts))


def test_a_task_is_edited_with_typed_fields(on_stage: Stage) -> None:
    """Day and hour from pickers, priority and owner as HubSpot has them; a day that is past is refused in the form."""
    ts = on_stage.say("@bot crée une tâche sur le dossier 9001 : rappeler le notaire demain")
    card = on_stage.card(ts)
    on_stage.click(card, "edit")
    view = modal(on_stage, "Modifier la proposition")
    fields = inputs(view)
    assert (fields["due"]["type"], fields["at"]["type"]) == ("datepicker", "timepicker")
    assert "Haute" in str(fields["hs_task_priority"]["options"])
    assert fields["hubspot_owner_id"]["options"]
    refused = on_stage.post("submit", user=CAMILLE, view_id=view["id"], values={"due": "2020-01-01"})
    assert "passée" in refused["errors"]["due"]
    values = {"due": "2031-03-14", "at": "16:30", "hs_task_priority": "HIGH", "hs_task_subject": "Appeler Me Roux"}
    assert on_stage.post("submit", user=CAMILLE, view_id=view["id"], values=values)["ok"]
    until_card_says(on_stage, ts, "14/03/2031 à 16 h 30")
    on_stage.click(on_stage.cards(ts)[0], "approve")
    until_card_says(on_stage, ts, "écrite, validée")
    task = on_stage.get("crm")["tasks"][-1]["properties"]
    assert task["hs_task_subject"] == "Appeler Me Roux"
    assert task["hs_task_priority"] == "HIGH"
    assert task["hs_timestamp"] == "2031-03-14T15:30:00.000Z"


def test_a_field_is_edited_with_the_options_of_hubspot(on_stage: Stage) -> None:
    """A stage of the deal's own pipeline, with what HubSpot says today above it."""
    ts = on_stage.say("@bot passe le dossier 9001 à l'étape Financement en cours")
    card = on_stage.card(ts)
    on_stage.click(card, "edit")
    view = modal(on_stage, "Modifier la proposition")
    assert "Aujourd'hui dans HubSpot" in str(view["blocks"])
    assert "Préconisation présentée" in str(inputs(view)["value"]["options"])
    on_stage.post("submit", user=CAMILLE, view_id=view["id"], values={"value": "presentationscheduled"})
    until_card_says(on_stage, ts, "→ Préconisation présentée")


def test_a_form_left_open_too_long_says_so(on_stage: Stage) -> None:
    """Submitted after the proposal's end: a sentence in the form, nothing kept, the card without buttons."""
    ts = on_stage.say(NOTE)
    on_stage.click(on_stage.card(ts), "edit")
    view = modal(on_stage, "Modifier la proposition")
    change(on_stage, "update proposal set expires_at = '2026-01-01' where thread_ts = ?", ts)
    said = on_stage.post("submit", user=CAMILLE, view_id=view["id"], values={"hs_note_body": "trop tard"})
    assert "expiré" in said["errors"]["hs_note_body"]
    until_card_says(on_stage, ts, "expirée")
    on_stage.post("close", user=CAMILLE, view_id=view["id"])
    assert len(rows(on_stage, "select 1 from proposal where thread_ts = ?", ts)) == 1


def test_a_form_that_is_closed_while_hubspot_is_read_is_no_error(on_stage: Stage) -> None:
    """Nobody is told of a technical error for having changed their mind."""
    ts = on_stage.say("@bot passe la priorité du dossier 9002 à haute")
    card = on_stage.card(ts)
    on_stage.post("faults", hubspot={"mode": "slow", "on": "read", "count": 20, "seconds": 1.0})
    on_stage.click(card, "edit")
    (view,) = on_stage.until(lambda: on_stage.get("views", user=CAMILLE)["modals"], "modal")
    on_stage.post("close", user=CAMILLE, view_id=view["id"])
    on_stage.until(lambda: lines(on_stage, "form_closed"), "log line")
    assert "n'a pas abouti" not in whispers(on_stage, ts, user=CAMILLE)


def test_a_colleague_may_not_open_the_form(on_stage: Stage) -> None:
    """Who may not approve may not edit."""
    ts = on_stage.say(NOTE)
    on_stage.click(on_stage.card(ts), "edit", user=HUGO)
    until_whisper(on_stage, ts, "Seule la personne", user=HUGO)
    assert not on_stage.get("views", user=HUGO)["modals"]


def test_a_rejection_says_why(on_stage: Stage) -> None:
    """One click rejects; the reason is optional, and stands on the card."""
    ts = on_stage.say(NOTE)
    on_stage.click(on_stage.card(ts), "reject")
    until_card_says(on_stage, ts, "rejetée par")
    on_stage.click(on_stage.cards(ts)[0], "reason")
    view = modal(on_stage, "Motif du rejet")
    values = {"chosen": "2", "said": "voir le compte rendu"}
    on_stage.post("submit", user=CAMILLE, view_id=view["id"], values=values)
    until_card_says(on_stage, ts, "Déjà fait : voir le compte rendu")


def batch(stage: Stage, ts: str) -> dict[str, Any]:
    """The message that decides on all."""

    def look() -> dict[str, Any] | None:
        return next((m for m in stage.thread(ts) if is_batch(m)), None)

    return stage.until(look, "message for all")


def test_several_proposals_are_decided_together_and_told_line_by_line(on_stage: Stage) -> None:
    """One is rejected alone, another meets a record that changed; the third is written: each line says so."""
    ts = on_stage.say(THREE)
    both = batch(on_stage, ts)
    _note, task, _stage = on_stage.until(lambda: three(on_stage, ts), "three cards")
    on_stage.click(task, "reject")
    on_stage.until(lambda: "rejetée" in shown(batch(on_stage, ts)), "line of the rejected one")
    outdate(on_stage, ts, "update_property")
    before, wrote = len(on_stage.notes()), last_entry(on_stage)
    on_stage.click(both, "approve_all")
    for line in (":white_check_mark: écrite", ":no_entry_sign: rejetée", ":left_right_arrow: non écrite"):
        on_stage.until(lambda line=line: line in shown(batch(on_stage, ts)), f"line « {line} »")  # type: ignore[misc]
    assert "1 écrite" in batch(on_stage, ts)["text"]
    assert "proposal_approve_all" not in shown(batch(on_stage, ts))
    assert len(on_stage.notes()) == before + 1
    assert len(crm_writes(on_stage, after=wrote)) == 1


def three(stage: Stage, ts: str) -> list[dict[str, Any]] | None:
    cards = stage.cards(ts)
    return cards if len(cards) == 3 else None


def outdate(stage: Stage, ts: str, kind: str) -> None:
    """As if somebody had changed the field in HubSpot since it was proposed."""
    mine = "thread_ts = ? and action like ?"
    older = "json_set(action, '$.base.changed_at', '2020-01-01T00:00:00+00:00')"
    (row,) = rows(stage, f"select {older} as action from proposal where {mine}", ts, f"%{kind}%")
    sealed = payload_hash(json.loads(row["action"]))
    update = f"update proposal set action = ?, payload_hash = ? where {mine}"
    assert change(stage, update, row["action"], sealed, ts, f"%{kind}%") == 1


def test_all_are_rejected_by_one_click(on_stage: Stage) -> None:
    """Nothing is written, each card says by whom."""
    ts, before = on_stage.say(THREE), last_entry(on_stage)
    on_stage.click(batch(on_stage, ts), "reject_all")
    on_stage.until(lambda: all("rejetée par" in shown(card) for card in on_stage.cards(ts)), "three rejected cards")
    assert crm_writes(on_stage, after=before) == []


def unknown_card(stage: Stage) -> str:
    """A note whose outcome nobody knows, as the engine leaves it after its last look."""
    ts = stage.say(NOTE)
    card = stage.card(ts)
    stage.until(lambda: rows(stage, "select 1 from proposal where thread_ts = ? and card_ts <> ''", ts), "row")
    approved = "state = 'unknown', decided_by = ?, decided_at = '2026-11-22T10:00:00.000+00:00', reason = 'inconnu'"
    assert change(stage, f"update proposal set {approved} where thread_ts = ?", CAMILLE, ts)
    stage.click(card, "approve")  # told that it was tried before; the card is brought up to date
    until_card_says(stage, ts, "Absent, refaire")
    return ts


def test_a_person_who_sees_it_in_hubspot_ends_the_doubt(on_stage: Stage) -> None:
    """Their word is on the card; what was not found cannot be undone from here."""
    ts, before = unknown_card(on_stage), len(on_stage.notes())
    on_stage.click(on_stage.cards(ts)[0], "seen")
    until_card_says(on_stage, ts, f"vue dans HubSpot par <@{CAMILLE}>")
    assert "proposal_undo" not in shown(on_stage.cards(ts)[0])
    assert len(on_stage.notes()) == before


def test_a_person_who_does_not_see_it_has_it_written(on_stage: Stage) -> None:
    """Once, under who said so; both clicks are in the audit."""
    ts, before = unknown_card(on_stage), len(on_stage.notes())
    card = on_stage.cards(ts)[0]
    on_stage.click(card, "absent")
    on_stage.click(card, "absent")
    until_card_says(on_stage, ts, "écrite, validée")
    assert len(on_stage.notes()) == before + 1
    trail = rows(on_stage, "select event from audit where subject = ? order by id", old_button(card))
    assert [line["event"] for line in trail] == ["offered", "not_in_crm", "executing", "done"]


def test_a_conflict_is_seen_and_offered_again(on_stage: Stage) -> None:
    """Somebody changed the record: both values on the card, and a form that starts from what stands there now."""
    ts = on_stage.say("@bot passe la priorité du dossier 9002 à haute")
    card = on_stage.card(ts)
    on_stage.until(lambda: rows(on_stage, "select 1 from proposal where thread_ts = ? and card_ts <> ''", ts), "row")
    outdate(on_stage, ts, "update_property")
    on_stage.click(card, "approve")
    until_card_says(on_stage, ts, "mais non écrite, la fiche a changé")
    edit(on_stage, on_stage.cards(ts)[0], {"value": "high"})
    until_card_says(on_stage, ts, "Version 2")
    on_stage.click(on_stage.cards(ts)[0], "approve")
    until_card_says(on_stage, ts, "écrite, validée")
