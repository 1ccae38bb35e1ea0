"""python -m corpus.sources.files.child: reads one file within limits; JSON in on stdin, JSON out on stdout.

What a parser throws at bad bytes is not caught here: the process ends, and its parent says that the file is damaged.
"""

import contextlib
import json
import math
import resource
import sys
from dataclasses import asdict
from pathlib import Path

from corpus.errors import UnreadableFile
from corpus.sources.files.kinds import read, recognised
from corpus.sources.files.values import OUT_OF_MEMORY, Limits


def main() -> int:
    order = json.load(sys.stdin)
    limits = Limits(**order["limits"])
    confine(limits)
    try:
        found = _answer(Path(order["path"]), order["name"], limits)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.write(json.dumps(found))
    return 0


def confine(limits: Limits) -> None:
    """Memory, processor time, no file written, no core, no other process. What a system lacks is left out."""
    seconds = math.ceil(limits.seconds) + 1
    for name, most in (
        ("RLIMIT_AS", limits.memory_bytes),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NPROC", 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))


def _answer(path: Path, name: str, limits: Limits) -> dict[str, object]:
    try:
        found = read(recognised(path.read_bytes(), name=name, limits=limits))
    except UnreadableFile as error:
        return {"refused": str(error)}
    return asdict(found) | {"published": found.published.isoformat() if found.published else None}


if __name__ == "__main__":
    sys.exit(main())
