"""What the embedded index alone promises: one file, several processes, nothing half written."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.index import rows
from corpus.index.embedded import EmbeddedIndex
from corpus.types import Filters, Passage

FILTERS = Filters(audiences=frozenset({"public"}))
AXES = np.eye(4, dtype=np.float32)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = EmbeddedIndex(tmp_path / "deep" / "index.sqlite")
    yield opened
    await opened.aclose()


def note(text: str, *, document: str = "doc", position: int = 0) -> Passage:
    return Passage(f"{document}#{position}", document, position, "Note", (), text, "https://example.org", "regulation")


async def find(index: EmbeddedIndex, text: str, axis: int | None = None) -> list[str]:
    vector = None if axis is None else AXES[axis]
    found = await index.search(text, vector=vector, tenants=("T1",), filters=FILTERS, limit=300)
    return [hit.id for hit in found]


async def test_another_index_on_the_file_sees_new_rows_at_once(index: EmbeddedIndex, tmp_path: Path) -> None:
    """The generation counter makes a reader follow additions, replacements and deletions."""
    writer = EmbeddedIndex(tmp_path / "deep" / "index.sqlite")
    assert await find(index, "Lyon", 0) == []
    await writer.upsert("a", [note("Lyon", document="a")], AXES[:1], tenant="T1", digest="1")
    assert await find(index, "et", 0) == ["a#0"]
    await writer.upsert("a", [note("Nîmes", document="a")], AXES[1:2], tenant="T1", digest="2")
    await writer.upsert("b", [note("Lyon", document="b")], AXES[2:3], tenant="T1", digest="1")
    assert await find(index, "Lyon") == ["b#0"]
    assert (await find(index, "et", 1))[0] == "a#0"
    await writer.delete(["a"], tenant="T1")
    assert await find(index, "et", 1) == ["b#0"]
    await writer.aclose()


async def test_a_search_that_began_before_a_write_finds_what_another_has_followed(
    index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is shared by searches whose states of the file differ: the newer rows are read from a newer state."""
    await index.upsert("a", [note("Lyon", document="a")], AXES[:1], tenant="T1", digest="1")
    reads = index._file.reads
    with reads() as earlier:
        earlier.execute("select count(*) from passage").fetchone()
        await index.upsert("a", [note("Lyon, revu", document="a")], AXES[:1], tenant="T1", digest="2")
        assert await find(index, "revu", 0) == ["a#0"]
        index._stored.clear()
        states = [nullcontext(earlier)]
        monkeypatch.setattr(index._file, "reads", lambda: states.pop() if states else reads())
        assert await find(index, "revu", 0) == ["a#0"]
    assert not states


