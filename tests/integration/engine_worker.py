"""python -m tests.integration.engine_worker URL EXECUTOR FILE: a worker whose one job writes a line a step.

Its second step ends when FILE.go exists. SIGTERM closes the engine, and the process lives on for a moment. What the job
does depends on its subject: `broken` fails, `deadly` ends the process, `full` finds no room on the disk for 2 s, `long`
lasts as long."""

import asyncio
import os
import resource
import signal
import sys
import threading
from pathlib import Path

from bot.engine import Engine, Job, Step
from bot.logs import configure_logs
from bot.ports import JobName


async def no_room(_subject: str) -> None:
    """For 2 s from now on: room for our lines, none for the record of this step."""
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, room[1]))
    threading.Timer(2.0, resource.setrlimit, (resource.RLIMIT_FSIZE, room)).start()


async def broken(_subject: str) -> None:
    raise ValueError("nobody retries this")


async def main(url: str, executor_id: str, file: Path) -> None:
    def note(line: str) -> None:
        with file.open("a") as handle:
            handle.write(f"{executor_id} {line}\n")

    async def first(subject: str) -> None:
        note(f"first {subject}")

    async def slow(subject: str) -> None:
        note(f"slow {subject}")
        while not file.with_suffix(".go").exists():
            await asyncio.sleep(0.02)
            if closed.is_set():
                note(f"late {subject}")

    async def last(subject: str) -> None:
        note(f"last {subject}")

    async def run(step: Step, subject: str) -> None:
        await step("first", first, subject)
        await step("slow", slow, subject)
        if subject == "deadly" and not file.with_suffix(".harmless").exists():
            await started.wait()  # whoever started us waits for that line
            os.kill(os.getpid(), signal.SIGKILL)
        if subject == "long":
            await step("long", lambda _: asyncio.sleep(2.0), subject)
        if subject == "full":
            note("full full")
            await step("full", no_room, subject)
        if subject == "broken":
            await step("broken", broken, subject)
        await step("last", last, subject)

    async def failed(subject: str, error: BaseException) -> None:
        note(f"failed {subject} {error}")

    configure_logs("INFO")
    stopped, closed, started = asyncio.Event(), asyncio.Event(), asyncio.Event()
    engine = Engine(url, executor_id=executor_id, jobs={JobName.REPLY: Job(run=run, failed=failed)})
    await engine.launch(consume=True)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    note("up")
    started.set()
    await stopped.wait()
    await engine.close()
    closed.set()
    await asyncio.sleep(1.0)
    note("down")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
