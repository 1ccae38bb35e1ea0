"""The bot as a child process: its output shown and logged, restarted when it dies, never left behind."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sandbox.hub import Hub
from sandbox.log import Log
from sandbox.wrong import Wrong

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
STEADY_S = 30.0  # a child that lived so long restarts without a growing pause
GRACE_S = 10.0  # between SIGTERM and SIGKILL
CONNECT_S = 30.0
_LINE_BYTES = 1 << 20
_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class BotProcess:
    """One command, or none (`command` empty: the bot runs elsewhere). `lost` is called when a child ended."""

    command: Sequence[str]
    environment: Mapping[str, str]
    log: Log
    hub: Hub
    ready: Callable[[], Awaitable[None]]
    lost: Callable[[], None] = lambda: None
    wanted: bool = False
    since: str | None = None
    restarts: int = 0
    last_exit: int | None = None
    _child: asyncio.subprocess.Process | None = None
    _keeper: asyncio.Task[None] | None = None
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def running(self) -> bool:
        """True while a child lives."""
        return self._child is not None and self._child.returncode is None

    def as_dict(self) -> dict[str, Any]:
        """For the page."""
        return {
            "managed": bool(self.command),
            "running": self.running,
            "pid": self._child.pid if self._child is not None and self.running else None,
            "since": self.since if self.running else None,
            "wanted": self.wanted,
            "restarts": self.restarts,
            "last_exit": self.last_exit,
        }

    async def act(self, action: str) -> None:
        """stop, start, restart or kill (as a crash: it comes back by itself). Raises `Wrong`."""
        if action not in ("stop", "start", "restart", "kill"):
            raise Wrong(f"« {action} » n'est pas une action ; il y a : stop, start, restart, kill.")
        if not self.command:
            raise Wrong("Le bot n'a pas été lancé par le bac à sable (--no-bot) : arrêtez-le et lancez-le vous-même.")
        if action == "kill":
            if self._child is not None:
                self._signal(signal.SIGKILL)
                await self._child.wait()
            return
        if action in ("stop", "restart"):
            await self.stop()
        if action in ("start", "restart"):
            self.start()
            await self._until_connected()

    def start(self) -> None:
        """Starts the child now, also when a restart was only pending."""
        self.wanted = True
        self._hurry.set()
        if self.command and (self._keeper is None or self._keeper.done()):
            self._keeper = asyncio.get_running_loop().create_task(self._keep())

    async def stop(self) -> None:
        """SIGTERM to the child's process group, SIGKILL after 10 s; it stays stopped."""
        self.wanted = False
        self._hurry.set()
        self._signal(signal.SIGTERM)
        if self._keeper is None:
            return
        try:
            async with asyncio.timeout(GRACE_S):
                await asyncio.shield(self._keeper)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await self._keeper

    async def _keep(self) -> None:
        pause = FIRST_PAUSE_S
        while self.wanted:
            started = time.monotonic()
            await self._live()
            if not self.wanted:
                return
            if time.monotonic() - started > STEADY_S:
                pause = FIRST_PAUSE_S
            summary = f"le bot s'est arrêté (code {self.last_exit}), relance dans {pause:.0f} s"
            self.log.add("bot", summary, status="exit")
            self._hurry.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._hurry.wait()
            pause = min(2 * pause, LONGEST_PAUSE_S)
            self.restarts += 1

    async def _live(self) -> None:
        """One life of the child, from start to exit."""
        child = await asyncio.create_subprocess_exec(
            *self.command,
            env=dict(self.environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent(),
            limit=_LINE_BYTES,
        )
        self._child = child
        self.since = datetime.now(UTC).isoformat(timespec="seconds")
        self.log.add("bot", f"bot lancé (pid {child.pid})", status="start")
        self.hub.publish("state")
        reader = asyncio.get_running_loop().create_task(self._read(child))
        self.last_exit = await child.wait()
        self._signal(signal.SIGKILL)  # what the child itself has started ends with it
        await reader
        self._child = None
        self.lost()
        self.hub.publish("state")

    async def _read(self, child: asyncio.subprocess.Process) -> None:
        stdout = child.stdout
        assert stdout is not None
        while True:
            try:
                raw = await stdout.readline()
            except ValueError:  # one line of more than a megabyte: its beginning is dropped
                continue
            if not raw:
                return
            line = self.log.masked(raw.decode(errors="replace").rstrip("\n"))
            print(line, file=sys.stdout, flush=True)
            self.log.add("bot", line)

    def _signal(self, number: signal.Signals) -> None:
        """To the whole group, which carries the child's pid since it leads its own session."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, number)

    async def _until_connected(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_S):
                await self.ready()


def _die_with_parent() -> Callable[[], None] | None:
    """On Linux the kernel kills the child when the sandbox dies without a chance to say so."""
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask_the_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask_the_kernel
