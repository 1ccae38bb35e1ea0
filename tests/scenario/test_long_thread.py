"""An adviser's thread of ten turns, with a restart in its middle: each figure is computed here by another way."""

import re

from tests.scenario.stage import CAMILLE, TOULON, Stage, shown

RESTART_AFTER = 5


def payment(amount: float, rate: float, months: int) -> float:
    """The annuity found by bisection, not by its formula: the instalment that leaves nothing after `months`."""
    low, high = 0.0, amount
    while high - low > 1e-7:
        middle, left = (low + high) / 2, amount
        for _ in range(months):
            left += left * rate / 1200 - middle
        low, high = (middle, high) if left > 0 else (low, middle)
    return low


def said(value: float, unit: str) -> str:
    """« 1 262,52 € » with any kind of space, as a pattern."""
    whole, cents = f"{value:,.2f}".split(".")
    return whole.replace(",", r"\s") + "," + cents + r"\s" + unit


def reached(stage: Stage, ts: str, turn: int) -> str:
    text = stage.answer(ts, count=turn)
    if turn == RESTART_AFTER:
        stage.post("process", action="stop")
        stage.post("process", action="start")
    return text


def test_from_a_price_to_a_note_over_ten_turns_and_a_restart(on_stage: Stage) -> None:
    """Price, loan, yield, its missing inputs, a corrected yield twice, the difference, the loan again, a note, a task:
    what was said five turns and one restart ago is what the last turns compute with and write down."""
    rent, cost, paid = 980 * 12, 250_000, 1_100 + 90 * 12
    turns = (
        ("@bot prix des T3 à Villeurbanne", r"T3 vendus à Villeurbanne"),
        ("un prêt de 230k sur 22 ans à 3,6 ça fait cb par mois", said(payment(230_000, 3.6, 264), "€")),
        ("achat 250k frais compris, loué 950/mois, quelle renta", said(950 * 12 / cost * 100, "%")),
        ("TF 1 100 et charges 90/mois", said((950 * 12 - paid) / cost * 100, "%")),
        ("non le loyer c'est 980", said((rent - paid) / cost * 100, "%")),
        ("et avec 20 000 de moins sur le prix", said((rent - paid) / (cost - 20_000) * 100, "%")),
        ("l'écart entre les deux ?", r"[ÉEée]cart de rendement net.*" + said((rent - paid) / cost * 100, "%")),
        ("revenons au prêt, sur 20 ans", said(payment(230_000, 3.6, 240), "€")),
        ("note ça sur le dossier 9001", r"note.*Martin"),
        ("rappelle moi d'appeler le notaire mardi 10h", r"10\sh"),
    )
    ts = ""
    for number, (text, wanted) in enumerate(turns, start=1):
        posted = on_stage.say(text, thread=ts or None)
        ts = ts or posted
        assert re.search(wanted, reached(on_stage, ts, number), re.DOTALL), f"turn {number}: {text}"
    cards = on_stage.until(lambda: on_stage.cards(ts) if len(on_stage.cards(ts)) == 2 else None, "two cards")
    before = len(on_stage.notes())
    on_stage.click(cards[0], "approve")
    on_stage.until(lambda: len(on_stage.notes()) == before + 1, "note in the CRM")
    assert re.search(said(payment(230_000, 3.6, 240), "€"), on_stage.notes()[-1]["properties"]["hs_note_body"])


def test_a_list_then_one_of_it_then_a_task_on_it(on_stage: Stage) -> None:
    """« Le deuxième » is the second of the list that stands above, also for the write that follows."""
    ts = on_stage.say("@bot mes dossiers à Toulon ?")
    listed = re.findall(r"n° (\d{4})", on_stage.answer(ts))
    second = list(dict.fromkeys(listed))[1]
    on_stage.say("le deuxième, donne moi le détail", thread=ts)
    detail = on_stage.answer(ts, count=2)
    assert f"n° {second}" in detail
    on_stage.say("tâche : envoyer les diagnostics, vendredi", thread=ts)
    card = shown(on_stage.card(ts))
    assert "diagnostics" in card
    assert f"n° {second}" in card


def test_which_deal_is_meant_is_said_by_a_button_or_by_typing(on_stage: Stage) -> None:
    """Two deals of one name: the question stands once, not again among what failed, and either answer goes on."""
    clicked = on_stage.say("@bot brief Robert avant mon rdv")
    on_stage.answer(clicked)
    (asked,) = on_stage.answers(clicked)
    assert not [block for block in asked["blocks"] if block["type"] == "context" and "Robert" in str(block)]
    buttons = [e for block in asked["blocks"] if block["type"] == "actions" for e in block["elements"]]
    second = buttons[1]
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=asked["ts"], action_id=second["action_id"])
    assert f"n° {second['value']}" in on_stage.answer(clicked, count=2)
    typed = on_stage.say("@bot brief Robert avant mon rdv")
    on_stage.answer(typed)
    on_stage.say("le second", thread=typed)
    assert f"n° {second['value']}" in on_stage.answer(typed, count=2)
