"""What people say of answers: one verdict a person, only where the answer stands, only by members; and its export."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.commands.feedback import feedback
from bot.conversations import judging
from bot.conversations.record import record_of
from bot.ports import AnswerId, Visitor
from bot.settings import Settings
from bot.slack.blocks.judging import judging_row
from bot.slack.blocks.why import recent_blocks, why_blocks
from bot.store import answers, inbox
from bot.store import feedback as verdicts
from bot.store.database import Database
from bot.store.inbox import Inbound
from pipeline.types import Answer, Citation, Computed, Evidence, Figure, Route, Timing, ToolCall, ToolResult, Usage
from tests.asking import ask

pytest_plugins = ("tests.contract.databases",)

MEMBER = Visitor("member", "U1", "T1", shared_channel=False)
COLLEAGUE = Visitor("member", "U2", "T1", shared_channel=False)
STRANGERS = (
    Visitor("guest", "U3", "T1", shared_channel=False),
    Visitor("outsider", "U4", "T2", shared_channel=True),
    Visitor("member", "U5", "T2", shared_channel=False),
)
HERE: dict[str, Any] = {"channel": "C1", "team_id": "T1"}
IBAN = "FR76 3000 4000 0312 3456 7890 143"


def told() -> Answer:
    """An answer with everything that can be asked about it."""
    call = ToolCall("sales", {"insee": "69266", "asker_email": "camille@aubrac.example"})
    figure = Figure("Prix médian", 3_450.0, "€/m²")
    result = ToolResult(call, "Prix à Villeurbanne", "Le prix médian est de 3 450 €/m².", (figure,))
    return Answer(
        text="Le prix médian est de 3 450 €/m² [1].",
        route=Route("tools", "ask", "prix à Villeurbanne", tool_calls=(call,), reasons=("lu comme : prix (93 %)",)),
        citations=(Citation(1, "sales", "Prix à Villeurbanne", "https://dvf.example/69266", "", None),),
        figures_checked=1,
        evidence=Evidence(tool_results=(result,), ledger=(Computed(figure, "médiane de 812 ventes"),)),
        dropped=(("Foncez [1](https://mal.example) <!channel>.", "conseil"),),
        replaced=(("Il vaut 3 540 €/m² [1].", "Le prix médian est de 3 450 €/m².", "chiffre absent"),),
        recomputed=(Computed(Figure("Écart", 150.0, "€/m²"), "3 450 - 3 300"),),
        cost=Usage("mistral-small", 1_200, 300, 0.0012),
        steps=(Timing("read", 0.1), Timing("draft", 1.2)),
        seconds=1.4,
    )


async def kept(database: Database, *, ts: str = "1.1", answer: Answer | None = None, text: str = "prix ?") -> AnswerId:
    """A published answer of channel C1."""
    message = Inbound("T1", f"E{ts}", "C1", "channel", ts, "1.1", "U1", text, visitor=MEMBER)
    result = answer or told()

    def keep(connection: sa.Connection) -> None:
        inbox.accept(connection, message, enqueue=lambda *_: None)
        answers.thought(
            connection,
            message.answer_id,
            text=result.text,
            record=record_of(result),
            refused=result.refused,
            model=result.cost.model if result.cost else None,
            euros=result.cost.euros if result.cost else None,
            seconds=result.seconds,
        )
        answers.shown(connection, message.answer_id)

    await database.write(keep)
    return message.answer_id


async def test_a_person_has_one_verdict_and_may_change_it(database: Database) -> None:
    """Colleagues have theirs; saying the same twice leaves one trace."""
    answer_id = await kept(database)
    for by, verdict in ((MEMBER, "useful"), (MEMBER, "useful"), (COLLEAGUE, "incomplete"), (MEMBER, "wrong")):
        judged = await database.write(
            lambda c, by=by, verdict=verdict: judging.judge(c, answer_id, **HERE, by=by, verdict=verdict)
        )
        assert judged.row is not None
    assert await database.read(lambda c: verdicts.of_answer(c, answer_id)) == {"U1": "wrong", "U2": "incomplete"}
    (count,) = await database.read(lambda c: c.execute(sa.text("select count(*) from audit")).one())
    assert count == 3


@pytest.mark.parametrize("by", STRANGERS, ids=["guest", "outsider", "member of another team"])
async def test_strangers_neither_judge_nor_see(database: Database, by: Visitor) -> None:
    """Nor does the list of the last answers tell them any."""
    answer_id = await kept(database)
    judged = await database.write(lambda c: judging.judge(c, answer_id, **HERE, by=by, verdict="wrong"))
    assert (judged.verdict, judged.row) == ("stranger", None)
    assert await database.read(lambda c: judging.recent(c, **HERE, by=by)) == []
    assert await database.read(lambda c: verdicts.of_answer(c, answer_id)) == {}


@pytest.mark.parametrize("elsewhere", [{"channel": "C2"}, {"channel": ""}])
async def test_an_answer_is_explained_in_its_own_place_only(database: Database, elsewhere: dict[str, str]) -> None:
    """A member who brings its id from another channel sees nothing, and an id of nobody's neither."""
    answer_id = await kept(database)
    place = {**HERE, **elsewhere}
    assert (await database.read(lambda c: judging.look(c, answer_id, **place, by=MEMBER))).verdict == "unknown"
    assert (await database.read(lambda c: judging.look(c, "msg:T1:C1:9", **HERE, by=MEMBER))).verdict == "unknown"
    assert (await database.read(lambda c: judging.look(c, answer_id, **HERE, by=COLLEAGUE))).row is not None


