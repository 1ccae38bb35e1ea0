"""A tool whose good answers are given again for a while, so that a thread does not ask the same service twice."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pipeline.ports import Tool
from pipeline.types import ToolCall, ToolResult

MOST: Final = 256
"""Answers kept at most; the oldest goes first."""


class CachedTool:
    """`seconds`: how long an answer is valid. A failure, or an answer with a gap, is never kept: the next call tries
    again. Not for private results: what one place may read is no answer for another."""

    def __init__(self, tool: Tool, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._tool = tool
        self._seconds = seconds
        self._clock = clock
        self._held: dict[str, tuple[float, ToolResult]] = {}

    @property
    def name(self) -> str:
        return self._tool.name

    async def run(self, call: ToolCall) -> ToolResult:
        key = json.dumps(dict(call.arguments), sort_keys=True, default=str)
        until, held = self._held.get(key, (0.0, None))
        if held is not None and self._clock() < until:
            return replace(held, call=call)
        result = await self._tool.run(call)
        if self._seconds and result.error is None and not result.gaps and not result.private:
            self._held[key] = (self._clock() + self._seconds, result)
            while len(self._held) > MOST:
                del self._held[next(iter(self._held))]
        return result
