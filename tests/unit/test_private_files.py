"""Nobody but the bot's own user reads its files."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.private_files import keep_private


@pytest.fixture(autouse=True)
def mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_stands_there_and_what_comes_is_private(tmp_path: Path) -> None:
    """Folders 0700, files 0600; a link's target elsewhere keeps its own."""
    folder, outside = tmp_path / "var", tmp_path / "outside"
    (folder / "uploads").mkdir(parents=True)
    (folder / "bot.sqlite3").write_text("x")
    outside.write_text("x")
    (folder / "link").symlink_to(outside)
    keep_private(folder)
    (folder / "new.sqlite3").write_text("x")
    (folder / "uploads" / "deeper").mkdir()
    assert [mode(folder), mode(folder / "uploads"), mode(folder / "uploads" / "deeper")] == [0o700] * 3
    assert [mode(folder / "bot.sqlite3"), mode(folder / "new.sqlite3")] == [0o600] * 2
    assert mode(outside) == 0o644
