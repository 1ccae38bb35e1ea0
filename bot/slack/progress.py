"""What the placeholder shows while its answer is made."""

import asyncio
import contextlib
from collections.abc import Callable

from bot.slack.delivery import Blocks, Slack, SlackRefused, SlackUnavailable, ThreadRef, update

WRITING = "_Je rédige la suite…_"


class Progress:
    """Shows which step runs in the placeholder: after a first wait, at most once in `every` seconds, never after
    `stop`. `look` gives the message's blocks for a step; without it, the step is the text. `preview` gives the blocks
    of what `show` is told: the part of an answer that may be read while the rest is written."""

    def __init__(
        self,
        slack: Slack,
        place: ThreadRef,
        ts: str,
        *,
        every: float = 1.0,
        look: Callable[[str], Blocks] | None = None,
        preview: Callable[[str], Blocks] | None = None,
    ) -> None:
        self._slack, self._place, self._ts = slack, place, ts
        self._every, self._look, self._preview = every, look, preview
        self._latest: tuple[str, Blocks | None] | None = None
        self._stopped = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, step: str) -> None:
        self._next(f"_{step}…_", self._look(step) if self._look else None)

    def show(self, text: str) -> None:
        """Only in blocks: the message's plain text says that more comes."""
        if self._preview is not None:
            self._next(WRITING, self._preview(text))

    def _next(self, text: str, blocks: Blocks | None) -> None:
        self._latest = (text, blocks)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while not await self._stopped_within(self._every):
            if self._latest is None:
                continue
            (text, blocks), self._latest = self._latest, None
            with contextlib.suppress(SlackUnavailable, SlackRefused):  # a lost progress line loses nothing
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
