"""The points at which a process ends itself by SIGKILL, and what does it."""

import os
import random
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

STEPS: Final = (
    "think", "publish", "offer", "catch_up", "identify", "execute", "show", "undo",
)  # fmt: skip
ALONE: Final = ("place", "chart")
SLACK_CALLS: Final[Mapping[str, str]] = {
    "post": "chat_postMessage",
    "update": "chat_update",
    "start": "chat_startStream",
    "append": "chat_appendStream",
    "stop": "chat_stopStream",
}
"""Each is a boundary of its own, by the client's method."""
WORKER: Final = (
    *(f"{step}:{moment}" for step in STEPS for moment in ("begun", "done", "kept")),
    *(f"{step}:{moment}" for step in ALONE for moment in ("begun", "done")),
    *(f"{call}:{moment}" for call in (*SLACK_CALLS, "crm") for moment in ("begun", "done")),
)
"""A step begun; done, but not remembered; remembered. A call about to be made; made, but nothing kept of it."""
WEB: Final = ("message:begun", "message:kept", "click:begun", "click:kept")
"""Before the commit, and between the commit and the ack."""
OF_ROLE: Final[Mapping[str, Sequence[str]]] = {"web": WEB, "worker": WORKER}
CHANCE: Final = 0.4


@dataclass(slots=True)
class Killer:
    """Ends this process at one of `wishes`, sometimes, as long as the file `armed` is there; each end is a line of
    `deaths`, written before it."""

    role: str
    wishes: frozenset[str]
    chance: random.Random
    folder: Path

    def __call__(self, name: str) -> None:
        if name not in self.wishes or self.chance.random() > CHANCE or not (self.folder / "armed").exists():
            return
        try:
            file = os.open(self.folder / "deaths", os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
            os.write(file, f"{name}\n".encode())
        except OSError:
            return  # no room on the disk just now: who cannot be counted may live
        os.kill(os.getpid(), signal.SIGKILL)


def deaths(folder: Path) -> dict[str, int]:
    """How often each boundary was died at."""
    file = folder / "deaths"
    counted: dict[str, int] = {}
    for name in file.read_text("ascii").splitlines() if file.exists() else ():
        counted[name] = counted.get(name, 0) + 1
    return counted
