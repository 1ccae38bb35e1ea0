"""python -m tests.integration.engine_worker URL EXECUTOR FILE: a worker whose one job writes a line a step.

Its second step ends when FILE.go exists."""

import asyncio
import sys
from pathlib import Path

from bot.engine import Engine, Job, Step
from bot.ports import JobName


async def main(url: str, executor_id: str, file: Path) -> None:
    def note(line: str) -> None:
        with file.open("a") as handle:
            handle.write(f"{executor_id} {line}\n")

    async def first(subject: str) -> None:
        note(f"first {subject}")

    async def slow(subject: str) -> None:
        note(f"slow {subject}")
        while not file.with_suffix(".go").exists():  # noqa: ASYNC110  (another process makes it)
            await asyncio.sleep(0.02)

    async def last(subject: str) -> None:
        note(f"last {subject}")

    async def run(step: Step, subject: str) -> None:
        await step("first", first, subject)
        await step("slow", slow, subject)
        if subject == "broken":
            raise ValueError("nobody retries this")
        await step("last", last, subject)

    async def failed(subject: str, error: BaseException) -> None:
        note(f"failed {subject} {error}")

    engine = Engine(url, executor_id=executor_id, jobs={JobName.REPLY: Job(run=run, failed=failed)})
    await engine.launch(consume=True)
    note("up")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
