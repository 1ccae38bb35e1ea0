"""What opens an offline answer: dated records where they give what is asked for, else an entry, told whole."""

import asyncio
from collections.abc import Iterable
from functools import cache

from corpus.chunking import chunk
from corpus.questions.asked import question_of
from corpus.sources.articles import read_articles
from corpus.types import Document, Passage
from pipeline.extractive.asked import read_question
from pipeline.extractive.candidates import excerpts
from pipeline.extractive.fact_tables import FactsTold
from pipeline.extractive.leading import records_first, records_signs, values_of, whole
from pipeline.extractive.weights import fitted
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.synthesizer import sections_for
from pipeline.tools.facts import FactsTool
from pipeline.types import Brief, Evidence, Question, Route, ToolCall
from tests.asking import SUNDAY


@cache
def _entries() -> dict[str, Passage]:
    passages = (p for document in read_articles() if isinstance(document, Document) for p in chunk(document))
    return {question_of(passage): passage for passage in passages if question_of(passage)}


def _brief(
    question: str, entries: Iterable[str], records: tuple[str, ...] = (), *, form: str = "answer", score: float = 0.7
) -> Brief:
    said = {"facts": records, "on": "2026-11-22", "form": form, "score": score}
    results = (asyncio.run(FactsTool().run(ToolCall("facts", said))),) if records else ()
    evidence = Evidence(tuple(_entries()[name] for name in entries), results)
    route = Route("rag", "ask", question, schemes=(), tool_calls=tuple(result.call for result in results))
    return Brief(Question(question, "U1", SUNDAY), route, evidence, sections_for(route, evidence))


def _never(_sentence: str) -> bool:
    return False


def _text(brief: Brief) -> str:
    return asyncio.run(ExtractiveWriter().write(brief)).text


COMPARED = "Quelle différence entre compromis et promesse de vente ?"


def test_an_entry_is_told_with_all_that_it_says() -> None:
    name = "Qu'est-ce que le Denormandie et comment fonctionne-t-il ?"
    text = _text(_brief(name, [name, "Quels documents réunir pour un dossier Denormandie ?"]))
    opening = text.split("\n\n")[0]
    assert all(value in opening for value in ("réduction d'impôt", "12 %", "21 %", "25 %", "31 décembre 2027"))
    assert text.count("25 % du coût total") == 1


def test_records_of_something_else_neither_open_nor_stand_beside_an_entry() -> None:
    text = _text(_brief("Promesse ou compromis, quelle différence ?", [COMPARED], ("retractation",)))
    assert text.split("\n")[1].startswith("Le compromis")


def test_records_that_give_the_value_open_over_an_entry_that_gives_another() -> None:
    entry = "Quels documents réunir pour un dossier Denormandie ?"
    text = _text(_brief("Jusqu'à quand le Denormandie ?", [entry], ("denormandie.fin",), score=1.2))
    assert "31/12/2027" in text.split("\n")[1]


def test_a_scheme_as_a_whole_opens_on_what_it_is() -> None:
    name = "Qu'est-ce que Loc'Avantages ?"
    records = ("pinel-locavantages.10.1", "pinel-locavantages.10.2", "pinel-locavantages.10.3")
    text = _text(_brief("C'est quoi Loc'Avantages ?", [name], records, form="overview"))
    assert text.split("\n")[1].startswith("Loc'Avantages est une réduction d'impôt")
    assert "| Point | Valeur | Cas |" in text


def test_years_are_no_shared_value() -> None:
    assert values_of("La loi de 2024 donne 12 % en 2026.") == values_of("12 %")


def test_the_same_value_later_in_the_entry_speaks_for_the_records() -> None:
    """« après 15 ans » : the entry opens on ten years, and the records give the very case."""
    brief = _brief("Quel abattement de plus-value après 15 ans ?", ["Quel abattement de plus-value après 10 ans ?"])
    asked = read_question(brief, brief.question.text, close={}, elsewhere=_never)
    first = next(e for e in excerpts(brief.evidence, asked, fitted()) if e.index == 0)
    told = ["L'abattement est de 60 % après 15 ans."]
    entire = whole(first, brief.evidence, asked)
    assert records_signs(asked, told, entire, score=1.1, case=0.0)["later"] == 1.0
    assert records_first(asked, FactsTold(tuple((1, text) for text in told), score=1.1), entire, fitted()) > 0


def test_only_an_entry_told_from_its_head_is_told_whole() -> None:
    brief = _brief(COMPARED, [COMPARED])
    asked = read_question(brief, COMPARED, close={}, elsewhere=_never)
    later = next(e for e in excerpts(brief.evidence, asked, fitted()) if e.index == 1)
    assert whole(later, brief.evidence, asked) is later


def test_a_record_that_the_entry_says_in_full_is_not_said_before_it() -> None:
    """« … ouvert jusqu'au 31/12/2027. Le Denormandie est ouvert jusqu'au 31 décembre 2027… »: one answer, not two."""
    name = "Jusqu'à quand peut-on investir en Denormandie ?"
    text = _text(_brief(name, [name], ("denormandie.fin",), score=1.2))
    assert "31/12/2027" not in text
    assert text.split("\n")[1].startswith("Le Denormandie est ouvert aux acquisitions jusqu'au 31 décembre 2027")


def test_what_stands_in_the_opening_is_no_bullet_below_it() -> None:
    """Also where it was the opening's last sentence, and another entry's first one."""
    first, other = (
        "Jusqu'à quand peut-on investir en Denormandie ?",
        "Quand les travaux du Denormandie doivent-ils être terminés ?",
    )
    text = _text(_brief("le Denormandie, c'est jusqu'à quand ?", [first, other]))
    assert text.count("deuxième année") == 1