async def test_a_reader_far_behind_reads_everything_again(
    index: EmbeddedIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deletions that are no longer remembered must not survive in its memory."""
    monkeypatch.setattr(rows, "KEPT_DELETIONS", 2)
    writer = EmbeddedIndex(tmp_path / "deep" / "index.sqlite")
    for name in "abcdefgh":
        await writer.upsert(name, [note("Lyon", document=name)], AXES[:1], tenant="T1", digest="1")
    assert len(await find(index, "et", 0)) == 8
    for name in "abc":
        await writer.delete([name], tenant="T1")
    await writer.upsert("z", [note("Lyon", document="z")], AXES[:1], tenant="T1", digest="1")
    assert set(await find(index, "et", 0)) == {f"{name}#0" for name in "defghz"}
    await writer.aclose()


async def test_memory_grows_and_empties_with_the_corpus(index: EmbeddedIndex) -> None:
    """Beyond the first room of 256 rows, and after most of them were replaced."""
    many = [note(f"Lyon {n}", position=n) for n in range(300)]
    for digest in ("1", "2", "3"):
        await index.upsert("doc", many, AXES[[0] * 300], tenant="T1", digest=digest)
        assert len(await find(index, "et", 0)) == 100
    await index.upsert("doc", many[:1], AXES[:1], tenant="T1", digest="4")
    assert await find(index, "et", 0) == ["doc#0"]


async def test_a_new_embedder_takes_over_document_by_document(index: EmbeddedIndex) -> None:
    """The newest vectors decide the size; rows still waiting are found by words."""
    await index.upsert("old", [note("Lyon", document="old")], AXES[:1], tenant="T1", digest="1")
    await index.upsert("new", [note("Nîmes", document="new")], np.eye(1, 3, dtype=np.float32), tenant="T1", digest="1")
    with pytest.raises(VectorMismatch):
        await find(index, "Lyon", 0)
    found = await index.search("Lyon", vector=np.eye(3, dtype=np.float32)[0], tenants=("T1",), filters=FILTERS, limit=9)
    assert {hit.id: hit.similarity for hit in found} == {"old#0": None, "new#0": pytest.approx(1.0)}


async def test_a_failed_upsert_leaves_the_earlier_version(index: EmbeddedIndex) -> None:
    """One transaction: the deletion is undone with the insertion that failed."""
    await index.upsert("doc", [note("Lyon")], AXES[:1], tenant="T1", digest="1")
    broken = note("Nîmes", position=2)
    object.__setattr__(broken, "position", None)  # violates NOT NULL after the old rows are gone
    with pytest.raises(IndexUnavailable):
        await index.upsert("doc", [note("Pinel", position=1), broken], AXES[:2], tenant="T1", digest="2")
    assert await find(index, "Lyon", 0) == ["doc#0"]
    assert await index.digests(tenant="T1") == {"doc": "1"}


WRITER = """
import asyncio, sys
from pathlib import Path
import numpy as np
from corpus.index.embedded import EmbeddedIndex
from corpus.types import Passage

async def main():
    index = EmbeddedIndex(Path(sys.argv[1]))
    for n in range(100000):
        passage = Passage(f"d{n}#0", f"d{n}", 0, "Note", (), "Lyon", "https://example.org", "regulation")
        await index.upsert(f"d{n}", [passage], np.eye(1, 4, dtype=np.float32), tenant="T1", digest="1")
        print(n, flush=True)

asyncio.run(main())
"""


def killed_writer(path: Path) -> int:
    """Number of the last document that a writing process acknowledged before it was killed."""
    command = [sys.executable, "-c", WRITER, str(path)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(30)]
        writer.kill()
    return acknowledged[-1]


async def test_a_killed_writer_leaves_a_sound_file(tmp_path: Path) -> None:
    """SIGKILL in the middle of commits: words, vectors and digests agree, and every acknowledged document is there."""
    path = tmp_path / "index.sqlite"
    acknowledged = killed_writer(path)
    index = EmbeddedIndex(path)
    digests = await index.digests(tenant="T1")
    assert {f"d{n}" for n in range(acknowledged + 1)} <= set(digests)
    found = await index.search("Lyon", vector=AXES[0], tenants=("T1",), filters=FILTERS, limit=100)
    assert len(found) == min(100, len(digests))
    await index.aclose()
    with sqlite3.connect(path) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        (stored,) = connection.execute("select count(*) from passage where length(terms) > 0").fetchone()
    connection.close()
    assert stored == len(digests)


async def test_searches_and_writes_run_together(index: EmbeddedIndex) -> None:
    """Concurrent searches during writes neither fail nor see half a document."""
    pair = [note("Lyon", position=0), note("Lyon", position=1)]

    async def write() -> None:
        for n in range(20):
            await index.upsert("doc", pair, AXES[:2], tenant="T1", digest=str(n))

    async def read() -> set[int]:
        return {len(await find(index, "Lyon", 0)) for _ in range(20)}

    _, *seen = await asyncio.gather(write(), read(), read(), read())
    assert set().union(*seen) <= {0, 2}


async def test_a_broken_file_is_put_aside_and_begun_anew(tmp_path: Path) -> None:
    """The built-in articles come back by themselves; what else the file held can still be saved from the copy."""
    path = tmp_path / "index.sqlite"
    broken = b"this is not a database, it is a text that somebody put there" * 20
    path.write_bytes(broken)
    index = EmbeddedIndex(path)
    await index.ping()
    await index.upsert("a", [note("Lyon", document="a")], AXES[:1], tenant="T1", digest="1")
    assert await find(index, "Lyon", 0) == ["a#0"]
    await index.aclose()
    (aside,) = (tmp_path / name for name in os.listdir(tmp_path) if ".illisible-" in name)
    assert aside.read_bytes() == broken


async def test_a_file_that_may_not_be_read_stays_where_it_is(tmp_path: Path) -> None:
    """Only a broken file is begun anew; a folder in its place is somebody's mistake to mend."""
    path = tmp_path / "index.sqlite"
    path.mkdir()
    index = EmbeddedIndex(path)
    with pytest.raises(IndexUnavailable, match="base documentaire"):
        await index.ping()
    await index.aclose()
    assert path.is_dir()


async def test_a_file_of_another_version_says_so(tmp_path: Path) -> None:
    """Rebuilding is the user's decision: uploads may be in it."""
    path = tmp_path / "index.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version=99")
    connection.close()
    index = EmbeddedIndex(path)
    with pytest.raises(IndexUnavailable, match="autre version"):
        await index.ping()
    await index.aclose()


VERSION_1 = """
create table tenant(id integer primary key, name text not null unique, generation integer not null default 0,
  forgotten integer not null default 0, passages integer not null default 0, words integer not null default 0);
create table document(tenant integer not null, id text not null, digest text not null, primary key (tenant, id))
  without rowid;
create table passage(
  id integer primary key autoincrement, tenant integer not null, generation integer not null, document text not null,
  name text not null, position integer not null, words integer not null, audience text not null,
  category text not null, entities text not null, effective_from text, effective_to text, vector blob,
  title text not null, heading text not null, url text not null, published text, body text not null);
create table gone(tenant integer not null, generation integer not null, passage integer not null);
create virtual table fts_1 using fts5(lex, tokenize='unicode61 remove_diacritics 0', detail=none);
insert into tenant values (1, 'T1', 1, 0, 1, 3);
insert into document values (1, 'own:a', 'd1');
insert into passage values (1, 1, 1, 'own:a', 'own:a#0', 0, 3, 'public', 'risk', '["ppri"]', null, null, null,
  'Note', '[]', 'https://example.org', null, 'Le risque inondation à Nîmes.');
insert into fts_1(rowid, lex) values (1, 'not risqu inond nim');
pragma user_version=1;
"""


async def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    """A team's own documents are found as before, and written to; nobody has to bring them again."""
    path = tmp_path / "index.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(VERSION_1)
    connection.close()
    index = EmbeddedIndex(path)
    assert await find(index, "inondation Nîmes") == ["own:a#0"]
    await index.upsert("b", [note("Lyon", document="b")], AXES[:1], tenant="T1", digest="1")
    assert await find(index, "Lyon") == ["b#0"]
    assert await index.digests(tenant="T1") == {"own:a": "d1", "b": "1"}
    await index.aclose()
    with sqlite3.connect(path) as connection:
        tables = {name for (name,) in connection.execute("select name from sqlite_master")}
    connection.close()
    assert "fts_1" not in tables
