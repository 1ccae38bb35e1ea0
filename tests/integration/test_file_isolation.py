"""The process that reads foreign files: it knows no secret, keeps to its limits, and leaves nothing behind."""

import asyncio
import errno
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.sources.files.isolation import ROOT, Ended, run_isolated
from corpus.sources.files.values import Limits
from corpus.sources.files.walls import standing

MODULE = "tests.hostile_reader"


async def hostile(what: str, *, seconds: float = 60.0, characters: int = 10_000) -> tuple[Ended, bytes]:
    return await run_isolated(MODULE, what.encode(), limits=Limits(seconds=seconds, characters=characters))


async def test_it_knows_none_of_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot's environment holds every key: a file must not be able to read it."""
    monkeypatch.setenv("HUBSPOT_TOKEN", "pat-secret")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-secret")
    ended, output = await hostile("environment")
    assert ended is Ended.WELL
    assert b"secret" not in output
    names = json.loads(output)
    assert all(name.startswith("PYTHON") or name.endswith("_THREADS") or name == "LC_CTYPE" for name in names)


async def test_it_leaves_no_half_written_bytecode() -> None:
    """Each import would try to write its bytecode, and leave an empty file where it may not."""
    _, output = await hostile("environment")
    assert json.loads(output)["PYTHONDONTWRITEBYTECODE"] == "1"


async def test_it_is_killed_with_its_offspring_when_time_is_up(pipe: Path, reader: int) -> None:
    """The pipe's other end closes only when the grandchild is gone too."""
    ended, _ = await hostile(f"offspring {pipe}", seconds=3.0)
    assert ended is Ended.LATE
    await until_closed(reader)


async def test_it_is_killed_when_whoever_waits_gives_up(pipe: Path, reader: int) -> None:
    """A bot that stops must not leave readers running."""
    running = asyncio.create_task(hostile(f"offspring {pipe}"))
    said, _, _ = await asyncio.to_thread(select.select, [reader], [], [], 60)
    assert said, "no grandchild within a minute"
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await until_closed(reader)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """Where the grandchild says that it is there."""
    os.mkfifo(tmp_path / "alive")
    return tmp_path / "alive"


@pytest.fixture
def reader(pipe: Path) -> Iterator[int]:
    opened = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    yield opened
    os.close(opened)


async def until_closed(reader: int) -> None:
    """Reads what was said, to the end."""
    os.set_blocking(reader, True)
    said = await asyncio.wait_for(asyncio.to_thread(os.read, reader, 1), 60)
    assert said in {b"!", b""}  # nothing, where time was up before it had begun
    assert not said or await asyncio.wait_for(asyncio.to_thread(os.read, reader, 1), 60) == b""


@pytest.mark.parametrize("where", ["flood", "complain"])
async def test_it_cannot_fill_our_memory_with_words(where: str) -> None:
    """Output over the limit ends it, on stdout and on stderr."""
    ended, output = await hostile(where)
    assert ended is Ended.BADLY
    assert len(output) < 2_000_000


async def test_a_flood_leaves_no_pipe_full_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio takes a process to have ended when its pipes are empty: on a busy machine a flood was waited for to the
    end of the time limit, and its pipe stayed open."""
    read = asyncio.StreamReader.read

    async def late(stream: asyncio.StreamReader, most: int = -1) -> bytes:
        chunk = await read(stream, most)
        await asyncio.sleep(0.01)  # meanwhile the pipe fills up to where asyncio stops listening to it
        return chunk

    monkeypatch.setattr(asyncio.StreamReader, "read", late)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ended, _ = await hostile("flood")
        gc.collect()
    assert ended is Ended.BADLY
    assert not [warning for warning in said if issubclass(warning.category, ResourceWarning)]


async def test_its_memory_ends_before_ours() -> None:
    """Two gigabytes where 400 MB are allowed."""
    ended, _ = await hostile("eat")
    assert ended is Ended.HEAVY


def test_its_processor_time_ends_though_nobody_waits() -> None:
    """The wall clock is the parent's: an orphan has only this limit."""
    command = [sys.executable, "-m", MODULE]
    done = subprocess.run(command, input=b"spin", cwd=ROOT, capture_output=True, timeout=100, check=False)
    assert done.returncode == -signal.SIGXCPU


async def test_too_much_processor_time_is_told_as_too_long() -> None:
    """Whichever clock runs out first, the sentence is the same."""
    ended, _ = await hostile("spin")
    assert ended is Ended.LATE


async def test_it_writes_no_file(tmp_path: Path) -> None:
    """Nor does it empty one."""
    (tmp_path / "ours").write_text("à nous")
    for name in ("ours", "left"):
        ended, _ = await hostile(f"write {tmp_path / name}")
        assert ended is Ended.BADLY
    assert (tmp_path / "ours").read_text() == "à nous"
    assert not (tmp_path / "left").exists()


async def test_a_library_that_is_missing_is_not_the_file_s_fault() -> None:
    """Else each file would be called damaged."""
    ended, _ = await hostile("import")
    assert ended is Ended.UNABLE


async def test_it_reaches_no_network() -> None:
    """A link in a file is never followed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        ended, _ = await hostile(f"connect {server.getsockname()[1]}")
        assert ended is Ended.BADLY
        with pytest.raises(BlockingIOError):
            server.accept()


async def test_it_starts_no_program() -> None:
    """Nor may a library do so in good faith."""
    ended, _ = await hostile("run")
    assert ended is Ended.BADLY


WALLS = pytest.mark.skipif(
    set(standing()) != {"landlock", "seccomp"},
    reason="this kernel has neither Landlock nor seccomp to wall a process in",
)


@WALLS
async def test_code_of_its_own_reaches_neither_files_nor_network_nor_programs(tmp_path: Path) -> None:
    """Past Python, by the C library: the database, our environment, a datagram, another program."""
    database = tmp_path / "bot.sqlite3"
    database.write_bytes(b"SQLite format 3")
    for what in (f"read {database}", f"read /proc/{os.getpid()}/environ", "read /etc/passwd", "udp", "exec"):
        command = [sys.executable, "-m", MODULE]
        done = await asyncio.to_thread(
            subprocess.run, command, input=what.encode(), cwd=ROOT, capture_output=True, timeout=60, check=False
        )
        assert done.returncode == errno.EACCES, (what, done.stderr)
