"""What the placeholder shows while its answer is made."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.errors import StoreUnavailable
from bot.slack.delivery import Blocks, Slack, SlackRefused, SlackUnavailable, ThreadRef, update
from bot.slack.status import Status
from bot.slack.streams.calls import Task
from bot.slack.streams.growing import Stream
from pipeline.ports import Step

WRITING: Final = "_Je rédige la suite…_"
READING: Final = "Lecture de votre question"


def first_task(key: str) -> Task:
    """The first step of every answer; its id is what a stream is found by."""
    return Task(key, READING)


class Progress:
    """Shows which step runs in the placeholder: after a first wait, at most once in `every` seconds, never after
    `stop`. `look` gives the message's blocks for a step; without it, the step is the text. `preview` gives the blocks
    of what `show` is told: the part of an answer that may be read while the rest is written. `stream`: the placeholder
    as a message that grows; while it does, steps and text are appended instead. `status`: is told each step too."""

    def __init__(
        self,
        slack: Slack,
        place: ThreadRef,
        ts: str,
        *,
        every: float = 1.0,
        look: Callable[[str], Blocks] | None = None,
        preview: Callable[[str], Blocks] | None = None,
        stream: Stream | None = None,
        status: Status | None = None,
        key: str = "",
    ) -> None:
        self._slack, self._place, self._ts = slack, place, ts
        self._every, self._look, self._preview = every, look, preview
        self._stream, self._status = stream, status
        self._tasks, self._written = [first_task(key)], ""
        self._latest: tuple[str, Blocks | None] | None = None
        self._doing = ""
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, step: Step) -> None:
        """What came before is done by then."""
        begun = [Task(f"step-{len(self._tasks) + n}", title) for n, title in enumerate(step.tasks)]
        self._tasks = [*(replace(task, status="complete") for task in self._tasks), *begun]
        self._doing = step.doing
        self.say(step.said)

    def say(self, words: str) -> None:
        """A step that has no place in a list of tasks."""
        self._next(f"_{words}…_", self._look(words) if self._look else None)

    def show(self, text: str) -> None:
        """Only in blocks: the message's plain text says that more comes."""
        if self._preview is not None:
            self._written = text
            self._next(WRITING, self._preview(text))

    def _next(self, text: str, blocks: Blocks | None) -> None:
        self._latest = (text, blocks)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        told = ""
        while not await self._stopped_within(self._every):
            if self._latest is None:
                continue
            latest, self._latest = self._latest, None
            with contextlib.suppress(SlackUnavailable, SlackRefused, StoreUnavailable):  # a lost line loses nothing
                await self._write(*latest)
            if self._status is not None and told != self._doing:
                told = self._doing
                await self._status.say(f"{told}…")

    async def _write(self, text: str, blocks: Blocks | None) -> None:
        if self._stream is None or not await self._stream.grow(self._tasks, self._written):
            await update(self._slack, self._place, self._ts, text=text, blocks=blocks)

    async def _stopped_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), timeout=seconds)
        return self._stopped.is_set()

    async def stop(self) -> None:
        """Waits for an update under way, so that it cannot overwrite the answer that follows."""
        self._stopped.set()
        if self._task is not None:
            await self._task
