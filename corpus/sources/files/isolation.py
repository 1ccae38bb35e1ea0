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


class Ended(Enum):
    """How the process ended; only WELL has an output to trust."""

    WELL = "well"
    LATE = "late"
    HEAVY = "heavy"
    BADLY = "badly"


async def run_isolated(module: str, message: bytes, *, limits: Limits) -> tuple[Ended, bytes]:
    """`python -m module` with `message` on stdin; how it ended and its stdout, at most 8 bytes a character allowed."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the folder we stand in offers no modules
        "-s",
        "-m",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        cwd="/",
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(limits.seconds):
            output, errors = await child.communicate(message)
    except TimeoutError:
        log.warning("file_reader_killed", seconds=limits.seconds)
        return Ended.LATE, b""
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # its offspring too, whether it ended by itself or not
        await child.wait()
    if child.returncode == 0 and len(output) <= 8 * limits.characters + 1_000_000:
        return Ended.WELL, output
    reason = errors.decode(errors="replace").strip().splitlines()[-1:]
    log.warning("file_reader_failed", code=child.returncode, reason=reason[0].split(":")[0] if reason else "")
    if child.returncode == -signal.SIGXCPU:
        return Ended.LATE, b""
    return (Ended.HEAVY if child.returncode == OUT_OF_MEMORY else Ended.BADLY), b""
