"""The bot's start with an index that is down, and its recovery without a restart."""

import asyncio
import socket
from pathlib import Path

import pytest

from bot import wiring_corpus
from bot.settings import Settings
from bot.wiring import parts_of
from bot.wiring_corpus import build_corpus
from corpus.errors import IndexUnavailable
from corpus.ports import PassageIndex
from corpus.types import SHARED_TENANT, Filters, Passage


@pytest.fixture
def refused() -> str:
    """An address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def settings(folder: Path, **values: object) -> Settings:
    return Settings(var_dir=folder, _env_file=None, **values)  # type: ignore[arg-type]


async def test_the_bot_starts_while_weaviate_is_down(tmp_path: Path, refused: str) -> None:
    """The start goes on, a search says that the index is down, and closing leaves no task behind."""
    before = asyncio.all_tasks()
    async with build_corpus(settings(tmp_path, weaviate_url=refused, weaviate_grpc_port=9)) as corpus:
        with pytest.raises(IndexUnavailable, match="Weaviate"):
            await corpus.index.search("Pinel", vector=None, tenants=("shared",), filters=Filters(), limit=1)
    assert asyncio.all_tasks() == before


async def test_built_in_articles_follow_when_the_index_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded index is out at first because a folder is in its file's place."""
    monkeypatch.setattr(wiring_corpus, "RETRY_SECONDS", 0.05)
    blocker = tmp_path / "corpus.sqlite3"
    blocker.mkdir()
    async with build_corpus(settings(tmp_path)) as corpus:
        with pytest.raises(IndexUnavailable):
            await corpus.index.digests(tenant=SHARED_TENANT)
        blocker.rmdir()
        async with asyncio.timeout(60):
            found = await _until_found(corpus.index)
    assert found[0].title


async def test_built_in_articles_come_back_after_the_index_was_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the bot runs: a search says that the index is being filled again, then the articles answer."""
    monkeypatch.setattr(wiring_corpus, "RETRY_SECONDS", 0.3)
    path = tmp_path / "corpus.sqlite3"
    async with build_corpus(settings(tmp_path)) as corpus:
        await _until_found(corpus.index)
        path.unlink()
        path.write_bytes(b"abime" * 5_000)
        with pytest.raises(IndexUnavailable, match="se reconstitue"):
            await corpus.index.search("Pinel", vector=None, tenants=("shared",), filters=Filters(), limit=1)
        async with asyncio.timeout(60):
            assert await _until_found(corpus.index)


async def _until_found(index: PassageIndex) -> list[Passage]:
    while True:
        try:
            found = await index.search("Pinel", vector=None, tenants=("shared",), filters=Filters(), limit=1)
        except IndexUnavailable:
            found = []
        if found:
            return found
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("url", "expected"), [(None, "Corpus : index embarqué"), ("http://weaviate.example:8080", "weaviate.example:8080")]
)
def test_the_start_line_names_the_index(tmp_path: Path, url: str | None, expected: str) -> None:
    """Operators read there which index answers."""
    assert any(expected in part for part in parts_of(settings(tmp_path, weaviate_url=url)))
