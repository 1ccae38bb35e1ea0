"""An answer that grows in its message: its steps, and each section once it has passed the gate."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from bot.slack.blocks.text import markdown
from bot.slack.delivery import Blocks, Slack, SlackRefused, SlackUnavailable, ThreadRef
from bot.slack.streams.calls import Chunk, Task, append, close

log = structlog.get_logger()

MOST_TEXT: Final = 10_000
"""Characters that a stream is given, of the 12,000 that it holds; the rest comes with the whole."""
_TABLE: Final = re.compile(r"^\|", re.MULTILINE)


def sections(text: str) -> str:
    """What of a text that goes on being written is complete: not its last paragraph, nor anything from a table on,
    which is a block of its own in the end."""
    safe = markdown(text)
    found = _TABLE.search(safe)
    whole = (safe[: found.start()] if found else safe)[:MOST_TEXT]
    return whole[: whole.rfind("\n\n") + 2] if "\n\n" in whole else ""


class Stream:
    """One message that Slack streams. Nothing is appended twice: after a call whose end is not known, and after any
    refusal, it is closed. `about_to`: awaited before the first call; `head`: blocks that come with it."""

    def __init__(
        self,
        slack: Slack,
        place: ThreadRef,
        ts: str,
        *,
        key: str,
        head: Blocks,
        about_to: Callable[[], Awaitable[object]],
    ) -> None:
        self._slack, self._place, self._ts, self._key = slack, place, ts, key
        self._head, self._about_to = head, about_to
        self._shown: dict[str, Task] = {}
        self._said = ""
        self._begun, self._open = False, True

    async def grow(self, tasks: Sequence[Task], text: str) -> bool:
        """Append what is new in them. `text`: all that may be read so far. False once the stream is closed.

        Raises `SlackUnavailable` where Slack takes nothing just now: what is new is still new then.
        """
        if not self._open:
            return False
        changed = [task for task in tasks if self._shown.get(task.id) != task]
        added = self._added(text)
        chunks: list[Chunk] = [task.chunk for task in changed]
        chunks += [] if self._begun else [{"type": "blocks", "blocks": list(self._head)}]
        chunks += [{"type": "markdown_text", "text": added}] if added else []
        if not chunks:
            return True
        if not self._begun:
            await self._about_to()
        if not await self._appended(chunks):
            return False
        self._begun = True
        self._shown |= {task.id: task for task in changed}
        self._said += added
        return True

    def _added(self, text: str) -> str:
        """Nothing where what was said before reads otherwise now: then the whole answer alone puts it right."""
        so_far = sections(text)
        return so_far.removeprefix(self._said) if so_far.startswith(self._said) else ""

    async def _appended(self, chunks: Sequence[Chunk]) -> bool:
        try:
            await append(self._slack, self._place, self._ts, chunks)
        except SlackUnavailable as error:
            if error.retry_after is not None:
                raise  # Slack did not take it
            await self._give_up(repr(error))
            return False
        except SlackRefused as refusal:
            await self._give_up(refusal.code)
            return False
        return True

    async def _give_up(self, why: str) -> None:
        self._open = False
        log.info("stream_given_up", key=self._key, why=why)
        await close(self._slack, self._place, self._ts, key=self._key)
