"""« base légale stp » after an answer, the whole way: the sentence of that answer that names its text."""

from datetime import UTC, datetime
from pathlib import Path

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.types import Question, Turn
from tests.beginnings import indexed

ARREARS = "Quelle prescription pour des loyers impayés ?"


async def test_the_text_of_the_last_answer_opens_the_next(tmp_path: Path) -> None:
    """A sentence that was just told would otherwise not open again."""
    await indexed(tmp_path / "corpus.sqlite3")
    when = datetime(2026, 11, 23, tzinfo=UTC)
    async with build_deps(Settings(_env_file=None, var_dir=tmp_path)) as deps:
        first = await answer(Question(ARREARS, "U1", when), deps=deps, report=lambda line: None)
        said = (Turn("user", ARREARS), Turn("assistant", first.text))
        asked = Question("base légale stp", "U1", when, history=said, memory=first.memory)
        found = await answer(asked, deps=deps, report=lambda line: None)
    assert "article 7-1 de la loi de 1989" in found.text.split("\n\n")[0]
    assert {citation.kind for citation in found.citations} == {"passage"}
