"""A process of its own for what parses foreign bytes: no secrets in its environment, killed with its offspring."""

import asyncio
import contextlib
import os
import signal
import sys
from enum import Enum
from pathlib import Path
from typing import Final

import structlog

from corpus.sources.files.values import OUT_OF_MEMORY, Limits

log = structlog.get_logger()

ROOT: Final = Path(__file__).resolve().parents[3]
ENVIRONMENT: Final = {
    "PYTHONPATH": str(ROOT),
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",  # it may write no file: each attempt would leave an empty one behind
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",  # openpyxl loads numpy, whose threads would each ask for memory
}
MOST_COMPLAINTS: Final = 100_000


class Ended(Enum):
    """How the process ended; only WELL has an output to trust."""

    WELL = "well"
    LATE = "late"
    HEAVY = "heavy"
    BADLY = "badly"
    UNABLE = "unable"


async def run_isolated(module: str, message: bytes, *, limits: Limits) -> tuple[Ended, bytes]:
    """`python -m module` with `message` on stdin; how it ended and its stdout, bounded by the limit of characters."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the folder we stand in offers no modules
        "-s",
        "-m",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(limits.seconds):
            output, complaints = await _exchange(child, message, most=12 * limits.characters + 1_000_000)
            await child.wait()
    except TimeoutError:
        log.warning("file_reader_killed", seconds=limits.seconds)
        return Ended.LATE, b""
    finally:
        _kill(child)  # its offspring too, whether it ended by itself or not
        await child.wait()
    return _ended(child.returncode, complaints), output


def _ended(code: int | None, complaints: bytes) -> Ended:
    if code == 0:
        return Ended.WELL
    last = complaints.decode(errors="replace").strip().splitlines()[-1:]
    error = last[0].split(":")[0][:80] if last else ""  # its name only: no word of the file
    log.warning("file_reader_failed", code=code, error=error)
    if error == "ModuleNotFoundError":
        return Ended.UNABLE
    if code == -signal.SIGXCPU:
        return Ended.LATE
    return Ended.HEAVY if code == OUT_OF_MEMORY else Ended.BADLY


async def _exchange(child: asyncio.subprocess.Process, message: bytes, *, most: int) -> tuple[bytes, bytes]:
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(message)
        await child.stdin.drain()
    child.stdin.close()
    return await asyncio.gather(_bounded(child, child.stdout, most), _bounded(child, child.stderr, MOST_COMPLAINTS))


async def _bounded(child: asyncio.subprocess.Process, stream: asyncio.StreamReader, most: int) -> bytes:
    """All of the stream; a child that says more than `most` is killed: its words would fill our memory. What it has
    said by then is read and forgotten, for asyncio takes a process to have ended when its pipes are empty."""
    kept = bytearray()
    while chunk := await stream.read(65_536):
        if len(kept) > most:
            continue
        kept += chunk
        if len(kept) > most:
            _kill(child)
    return bytes(kept)


def _kill(child: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
