"""A price chart in the thread: posted once, described, and never in the way of the answer."""

from typing import Any

from tests.scenario.stage import Stage, is_figures


def charts(on_stage: Stage, ts: str) -> list[dict[str, Any]]:
    """The files in the thread."""
    return [file for message in on_stage.thread(ts) for file in message.get("files") or []]


def test_prices_come_with_a_chart_of_their_years(on_stage: Stage) -> None:
    """One PNG, titled, with the years and medians in words for who cannot see it."""
    ts = on_stage.say("@bot Prix des appartements à Villeurbanne ?")
    assert "€/m²" in on_stage.answer(ts)
    (chart,) = on_stage.until(lambda: charts(on_stage, ts), "chart")
    assert chart["mimetype"] == "image/png"
    assert "Villeurbanne" in chart["title"]
    assert "en 2020" in chart["alt_txt"]
    assert "en 2025" in chart["alt_txt"]


def test_a_loan_comes_with_its_years_as_picture_and_table(on_stage: Stage) -> None:
    """The same figures twice; the cells are plain, a row a year and one for the whole."""
    ts = on_stage.say("@bot Mensualité pour 200 000 € à 3,3 % sur 20 ans ?")
    assert "hors assurance" in on_stage.answer(ts)
    (chart,) = on_stage.until(lambda: charts(on_stage, ts), "chart")
    assert "Prêt de 200" in chart["title"]
    message = on_stage.until(lambda: next((m for m in on_stage.thread(ts) if is_figures(m)), None), "table")
    (table,) = [block for block in message["blocks"] if block["type"] == "table"]
    assert [cell["text"] for cell in table["rows"][0]] == ["Année du prêt", "Capital remboursé", "Intérêts"]
    assert len(table["rows"]) == 22
    assert table["rows"][-1][1]["text"].replace("\u202f", " ").replace("\xa0", " ") == "200 000 €"


def test_a_deeper_answer_does_not_draw_it_again(on_stage: Stage) -> None:
    """The thread has it already."""
    ts = on_stage.say("@bot Un T3 en LMNP à Nantes : quels prix, et quelle fiscalité à la revente ?")
    on_stage.answer(ts)
    on_stage.until(lambda: charts(on_stage, ts), "chart")
    on_stage.say("approfondis ce point", thread=ts)
    on_stage.answer(ts, count=2)
    on_stage.say("merci", thread=ts)
    on_stage.answer(ts, count=3)
    assert len(charts(on_stage, ts)) == 1


def test_a_chart_that_slack_does_not_take_yet_waits_and_holds_up_nothing(on_stage: Stage) -> None:
    """The next message of the thread is answered meanwhile, no failure is shown, and the chart comes in its turn."""
    on_stage.post("faults", rate_limit={"files.getUploadURLExternal": 99})
    ts = on_stage.say("@bot Prix des maisons à Bordeaux ?")
    assert "€/m²" in on_stage.answer(ts)
    on_stage.say("merci", thread=ts)
    on_stage.answer(ts, count=2)
    assert charts(on_stage, ts) == []
    on_stage.post("faults")
    on_stage.until(lambda: charts(on_stage, ts), "chart")
    assert all("QS-" not in str(message) for message in on_stage.thread(ts))
