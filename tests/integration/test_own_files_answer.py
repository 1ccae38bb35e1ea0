"""What the rules would refuse or ask back about is put to the firm's own files first, whoever's corpus holds them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from corpus.ingest import ingest
from corpus.types import SHARED_TENANT, Document
from pipeline.answer import answer
from pipeline.types import Answer, Question
from tests.beginnings import indexed

LETTER = Document(
    id="file:/dossiers/tilleuls.md",
    title="Budget des Tilleuls",
    url="",
    text="Le budget 2026 de l'entretien de l'ascenseur des Tilleuls est de 4 200 euros.",
    category="methodology",
)
OFF = "budget 2026 de l'entretien de l'ascenseur"


async def _asked(folder: Path, text: str, *, tenant: str | None, asked_in: tuple[str, ...]) -> Answer:
    settings = Settings(_env_file=None, var_dir=folder)
    await indexed(folder / "corpus.sqlite3")
    async with build_deps(settings) as deps:
        if tenant is not None:
            await ingest([LETTER], index=deps.index, embedder=deps.embedder, tenant=tenant)
        question = Question(text, "U1", datetime(2026, 11, 21, tzinfo=UTC), tenants=asked_in)
        return await answer(question, deps=deps, report=lambda line: None)


@pytest.mark.parametrize("tenant", [SHARED_TENANT, "T1"])
async def test_a_file_answers_what_the_rules_know_nothing_of(tmp_path: Path, tenant: str) -> None:
    """Added for all teams on the command line, or for one in Slack."""
    found = await _asked(tmp_path, OFF, tenant=tenant, asked_in=(SHARED_TENANT, "T1"))
    assert not found.refused
    assert "4 200 euros" in found.text


@pytest.mark.parametrize(("text", "tenant"), [(OFF, None), (OFF, "T2"), ("Quel temps fera-t-il ?", SHARED_TENANT)])
async def test_without_a_file_that_says_it_the_rules_stand(tmp_path: Path, text: str, tenant: str | None) -> None:
    """No file, another team's, or one about something else."""
    found = await _asked(tmp_path, text, tenant=tenant, asked_in=(SHARED_TENANT, "T1"))
    assert found.refused or found.text.startswith("Je n")
    assert not found.citations
    assert "4 200" not in found.text