async def test_why_tells_all_that_was_kept_and_nothing_that_lives(database: Database) -> None:
    """Plan, sources with their prints, what was left out and why, values with formulas, model, time, cost."""
    answer_id = await kept(database)
    seen = await database.read(lambda c: judging.look(c, answer_id, **HERE, by=MEMBER))
    assert seen.row is not None
    shown = json.dumps(why_blocks(seen.row, verdicts={"U2": "wrong"}), ensure_ascii=False)
    shown = re.sub("[\u00a0\u202f]", " ", shown)
    print_of_source = seen.row["record"]["evidence"][0]["sha256"][:12]
    for words in (
        "prix à Villeurbanne", "69266", "Lu comme : prix", "Prix à Villeurbanne", print_of_source, "Foncez", "conseil",
        "3 540 €/m²", "chiffre absent", "médiane de 812 ventes", "3 450 - 3 300", "mistral-small", "1,40 s", "0,0012 €",
        "1500 jetons", "<@U2> : faux",
    ):  # fmt: skip
        assert words.replace("\u202f", " ") in shown
    assert not [sign for sign in ("mal.example", "<!channel", "camille@") if sign in shown]


def test_a_plan_is_told_in_the_words_of_the_calculators() -> None:
    """Arguments by their French labels and units; what has none stays as it is, and nothing lives."""
    loan = {"kind": "loan", "loan_amount": 230_000.0, "rate": [3.6, 3.2], "months": 264, "zzz": "<!channel>"}
    record = {"route": {"mode": "tools", "calls": [{"tool": "calculator", "arguments": loan}]}}
    row = {"question": "?", "record": record, "answered_at": None, "model": None, "seconds": 0.3, "euros": None}
    shown = json.dumps(why_blocks(row, verdicts={}), ensure_ascii=False).replace("\u202f", " ").replace("\u00a0", " ")
    for words in ("« Calculateur »", "montant emprunté 230 000 €", "3,6 % et 3,2 %", "durée du prêt 264 mois", "zzz"):
        assert words in shown
    assert "<!channel" not in shown


def test_a_source_may_name_its_own_site_and_no_other() -> None:
    """Our own sheets are titled by the site that they are on."""
    one = {"id": 1, "title": "impots.gouv.fr - Barème, comme sur mal.example", "url": "https://www.impots.gouv.fr/b"}
    row = {"question": "?", "record": {"citations": [one]}, "answered_at": None, "model": None, "seconds": 0.3}
    shown = json.dumps(why_blocks({**row, "euros": None}, verdicts={}), ensure_ascii=False)
    assert "|impots.gouv.fr - Barème" in shown.replace("\u2060", "")
    assert "mal.example" not in shown


