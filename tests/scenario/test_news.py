"""Official news in a real bot: read at its start, cited in an answer, shown with their feeds in the list of sources."""

from collections.abc import Iterator

import pytest

from tests.scenario.stage import CAMILLE, TOULON, Stage, stage


@pytest.fixture(scope="module")
def informed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A bot whose feeds are the sandbox's; the third one is a page."""
    with stage(tmp_path_factory.mktemp("news"), options=("--news-every", "1")) as ready:
        yield ready


def sources(informed: Stage) -> str:
    for view in informed.get("views", user=CAMILLE)["modals"]:
        informed.post("close", user=CAMILLE, view_id=view["id"])
    informed.post("command", user=CAMILLE, channel=TOULON, command="/quartier", text="sources")
    views = informed.until(lambda: informed.get("views", user=CAMILLE)["modals"], "list of sources")
    return str(views)


def test_each_feed_stands_in_the_list_of_sources(informed: Stage) -> None:
    def all_read() -> str | None:
        shown = sources(informed)
        return shown if shown.count("lu le") == 3 and "pas encore lu" not in shown else None

    shown = informed.until(all_read, "three feeds read")
    for said in ("Actualités officielles", "Gazette fictive", "Annonces fictives", "Taux fictifs"):
        assert said in shown


def test_an_answer_cites_a_publication(informed: Stage) -> None:
    informed.until(lambda: "1 publication" in sources(informed), "a publication")
    ts = informed.say("@bot de combien augmente l'indice fictif des loyers de ruches ?")
    answer = informed.answer(ts)
    assert "4,2" in answer
    assert "loyer-des-ruches" in answer
    assert "utm_source" not in answer


def test_a_watch_is_created_by_a_message_and_by_the_command(informed: Stage) -> None:
    """Listed and stopped for the whole channel; a guest creates none."""
    ts = informed.say("@bot alerte-moi si le taux d'usure fictif change")
    assert "Veille créée" in informed.answer(ts)
    assert "le taux d'usure fictif change" in whispered(informed, "")
    assert "arrêtée" in whispered(informed, "stop 1")
    assert "Aucune veille" in whispered(informed, "")
    ts = informed.say("@bot alerte-moi si le taux d'usure fictif change", user="U0LEA")
    assert "Veille créée" not in informed.answer(ts)


def test_nothing_is_watched_where_another_company_reads(informed: Stage) -> None:
    assert "autre entreprise" in whispered(informed, "si le taux d'usure change", channel="C0VAUBAN")


def whispered(informed: Stage, words: str, *, channel: str = TOULON) -> str:
    """What the command says to who typed it, this time."""

    def told() -> list[str]:
        messages = informed.get("messages", channel=channel, user=CAMILLE)["messages"]
        return [m["text"] for m in messages if m.get("ephemeral_to")]

    before = len(told())
    informed.post("command", user=CAMILLE, channel=channel, command="/quartier", text=f"veille {words}")
    return informed.until(lambda: told()[before:], "whisper")[-1]
