"""python -m bench.chaos.nursery: imports the bot once, then forks one process of it a line of stdin.

A line is JSON `{role, environment, log, wishes, seed, folder, mutant}`; answered on stdout by `born PID`, later `dead
PID`. Everything dies with it. The children are the bot as it is, started by its own command line, with a boundary that
kills and calls that pass it."""

import ctypes
import functools
import gc
import json
import os
import random
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bench.chaos.boundaries import SLACK_CALLS, Killer
from bench.chaos.mutants import MUTANTS, keeps_message
from bot import wiring
from bot.__main__ import main as bot
from bot.engine import Engine
from bot.ports import Boundary
from bot.runtime import processes
from bot.store.database import Database

_PR_SET_PDEATHSIG = 1


def main() -> int:
    gc.freeze()
    children: set[int] = set()
    waiting = b""
    while True:
        readable, _, _ = select.select([0], [], [], 0.05)
        if readable:
            if not (read := os.read(0, 65_536)):
                break
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                children.add(_born(json.loads(line)))
        while children and (pid := os.waitpid(-1, os.WNOHANG)[0]):
            children.discard(pid)
            os.write(1, f"dead {pid}\n".encode())
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    return 0


def _born(order: dict[str, Any]) -> int:
    if child := os.fork():
        os.write(1, f"born {child}\n".encode())
        return child
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.environ.clear()
    os.environ.update(order["environment"])
    log = os.open(order["log"], os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for old, new in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(old, new)
    killer = Killer(order["role"], frozenset(order["wishes"]), random.Random(order["seed"]), Path(order["folder"]))
    _pass_by(killer, web=order["role"] == "web")
    if order["mutant"]:
        MUTANTS[order["mutant"]]()
    os._exit(bot([order["role"]]))


def _pass_by(boundary: Boundary, *, web: bool) -> None:
    """The engine is given the boundary where it is made; calls and commits pass it on their way."""
    processes.__dict__["Engine"] = functools.partial(Engine, boundary=boundary)
    if web:
        _around_writes(boundary)
        return
    for name, method in SLACK_CALLS.items():
        setattr(AsyncWebClient, method, _around(boundary, name, getattr(AsyncWebClient, method)))
    writer = wiring.__dict__["HubspotWriter"]
    writer.perform = _around(boundary, "crm", writer.perform)


def _around(boundary: Boundary, name: str, call: Callable[..., Any]) -> Any:
    @functools.wraps(call)
    async def passing(*given: Any, **named: Any) -> Any:
        boundary(f"{name}:begun")
        result = await call(*given, **named)
        boundary(f"{name}:done")
        return result

    return passing


def _around_writes(boundary: Boundary) -> None:
    write = Database.write

    async def passing(self: Database, run: Callable[..., Any]) -> Any:
        name = "message" if keeps_message(run) else "click"
        boundary(f"{name}:begun")
        result = await write(self, run)
        boundary(f"{name}:kept")
        return result

    Database.write = passing  # type: ignore[method-assign]


if __name__ == "__main__":
    sys.exit(main())
