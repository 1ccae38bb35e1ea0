"""A question of rules that was taken for a calculation or for a wish about deals is answered all the same."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.ports import Reader
from pipeline.reading import Intent, Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Answer, Question
from tests.beginnings import indexed

OFFER = "Offre de prêt reçue mardi. Le client veut signer vendredi. Trop tôt ?"
ALLOWANCES = "LMNP au réel, revente. Les amortissements passés, on les reprend dans la plus-value ou pas"
BARE = "Mensualité d'un prêt de 210 000 € ?"


@dataclass(frozen=True, slots=True)
class ReadAs:
    """A reader that takes every message for the same."""

    reader: Reader
    intent: Intent
    name: str = "offline"

    async def read(self, question: Question, state: ThreadState) -> Reading:
        return replace(await self.reader.read(question, state), intents=((self.intent, 1.0),))


async def _asked(folder: Path, text: str, intent: Intent) -> Answer:
    await indexed(folder / "corpus.sqlite3")
    async with build_deps(Settings(_env_file=None, var_dir=folder)) as deps:
        deps = replace(deps, reader=ReadAs(deps.reader, intent))
        asked = Question(text, "U1", datetime(2026, 11, 21, tzinfo=UTC))
        return await answer(asked, deps=deps, report=lambda line: None)


@pytest.mark.parametrize(
    ("text", "intent", "told"),
    [(OFFER, "crm_write_task", "onzième jour"), (ALLOWANCES, "calc_gain", "février 2025")],
)
async def test_our_articles_answer_what_nothing_else_does(tmp_path: Path, text: str, intent: Intent, told: str) -> None:
    """No deal to write to, no price to reckon with: one of our own questions is near."""
    found = await _asked(tmp_path, text, intent)
    assert told in found.text
    assert {citation.kind for citation in found.citations} <= {"passage", "facts"}


async def test_what_is_missing_is_still_asked_for(tmp_path: Path) -> None:
    """A calculation may have been meant."""
    assert (await _asked(tmp_path, ALLOWANCES, "calc_gain")).asked_back


async def test_a_calculation_that_is_no_question_of_ours_asks_back_alone(tmp_path: Path) -> None:
    """Without the nearness of one of our questions any word of the field would answer."""
    found = await _asked(tmp_path, BARE, "calc_loan")
    assert found.asked_back
    assert not found.citations
