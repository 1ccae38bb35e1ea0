"""Drafts as a strong model would write them, over evidence as the product finds it, behind the gate."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.worth.gate import evidence_of
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.grounding import ground
from pipeline.llm.claims import read_answer, written
from pipeline.types import Brief, Draft, Evidence, Question, Route, ToolResult, Usage
from pipeline.writing.synthesizer import sections_for
from pipeline.writing.worth import poorer
from tests.unit.test_ground import NOON

DRAFTS = Path(__file__).parents[2] / "bench" / "data" / "drafts" / "strong.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in DRAFTS.read_text(encoding="utf-8").splitlines()]
SURVIVE, AS_WRITTEN = 0.95, 0.9


def _route(row: dict[str, Any], evidence: Evidence) -> Route:
    calls = tuple(item.call for _, item in evidence.numbered() if isinstance(item, ToolResult))
    return Route("rag+tools" if calls else "rag", "ask", row["question"], tool_calls=calls)


def _draft(row: dict[str, Any], evidence: Evidence) -> Draft:
    said = read_answer(row["reply"], titles=sections_for(_route(row, evidence), evidence))
    return Draft(written(said, opening="En bref"), Usage("strong"), claims=said.claims)


def test_nine_strong_sentences_of_ten_survive() -> None:
    """Paraphrases, tables, derived figures, the advisor's own figure: as written, or as their source says it."""
    kept, replaced, lost = 0, 0, []
    for row in ROWS:
        evidence = evidence_of(row["evidence"])
        found = ground(_draft(row, evidence), evidence, question=row["question"])
        kept, replaced = kept + len(found.kept), replaced + len(found.replaced)
        lost += [(row["id"], sentence, reason) for sentence, reason in found.dropped]
    drafted = kept + replaced + len(lost)
    assert kept + replaced >= SURVIVE * drafted, "\n".join(map(str, lost))
    assert kept >= AS_WRITTEN * drafted
    assert len(ROWS) == 12


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
async def test_a_strong_draft_does_not_give_way_to_extracts(row: dict[str, Any]) -> None:
    """What a colleague would write is worth more than sentences in a row."""
    evidence = evidence_of(row["evidence"])
    route = _route(row, evidence)
    brief = Brief(Question(row["question"], "U1", NOON), route, evidence, sections_for(route, evidence))
    extracts = await ExtractiveWriter().write(brief)
    strong = ground(_draft(row, evidence), evidence, question=row["question"])
    offline = ground(extracts, evidence, question=row["question"])
    assert poorer(strong, offline, evidence, wider=evidence, query=row["question"]) is None
