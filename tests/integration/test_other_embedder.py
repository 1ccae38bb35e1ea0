"""The bot with an embedder on another machine: changed, filled again, gone, and what leaves for it."""

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import wiring_corpus
from bot.commands.reindex import reindex
from bot.errors import WrongSetting
from bot.settings import Settings
from bot.wiring import parts_of
from bot.wiring_corpus import Corpus, build_corpus
from corpus.ingest import ingest
from corpus.types import SHARED_TENANT, Document, Filters
from pipeline.retrieval.retriever import STALE_VECTORS, WORDS_ONLY, Retrieval, retrieve
from pipeline.types import Question, Route
from tests.contract.test_remote_embedders import Service, application
from tests.loopback import served

NOW = datetime(2026, 11, 22, tzinfo=UTC)
ARTICLE = Document("pinel", "Pinel", "https://example.org", "Le Pinel est fermé depuis la fin de 2024.", "regulation")
FILE = Document("file:1", "Grille", "", "Le lot A203 de la résidence Bellevue est à 312 000 euros.", "methodology")
ASKED = "Le Pinel est-il fermé depuis la fin de 2024 ?"


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def address(service: Service) -> Iterator[str]:
    with served(application(service)) as url:
        yield url


@pytest.fixture(autouse=True)
def _one_article(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring_corpus, "read_articles", lambda: [ARTICLE])


def settings(folder: Path, **values: object) -> Settings:
    return Settings(var_dir=folder, _env_file=None, **values)  # type: ignore[arg-type]


async def asked(corpus: Corpus, text: str = ASKED, tenants: Sequence[str] = (SHARED_TENANT, "T1")) -> Retrieval:
    question = Question(text, "U1", NOW, tenants=tuple(tenants))
    route = Route("rag", "ask", text)
    parts = {"index": corpus.index, "embedder": corpus.embedder, "bank": corpus.bank, "local": corpus.local}
    return await retrieve(route, question, **parts)  # type: ignore[arg-type]


async def test_a_changed_embedder_is_found_and_filled_again(tmp_path: Path, service: Service, address: str) -> None:
    """Until then the old index answers by words and says so; afterwards by the new vectors, of articles alone."""
    async with build_corpus(settings(tmp_path)) as before:
        await ingest([FILE], index=before.index, embedder=before.embedder, tenant="T1")
        assert not (await asked(before)).degraded
    other = settings(tmp_path, embedder="http", embedder_url=address)
    async with build_corpus(other) as late:
        found = await asked(late)
        assert found.degraded == (STALE_VECTORS,)
        assert found.passages[0].document_id == "pinel"
        assert await reindex(argparse.Namespace(prune=True), other) == 0
        await late.index.ping()
        whole = await asked(late)
    assert whole.degraded == ()
    assert whole.enough
    assert whole.passages[0].similarity is None or whole.passages[0].similarity > 0.8  # the local model's scale
    sent = [text for batch in service.batches for text in batch]
    assert any("Pinel" in text for text in sent)
    assert not any("A203" in text for text in sent)


async def test_files_leave_only_where_a_setting_says_so(tmp_path: Path, service: Service, address: str) -> None:
    """Then masked; and they are judged on the local model's scale, whatever the other's cosines are."""
    given = settings(tmp_path, embedder="http", embedder_url=address, embedder_files=True)
    async with build_corpus(given) as corpus:
        written = "Mme Roux, RIB FR76 3000 4000 0312 3456 7890 143. " + FILE.text
        await ingest([Document("file:2", "Note", "", written, "methodology")], index=corpus.index,
                     embedder=corpus.embedder, tenant="T1")  # fmt: skip
        found = await asked(corpus, "Quel est le prix du lot A203 de la résidence Bellevue ?", ("T1",))
    assert found.enough
    assert found.passages[0].similarity is not None
    sent = " ".join(text for batch in service.batches for text in batch)
    assert "A203" in sent
    assert "Roux" not in sent
    assert "7890" not in sent


async def test_a_service_that_goes_or_changes_loses_nothing(tmp_path: Path, service: Service, address: str) -> None:
    """What is added meanwhile is found by words, and gets its vectors later; a question says what is missing."""
    given = settings(tmp_path, embedder="http", embedder_url=address)
    second = Document("loc", "Loc'Avantages", "https://example.org/2", "Loc'Avantages dure six ans.", "regulation")
    async with build_corpus(given) as corpus:
        service.dimensions = 5
        done = await ingest([second], index=corpus.index, embedder=corpus.embedder, tenant=SHARED_TENANT)
        assert (done.added, done.without_vectors) == (1, 1)
        found = await asked(corpus, "Loc'Avantages dure combien de temps ?")
        assert found.degraded == (WORDS_ONLY,)
        hits = await corpus.index.search(
            "Loc'Avantages", vector=None, tenants=(SHARED_TENANT,), filters=Filters(), limit=1
        )
        assert hits[0].document_id == "loc"
        service.dimensions = 8
        again = await ingest([second], index=corpus.index, embedder=corpus.embedder, tenant=SHARED_TENANT)
        assert (again.replaced, again.without_vectors) == (1, 0)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"embedder": "http"}, "EMBEDDER_URL"),
        ({"embedder": "openai"}, "EMBEDDER_KEY"),
        ({"embedder": "http", "embedder_url": "http://127.0.0.1:9"}, "le démarrer d'abord"),
    ],
)
async def test_what_cannot_be_opened_stops_the_start(tmp_path: Path, values: dict[str, object], said: str) -> None:
    """With the setting's name and the fix."""
    with pytest.raises(WrongSetting, match=said):
        async with build_corpus(settings(tmp_path, **values)):
            pass


def test_the_start_line_says_what_leaves(tmp_path: Path) -> None:
    """The service's host, and whether files go there."""
    told = parts_of(settings(tmp_path, embedder="openai", embedder_key="k", embedder_files=True))
    assert any(
        "text-embedding-3-small (api.openai.com)" in part and "fichiers des équipes compris" in part for part in told
    )
