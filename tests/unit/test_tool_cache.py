"""Answers that are given again: only good ones, only for their time, only to the same question."""

from dataclasses import dataclass, field

import pytest

from pipeline.tools import cache as kept
from pipeline.tools.cache import CachedTool
from pipeline.types import ToolCall, ToolResult


@dataclass
class Counting:
    """A tool that numbers its answers."""

    name: str = "sales"
    more: dict[str, object] = field(default_factory=dict)
    runs: int = 0

    async def run(self, call: ToolCall) -> ToolResult:
        self.runs += 1
        return ToolResult(call=call, text=str(self.runs), **self.more)  # type: ignore[arg-type]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_good_answer_is_given_again_until_its_time_is_over() -> None:
    """The same arguments in any order; then the service is asked anew."""
    tool, clock = Counting(), Clock()
    again = CachedTool(tool, seconds=60, clock=clock)
    assert again.name == "sales"
    first = await again.run(ToolCall("sales", {"insee": "69266", "type": None}))
    same = ToolCall("sales", {"type": None, "insee": "69266"})
    assert (await again.run(same)).text == first.text == "1"
    assert (await again.run(ToolCall("sales", {"insee": "83137", "type": None}))).text == "2"
    clock.now = 60
    assert (await again.run(same)).text == "3"


@pytest.mark.parametrize("more", [{"error": "en panne"}, {"gaps": ("Cerema : sans réponse",)}, {"private": True}])
async def test_a_failure_a_gap_and_a_private_answer_are_not_kept(more: dict[str, object]) -> None:
    """The next question tries again."""
    tool = Counting(more=more)
    again = CachedTool(tool, seconds=60)
    for _ in range(2):
        await again.run(ToolCall("sales", {}))
    assert tool.runs == 2


async def test_nothing_is_kept_for_no_time_and_little_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zero seconds switch it off; the oldest answer goes when there are too many."""
    tool = Counting()
    off = CachedTool(tool, seconds=0)
    for _ in range(2):
        await off.run(ToolCall("sales", {}))
    assert tool.runs == 2
    monkeypatch.setattr(kept, "MOST", 1)
    small = CachedTool(tool, seconds=60)
    for insee in ("1", "2", "1"):
        await small.run(ToolCall("sales", {"insee": insee}))
    assert tool.runs == 5
