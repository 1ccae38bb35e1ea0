"""A name that several communes bear, and a city that DVF only knows by arrondissement: asked back with buttons."""

from typing import Any

from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown


def buttons(message: dict[str, Any]) -> dict[str, str]:
    """Label -> action id."""
    return {
        element["text"]["text"]: element["action_id"]
        for block in message["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
    }


def asked_back(on_stage: Stage, text: str) -> tuple[str, dict[str, Any]]:
    """The thread, and the answer that carries buttons."""
    ts = on_stage.say(text)
    on_stage.answer(ts)
    return ts, on_stage.answers(ts)[0]


def press(on_stage: Stage, message: dict[str, Any], action: str, *, user: str = CAMILLE, **more: Any) -> Any:
    return on_stage.post("click", user=user, channel=TOULON, ts=message["ts"], action_id=action, **more)


def test_an_ambiguous_commune_is_resolved_by_a_button(on_stage: Stage) -> None:
    """Two towns called Saint-Denis: the click asks the completed question in the same thread."""
    ts, back = asked_back(on_stage, "@bot Quels sont les prix des appartements à Saint-Denis ?")
    offered = buttons(back)
    assert any("93" in label for label in offered)
    assert any("974" in label for label in offered)
    press(on_stage, back, next(action for label, action in offered.items() if "93" in label))
    answer = on_stage.answer(ts, count=2)
    assert "vendus à Saint-Denis en 2025" in answer
    assert "€/m²" in answer
    assert "Plusieurs communes" not in answer


def test_an_arrondissement_is_chosen_by_whoever_clicks_and_answered_once(on_stage: Stage) -> None:
    """A colleague picks Lyon 7e; a second click on it says that it was done."""
    ts, back = asked_back(on_stage, "@bot Prix des appartements à Lyon ?")
    offered = buttons(back)
    assert len(offered) == 9
    press(on_stage, back, offered["Lyon 7e"], user=HUGO)
    assert "€/m²" in on_stage.answer(ts, count=2)
    press(on_stage, back, offered["Lyon 7e"], user=HUGO)
    on_stage.until(lambda: any("déjà été fait" in shown(m) for m in on_stage.thread(ts)), "whisper")
    assert len(on_stage.answers(ts)) == 2


def test_a_forged_choice_asks_nothing(on_stage: Stage) -> None:
    """A code that this answer does not offer, and a click from another team."""
    ts, back = asked_back(on_stage, "@bot Prix des maisons à Saint-Denis ?")
    action = next(iter(buttons(back).values()))
    press(on_stage, back, action, value="75056", forge=True)
    on_stage.until(lambda: any("plus disponible" in shown(m) for m in on_stage.thread(ts)), "whisper")
    press(on_stage, back, action, team="T0OTHER")
    on_stage.until(lambda: sum("plus disponible" in shown(m) for m in on_stage.thread(ts)) == 2, "second whisper")
    assert len(on_stage.answers(ts)) == 1


def views(on_stage: Stage) -> list[dict[str, Any]]:
    return list(on_stage.get("views", user=CAMILLE)["modals"])


def test_an_answer_about_a_town_offers_what_may_be_done_next(on_stage: Stage) -> None:
    """Compared with the largest other town of its department by one click, which the new answer names."""
    ts, told = asked_back(on_stage, "@bot Quels sont les prix des appartements à Villeurbanne ?")
    offered = buttons(told)
    assert {"Comparer avec Lyon", "Suivre Villeurbanne", "Noter sur un dossier"} <= offered.keys()
    press(on_stage, told, offered["Comparer avec Lyon"])
    answer = on_stage.answer(ts, count=2)
    assert f"<@{CAMILLE}> : Compare Villeurbanne (69) et Lyon (69)" in answer
    assert "vendus à Villeurbanne" in answer


def test_a_note_is_taken_of_the_answer_under_whose_button_it_was_asked(on_stage: Stage) -> None:
    """Another answer stands below by then; the card is a proposal like any other."""
    ts, told = asked_back(on_stage, "@bot Quels sont les prix des appartements à Villeurbanne ?")
    on_stage.say("@bot Mon client peut-il encore acheter en Pinel ?", thread=ts)
    on_stage.answer(ts, count=2)
    press(on_stage, told, buttons(told)["Noter sur un dossier"])
    form = on_stage.until(lambda: next(iter(views(on_stage)), None), "a form")
    on_stage.post("submit", user=CAMILLE, view_id=form["id"], values={"deal": "Lefèvre"})
    on_stage.answer(ts, count=3)
    card = shown(on_stage.card(ts))
    assert "Villeurbanne" in card
    assert "Pinel" not in card
    assert not any("Villeurbanne" in str(note) for note in on_stage.notes())


def test_a_town_is_followed_from_its_answer(on_stage: Stage) -> None:
    """The digest's form of the channel with that town chosen; nothing is kept before it is sent."""
    _ts, told = asked_back(on_stage, "@bot Quels sont les prix des appartements à Villeurbanne ?")
    press(on_stage, told, buttons(told)["Suivre Villeurbanne"])
    form = on_stage.until(lambda: next((v for v in views(on_stage) if "Villeurbanne (69)" in str(v)), None), "the form")
    assert "n'a pas encore de point" in str(form)
