"""A damaged index: put aside at its opening or in the middle of its life, and no reader lost."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from corpus.errors import IndexUnavailable
from corpus.index.embedded import EmbeddedIndex
from tests.unit.test_embedded_index import AXES, find, note


async def filled(path: Path, documents: int = 40) -> EmbeddedIndex:
    index = EmbeddedIndex(path)
    for n in range(documents):
        await index.upsert(f"d{n}", [note(f"Lyon {n} " * 60, document=f"d{n}")], AXES[:1], tenant="T1", digest="1")
    return index


def overwrite(path: Path, *, first: int) -> None:
    """The pages from this one on, with zeros, under the feet of whoever reads."""
    with sqlite3.connect(path) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    with path.open("r+b") as file:
        file.seek(first * 4096)
        file.write(bytes(path.stat().st_size - first * 4096))


async def test_damage_in_the_middle_of_its_life_is_put_aside_at_the_next_read(tmp_path: Path) -> None:
    """One search fails, no reader is lost with it, and the index is filled again by whoever looks what is missing."""
    path = tmp_path / "index.sqlite"
    index = await filled(path)
    other = EmbeddedIndex(path)
    assert len(await other.digests(tenant="T1")) == 40
    overwrite(path, first=1)
    for _ in range(6):
        with pytest.raises(IndexUnavailable):
            await find(index, "Lyon", 0)
    assert [name for name in os.listdir(tmp_path) if name.endswith("-wal") is False and ".illisible-" in name]
    assert await index.digests(tenant="T1") == {}
    await index.upsert("a", [note("Lyon", document="a")], AXES[:1], tenant="T1", digest="1")
    for each in (index, other):  # the other process follows, though its connections stood on the old file
        assert await find(each, "Lyon", 0) == ["a#0"]
        await each.aclose()


async def test_a_file_damaged_beyond_its_header_is_found_at_its_opening(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    await (await filled(path)).aclose()
    overwrite(path, first=6)
    index = EmbeddedIndex(path)
    assert await index.digests(tenant="T1") == {}
    with pytest.raises(IndexUnavailable, match="se reconstitue"):
        await find(index, "Lyon")
    await index.aclose()


async def test_a_transaction_that_cannot_end_costs_no_reader(tmp_path: Path) -> None:
    """Two readers, and five reads whose end fails: the sixth is answered."""
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await index.upsert("a", [note("Lyon", document="a")], AXES[:1], tenant="T1", digest="1")
    for _ in range(5):
        with index._file.reads() as connection:
            connection.close()
    async with asyncio.timeout(5):
        assert await find(index, "Lyon", 0) == ["a#0"]
    await index.aclose()
