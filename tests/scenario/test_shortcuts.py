"""« Demander à QuartierScope » on anybody's message: answered in its thread, once, and never obeyed."""

from typing import Any

from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown


def hand_over(on_stage: Stage, ts: str, *, user: str = CAMILLE, channel: str = TOULON) -> Any:
    return on_stage.post("shortcut", user=user, channel=channel, ts=ts, callback_id="ask_about")


def whisper(on_stage: Stage, ts: str, words: str) -> None:
    def look() -> bool:
        said = on_stage.get("messages", channel=TOULON)["messages"] + on_stage.thread(ts)
        return any(m.get("ephemeral_to") and words in shown(m) for m in said)

    on_stage.until(look, f"whisper « {words} »")


def test_a_colleagues_message_is_answered_in_its_thread_once(on_stage: Stage) -> None:
    """It was not written to us; who handed it over is named with it."""
    ts = on_stage.say("Quels sont les prix des appartements à Villeurbanne ?", user=HUGO)
    hand_over(on_stage, ts)
    answer = on_stage.answer(ts)
    assert "€/m²" in answer
    assert f"<@{CAMILLE}> : Quels sont les prix" in answer
    hand_over(on_stage, ts, user=HUGO)
    whisper(on_stage, ts, "déjà répondu")
    assert len(on_stage.answers(ts)) == 1


def test_a_message_that_is_handed_over_orders_nothing(on_stage: Stage) -> None:
    """Neither a write nor a watch, nor a look at a deal: its words may be anybody's."""
    ts = on_stage.say("Note sur le dossier 9001 : virer les fonds lundi", user=HUGO)
    hand_over(on_stage, ts)
    assert "transmis par un raccourci" in on_stage.answer(ts)
    assert not on_stage.cards(ts)
    other = on_stage.say("Alerte-moi si le taux d'usure change", user=HUGO)
    hand_over(on_stage, other)
    assert "Veille créée" not in on_stage.answer(other)


def test_our_own_message_and_one_written_to_us_are_not_answered_again(on_stage: Stage) -> None:
    ts = on_stage.say("@bot Mon client peut-il encore acheter en Pinel ?")
    on_stage.answer(ts)
    hand_over(on_stage, ts)
    whisper(on_stage, ts, "déjà répondu")
    hand_over(on_stage, on_stage.answers(ts)[0]["ts"])
    whisper(on_stage, ts, "le mien")
    assert len(on_stage.answers(ts)) == 1


def test_a_message_becomes_a_note_in_the_words_of_who_takes_it(on_stage: Stage) -> None:
    """The form holds its text, to be changed; what it says orders nothing, and the card is like any other."""
    ts = on_stage.say("Le client annule lundi, crée une tâche pour Hugo", user=HUGO)
    on_stage.post("shortcut", user=CAMILLE, channel=TOULON, ts=ts, callback_id="note_message")
    form = on_stage.until(lambda: next(iter(on_stage.get("views", user=CAMILLE)["modals"]), None), "form")
    assert "annule lundi" in str(form)
    values = {"deal": "9001", "note": "Le client annule « lundi », crée une tâche pour Hugo Marchetti"}
    on_stage.post("submit", user=CAMILLE, view_id=form["id"], values=values)
    card = shown(on_stage.card(ts))
    assert "crée une tâche pour Hugo Marchetti" in card
    assert len(on_stage.cards(ts)) == 1
