"""A process that has imported the bot, and becomes it as often as asked, each time in a fork.

Importing the bot and loading what it looks things up in takes most of a start, and each stage starts one. What comes
after is the bot's own: settings, database, index, connections. Bots by themselves, as an operator starts them, are
those of test_serving.py, test_bad_settings.py and of every `first` stage.
"""

import asyncio
import contextlib
import gc
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.beginnings import indexed

ROOT = Path(__file__).resolve().parent.parent.parent


@contextlib.contextmanager
def forking(environment: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """What to run in place of `python -m bot`; leaving it ends the bots that are still there."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = Path(folder, "forking")
        listener.bind(str(path))
        listener.listen()  # here: who asks before the bot is imported waits
        index = asyncio.run(indexed(Path(folder, "corpus.sqlite3")))
        command = [sys.executable, "-m", "tests.scenario.forking", str(listener.fileno()), str(index)]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        ) as process:
            yield (sys.executable, "-I", str(Path(__file__).with_name("forked.py")), str(path))
            process.communicate()


def ready_to_be_the_bot(index: Path) -> None:
    """Imports what `run` imports, and loads what a first answer loads, as any start does."""
    from bot.pictures import look
    from bot.runtime import processes
    from bot.runtime.warming import warm
    from bot.settings import Settings
    from bot.wiring import build_deps

    async def load(folder: Path) -> None:
        async with build_deps(Settings(var_dir=folder)) as deps:
            await warm(deps)

    assert processes
    look.blank()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(index, folder)
        asyncio.run(load(Path(folder)))
    assert threading.enumerate() == [threading.current_thread()], "a fork would lack the other threads"


def become_the_bot(asked: bytes, outputs: list[int]) -> int:
    """Exit code of `python -m bot` with these arguments, environment and outputs."""
    from bot.__main__ import main

    arguments, environment, folder = json.loads(asked)
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for fd, stream in zip((nothing, *outputs), (sys.stdin, sys.stdout, sys.stderr), strict=True):
        os.dup2(fd, stream.fileno())
        os.close(fd)
    return main(arguments)


class Server:
    """One thread: a fork in a process of several would hold the locks of the others for ever."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener, self.select, self.children = listener, selectors.DefaultSelector(), set[int]()
        self.select.register(listener, selectors.EVENT_READ, self.fork)
        self.select.register(sys.stdin, selectors.EVENT_READ, self.leave)

    def run(self) -> int:
        """Exit code: 0, or a fork's."""
        while True:
            for key, _ in self.select.select():
                if (code := key.data()) is not None:
                    return int(code)

    def fork(self) -> int | None:
        """The code of the bot in a fork of it, None here."""
        line, _ = self.listener.accept()
        header, outputs, _, _ = socket.recv_fds(line, 8, 2)
        asked = line.recv(int.from_bytes(header), socket.MSG_WAITALL)
        if (child := os.fork()) == 0:
            self.select.close()
            return become_the_bot(asked, outputs)
        for fd in outputs:
            os.close(fd)
        ended = os.pidfd_open(child)
        self.children.add(child)
        self.select.register(line, selectors.EVENT_READ, lambda: self.pass_on(line, child))
        self.select.register(ended, selectors.EVENT_READ, lambda: self.bury(line, ended, child))
        return None

    def pass_on(self, line: socket.socket, child: int) -> None:
        """A signal for the bot; nothing more to read: who stands for it is dead."""
        said = line.recv(1)
        if not said:
            self.select.unregister(line)
        if child in self.children:
            signalled(child, said[0] if said else signal.SIGKILL)

    def bury(self, line: socket.socket, ended: int, child: int) -> None:
        """Says the exit code; what the bot itself has started ends with it."""
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.children.remove(child)
        signalled(child, signal.SIGKILL)
        self.select.unregister(ended)
        os.close(ended)
        with contextlib.suppress(KeyError):
            self.select.unregister(line)
        with contextlib.suppress(OSError):
            line.send(str(code).encode())
        line.close()

    def leave(self) -> int:
        for child in self.children:
            signalled(child, signal.SIGKILL)
        return 0


def signalled(child: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, number)


if __name__ == "__main__":
    ready_to_be_the_bot(Path(sys.argv[2]))
    gc.freeze()  # what is there before the forks stays theirs to share, also when they end
    sys.exit(Server(socket.socket(fileno=int(sys.argv[1]))).run())
