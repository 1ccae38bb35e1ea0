"""A person's Home tab: what waits for them and what they follow, decided and stopped where it stands."""

from typing import Any

from tests.scenario.stage import CAMILLE, HUGO, Stage, shown

ORDER = "@bot Note sur le dossier 9001 : le notaire rappelle lundi"


def home(on_stage: Stage, words: str, *, user: str = CAMILLE) -> dict[str, Any]:
    """Opened anew, once it says these words."""
    on_stage.post("open_home", user=user)

    def look() -> dict[str, Any] | None:
        view = on_stage.get("views", user=user)["home"]
        return view if view and words in shown(view) else None

    return on_stage.until(look, f"Home tab with « {words} »")


def press(on_stage: Stage, view: dict[str, Any], action: str, *, user: str = CAMILLE) -> None:
    on_stage.post("click", user=user, view_id=view["id"], action_id=action)


def says(on_stage: Stage, words: str, *, user: str = CAMILLE) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        view = on_stage.get("views", user=user)["home"]
        return view if words in shown(view) else None

    return on_stage.until(look, f"« {words} » on the Home tab")


def test_a_proposal_is_approved_at_home_and_its_card_says_so(on_stage: Stage) -> None:
    """Only who asked finds it there; the question stands among the threads with a link."""
    ts = on_stage.say(ORDER)
    on_stage.card(ts)
    view = home(on_stage, "home_approve")
    assert "/archives/" in str(view)
    assert "le notaire rappelle lundi" in str(view)
    assert "home_approve" not in str(home(on_stage, "À valider", user=HUGO))
    press(on_stage, view, "home_approve")
    says(on_stage, "Validé")
    on_stage.until(lambda: "écrite" in shown(on_stage.card(ts)), "the card after the write")
    assert sum("notaire rappelle lundi" in str(note) for note in on_stage.notes()) == 1
    assert "home_approve" not in str(home(on_stage, "n'attend votre décision"))


def test_a_watch_is_stopped_and_an_example_tried_at_home(on_stage: Stage) -> None:
    on_stage.answer(on_stage.say("@bot Alerte-moi si le taux d'usure change"))
    view = home(on_stage, "home_stop_watch:")
    action = next(
        block["accessory"]["action_id"]
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id", "").startswith("home_stop_watch:")
    )
    press(on_stage, view, action)
    view = says(on_stage, "Veille arrêtée")
    assert "home_stop_watch:" not in str(view)
    press(on_stage, view, "home_try:3")
    says(on_stage, "Question posée")

    def answered() -> bool:
        said = on_stage.get("messages", channel="D0CAMILLE")["messages"]
        roots = [m["ts"] for m in said if "depuis l'accueil" in shown(m)]
        return any("Pinel" in shown(m) for root in roots for m in on_stage.answers(root, channel="D0CAMILLE"))

    on_stage.until(answered, "an answer in the direct conversation")


def test_what_was_missing_lately_is_said_at_home(on_stage: Stage) -> None:
    """Of this person's own answers: nobody else's page says it."""
    on_stage.post("faults", opendata={"mode": "down", "count": 60, "service": "georisques"})
    try:
        on_stage.answer(on_stage.say("@bot Quels risques à Hyères ?"))
    finally:
        on_stage.post("faults")
    assert ":warning:" in str(home(on_stage, "Géorisques"))
    assert "Rien n'a manqué" in str(home(on_stage, "État", user=HUGO))
