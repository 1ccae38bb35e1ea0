"""Which sections an answer must have."""

from datetime import date

import pytest

from corpus.types import Category, Passage
from pipeline.section_names import (
    CALCULATION,
    CAUTION,
    DEAL,
    DUTIES,
    IN_SHORT,
    METHOD,
    NUMBERS,
    PRICES,
    RESALE,
    RISKS,
    RULE,
    TO_KNOW,
)  # fmt: skip
from pipeline.types import AnswerKind, Evidence, Route, ToolCall, ToolResult
from pipeline.writing.synthesizer import MOST_SECTIONS, required_sections, sections_for


def _passage(category: Category, *heading: str) -> Passage:
    return Passage(
        "p", "d", 0, "Titre", heading, "Une phrase de texte.", "https://a.fr", category, published=date(2026, 11, 21)
    )


def _route(
    query: str, *, aspects: tuple[str, ...] = (), calls: tuple[ToolCall, ...] = (), intent: AnswerKind = "ask"
) -> Route:
    return Route("rag", intent, query, aspects=aspects, tool_calls=calls)


@pytest.mark.parametrize(
    ("category", "section"),
    [("regulation", RULE), ("risk", RISKS), ("methodology", METHOD), ("compliance", DUTIES), ("pricing", METHOD)],
)
def test_each_category_has_its_section(category: Category, section: str) -> None:
    """The direct answer first, the category's own section, the caution last."""
    found = sections_for(_route("Quelles sont les règles en ce moment ?"), Evidence((_passage(category),)))
    assert found[0] == IN_SHORT
    assert section in found
    assert found[-1] == CAUTION


def test_a_mixed_question_gets_the_union_in_order() -> None:
    """Prices asked with risks and rules: each has its place, and a form never grows beyond its limit."""
    evidence = Evidence(
        (
            _passage("regulation", "Chiffres"),
            _passage("risk"),
            _passage("compliance"),
            _passage("regulation", "À la revente"),
        )
    )
    call = ToolCall("sales", {})
    route = _route("Prix, risques et revente d'un meublé à Toulon", aspects=("prix", "risques"), calls=(call,))
    found = sections_for(route, evidence)
    assert found[:2] == (IN_SHORT, PRICES)
    assert RISKS in found
    assert RULE in found
    assert len(found) <= MOST_SECTIONS


def test_a_section_asked_for_stays_when_nothing_was_found() -> None:
    """The reader is told that the risk was looked for, not left to guess."""
    route = _route("Quels risques à Toulon ?", aspects=("risques",))
    assert RISKS in sections_for(route, Evidence((_passage("regulation"),)))


@pytest.mark.parametrize("query", ["C'est quoi le LMNP ?", "Qu'est-ce qu'un PPRI ?", "Que veut dire DER ?"])
def test_a_short_definition_is_no_form(query: str) -> None:
    """Two sections: the answer and what to know with it."""
    found = sections_for(_route(query), Evidence((_passage("regulation", "Chiffres"),)))
    assert found == (IN_SHORT, TO_KNOW)


def test_figures_and_resale_have_sections_when_the_evidence_has_them() -> None:
    """No empty section is demanded that nobody asked for."""
    asked = _route("Quelle plus-value LMNP à la revente ?")
    with_both = sections_for(
        asked, Evidence((_passage("regulation", "Chiffres"), _passage("regulation", "À la revente")))
    )
    without = sections_for(asked, Evidence((_passage("regulation", "Règle"),)))
    assert {NUMBERS, RESALE} <= set(with_both)
    assert not {NUMBERS, RESALE} & set(without)


def test_live_data_alone_have_no_sections_of_rules() -> None:
    """A CRM reading is a short answer and the deal's facts."""
    call = ToolCall("crm", {"deal_id": "1"})
    result = ToolResult(call, "HubSpot", "Le dossier est ouvert.")
    assert sections_for(_route("Où en est le dossier ?", calls=(call,)), Evidence((), (result,))) == (IN_SHORT, DEAL)


def test_only_what_was_asked_for_is_said_to_be_missing() -> None:
    """A section that the evidence alone called for goes without a word; a question put back stands for its part."""
    evidence = Evidence((_passage("regulation", "Chiffres"), _passage("risk")))
    assert {RULE, RISKS} <= set(sections_for(_route("conditions du prêt"), evidence))
    assert required_sections(_route("conditions du prêt"), evidence) == (IN_SHORT,)
    assert PRICES in required_sections(_route("prix à Lens", aspects=("prix",)), evidence)
    call = ToolCall("calculator", {"kind": "regime"})
    asking = Evidence(evidence.passages, (ToolResult(call=call, error="?", asks="Quel loyer ?"),))
    assert CALCULATION not in required_sections(_route("impôt", calls=(call,)), asking)
    assert CALCULATION in required_sections(_route("impôt", calls=(call,)), evidence)
