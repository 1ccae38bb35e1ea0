"""python -m corpus.sources.files.child: reads one file within limits; JSON in on stdin, JSON out on stdout.

What a parser throws at bad bytes is not caught here: the process ends, and its parent says that the file is damaged.
"""

import contextlib
import json
import math
import os
import resource
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from corpus.errors import UnreadableFile
from corpus.sources.files.kinds import read, recognised
from corpus.sources.files.values import OUT_OF_MEMORY, Limits
from corpus.sources.files.walls import put_up

FORBIDDEN: Final = frozenset({
    "socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
    "os.fork", "os.forkpty", "os.remove", "os.rename", "os.truncate", "os.kill",
})  # fmt: skip


def main() -> int:
    warnings.simplefilter("ignore")
    order = json.load(sys.stdin)
    limits = Limits(**order["limits"])
    confine(limits, readable=[Path(order["path"])])
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what a library prints is no part of the answer
            found = _answer(Path(order["path"]), order["name"], limits)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.write(json.dumps(found))
    return 0


def confine(limits: Limits, *, readable: Sequence[Path] = ()) -> None:
    """Memory, processor time, no file written, no core, no other process, no network, no file but `readable` and what
    Python is made of.

    What a system lacks is left out. The audit hook stops libraries; an attacker who runs code of his own meets the
    kernel's walls, where it has any.
    """
    seconds = math.ceil(limits.seconds) + 1
    for name, most in (
        ("RLIMIT_AS", limits.memory_bytes),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NPROC", 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most + (name == "RLIMIT_CPU")))  # SIGXCPU, then SIGKILL
    put_up(readable)
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if writes or event in FORBIDDEN:
        raise PermissionError(event)


def _answer(path: Path, name: str, limits: Limits) -> dict[str, object]:
    try:
        found = read(recognised(path.read_bytes(), name=name, limits=limits))
    except UnreadableFile as error:
        return {"refused": str(error)}
    return asdict(found) | {"published": found.published.isoformat() if found.published else None}


if __name__ == "__main__":
    sys.exit(main())
