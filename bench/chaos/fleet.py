"""The bot's processes, kept alive: whoever dies is started again, with the boundaries that were died at least."""

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.chaos.boundaries import OF_ROLE, deaths

SETTLED_S = 0.3


@dataclass(slots=True)
class Fleet:
    """`slots`: a role each. `aim`: how often each boundary is to be died at. `only`: these boundaries alone. With
    `renamed`, a worker comes back under another name each time, else every other time: its jobs are then to be taken
    over."""

    folder: Path
    environment: Mapping[str, str]
    slots: tuple[str, ...]
    chance: random.Random
    aim: int
    only: frozenset[str] = frozenset()
    mutant: str = ""
    renamed: bool = False
    starts: int = 0
    _nursery: asyncio.subprocess.Process | None = None
    _pids: dict[int, int] = field(default_factory=dict)
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    _born: "asyncio.Queue[int]" = field(default_factory=asyncio.Queue)
    _died: dict[int, asyncio.Event] = field(default_factory=dict)

    async def start(self) -> None:
        self._nursery = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.chaos.nursery",
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self._tasks.append(asyncio.create_task(self._listen()))
        self._tasks += [asyncio.create_task(self._keep(slot)) for slot in range(len(self.slots))]

    async def stop(self) -> None:
        for task in self._tasks[1:]:
            task.cancel()
        for pid in self._pids.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._nursery is not None and self._nursery.stdin is not None:
            self._nursery.stdin.close()
            await self._nursery.wait()
        self._tasks[0].cancel()

    def wishes(self, role: str) -> list[str]:
        """Those of this role that are still wanted."""
        counted = deaths(self.folder)
        wanted = [name for name in OF_ROLE[role] if name in self.only] if self.only else OF_ROLE[role]
        return [name for name in wanted if counted.get(name, 0) < self.aim]

    def arm(self) -> None:
        (self.folder / "armed").touch()

    def disarm(self) -> None:
        (self.folder / "armed").unlink(missing_ok=True)

    async def without_room(self, seconds: float) -> None:
        """A full disk, as each process of the bot sees it: no file grows."""
        limited = []
        for pid in self._pids.values():
            with contextlib.suppress(ProcessLookupError):
                limited.append((pid, resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))))
        await asyncio.sleep(seconds)
        for pid, before in limited:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    async def _keep(self, slot: int) -> None:
        role = self.slots[slot]
        name = f"{role}-{slot}"
        lock = asyncio.Lock()
        while True:
            if self.starts >= len(self.slots) and (self.renamed or self.chance.random() < 0.5):
                name = f"{role}-{slot}-{self.starts}"
            async with lock:
                pid = await self._bear(role, name)
            self._pids[slot] = pid
            await self._died.setdefault(pid, asyncio.Event()).wait()
            await asyncio.sleep(SETTLED_S)

    async def _bear(self, role: str, name: str) -> int:
        order = {
            "role": role,
            "environment": {**self.environment, "EXECUTOR_ID": name},
            "log": str(self.folder / f"{role}.log"),
            "wishes": self.wishes(role),
            "seed": self.chance.randrange(1 << 30),
            "folder": str(self.folder),
            "mutant": self.mutant,
        }
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        self.starts += 1
        self._nursery.stdin.write(json.dumps(order).encode() + b"\n")
        return await self._born.get()

    async def _listen(self) -> None:
        assert self._nursery is not None
        assert self._nursery.stdout is not None
        while line := await self._nursery.stdout.readline():
            word, _, number = line.decode().strip().partition(" ")
            if word == "born":
                self._born.put_nowait(int(number))
            elif word == "dead":
                self._died.setdefault(int(number), asyncio.Event()).set()