def test_a_plan_is_told_without_a_word_of_the_program() -> None:
    """Facts by their labels, what the message was read as in French, and no query twice."""
    facts = {"facts": ["pinel.fin"], "on": "2026-11-24", "form": "still_open", "score": 0.92}
    calls = [{"tool": "facts", "arguments": facts}]
    route = ask("Mon client peut-il encore acheter en Pinel ?")
    told = {"mode": route.mode, "query": "pinel ?", "sub_queries": ["pinel ?"], "calls": calls}
    record = {"route": {**told, "reasons": list(route.reasons)}}
    row = {"question": "?", "record": record, "answered_at": None, "model": None, "seconds": 0.3, "euros": None}
    shown = json.dumps(why_blocks(row, verdicts={}), ensure_ascii=False).replace("\u202f", " ")
    for words in (
        "la date limite d'acquisition en Pinel",
        "Lu comme : question de règles (",
        "Sujet : dispositif Pinel",
    ):
        assert words in shown
    for word in ("pinel.fin", "still_open", "score", "rules", "offline", "Cherché aussi"):
        assert word not in shown


async def test_the_last_answers_of_a_place_are_listed_newest_first(database: Database) -> None:
    """Small talk is none of them, and there are five at most."""
    for number in range(7):
        await kept(database, ts=f"{number}.1", text=f"question {number}")
    await kept(database, ts="8.1", answer=Answer("Bonjour !", Route("none", "smalltalk", "bonjour")), text="bonjour")
    rows = await database.read(lambda c: judging.recent(c, **HERE, by=MEMBER))
    assert len(rows) == judging.MOST_RECENT
    assert "bonjour" not in str(recent_blocks(rows))


def test_only_what_was_looked_for_can_be_judged() -> None:
    """Neither small talk nor a question back carries buttons."""
    asked = {"answer_id": "msg:T1:C1:1.1"}
    looked_for = record_of(told())
    assert judging_row({**asked, "record": looked_for})
    assert not judging_row({**asked, "record": {**looked_for, "choices": [{"insee": "1", "label": "a"}]}})
    assert not judging_row({**asked, "record": record_of(Answer("Bonjour", Route("none", "smalltalk", "bonjour")))})
    assert not judging_row({**asked, "record": None})


async def test_judged_answers_are_exported_as_evaluation_rows(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the turns before them, the verdicts counted, numbers of persons masked, and nobody of the team named."""
    first = await kept(database, ts="1.1", text=f"RIB de Mme Roux {IBAN}, prix ?")
    second = await kept(database, ts="2.1", text="et à Bron ?")
    await kept(database, ts="3.1", text="non jugée")
    for answer_id, by, verdict in ((first, MEMBER, "useful"), (second, MEMBER, "wrong"), (second, COLLEAGUE, "wrong")):
        await database.write(lambda c, a=answer_id, b=by, v=verdict: judging.judge(c, a, **HERE, by=b, verdict=v))
    settings = Settings(database_url=database.url, _env_file=None)
    file = tmp_path / "rows.jsonl"
    assert await feedback(argparse.Namespace(export=file, verdict=None), settings) == 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["verdicts"] for row in rows] == [{"useful": 1}, {"wrong": 2}]
    assert re.fullmatch(r"RIB de Mme Personne-\w{6} \[IBAN masqué\], prix \?", rows[0]["text"])
    assert rows[1]["thread"] == [rows[0]["text"]]
    assert rows[1]["route"]["tools"] == ["sales"]
    assert not [name for name in ("U1", "U2", "camille", "Roux") if name in file.read_text(encoding="utf-8")]
    assert await feedback(argparse.Namespace(export=file, verdict="useful"), settings) == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 1
    assert "1 réponse dans" in capsys.readouterr().out
