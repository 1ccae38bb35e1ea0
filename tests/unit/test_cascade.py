"""The cascade's order, its breaker and its streams, with a clock that the test moves."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pipeline.errors import ModelUnavailable
from pipeline.llm.cascade import Cascade
from pipeline.metering.breaker import FAILURES, REST_SECONDS
from pipeline.ports import Completion, Message
from pipeline.types import Usage


@dataclass(slots=True)
class Provider:
    """A model that counts its calls and fails while told to."""

    name: str
    down: bool = False
    breaks_off: bool = False
    calls: int = 0

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        self.calls += 1
        if self.down:
            raise ModelUnavailable
        return Completion(self.name, Usage(self.name))

    async def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        self.calls += 1
        if self.down:
            raise ModelUnavailable
        yield self.name
        if self.breaks_off:
            raise ModelUnavailable
        yield Completion(self.name, Usage(self.name))


@dataclass(slots=True)
class Clock:
    """Seconds, moved by hand."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Rig:
    """Two providers behind one cascade."""

    clock: Clock = field(default_factory=Clock)
    first: Provider = field(default_factory=lambda: Provider("un"))
    second: Provider = field(default_factory=lambda: Provider("deux"))

    def cascade(self) -> Cascade:
        return Cascade([self.first, self.second], clock=self.clock)


async def test_the_first_provider_in_order_answers() -> None:
    """The second is not even asked."""
    rig = Rig()
    assert (await rig.cascade().complete([])).text == "un"
    assert rig.second.calls == 0


async def test_a_provider_that_fails_gives_way() -> None:
    """The next one answers the same question."""
    rig = Rig(first=Provider("un", down=True))
    assert (await rig.cascade().complete([])).text == "deux"


async def test_nobody_left_is_model_unavailable() -> None:
    """One error, whatever each of them did."""
    rig = Rig(first=Provider("un", down=True), second=Provider("deux", down=True))
    with pytest.raises(ModelUnavailable):
        await rig.cascade().complete([])


async def test_after_three_failures_a_provider_rests_then_gets_one_probe() -> None:
    """While it rests it is not asked; a failed probe rests it again, a good one brings it back."""
    rig = Rig(first=Provider("un", down=True))
    cascade = rig.cascade()
    for _ in range(FAILURES + 2):
        await cascade.complete([])
    assert rig.first.calls == FAILURES
    rig.clock.now += REST_SECONDS
    await cascade.complete([])
    await cascade.complete([])
    assert rig.first.calls == FAILURES + 1
    rig.clock.now += REST_SECONDS
    rig.first.down = False
    assert (await cascade.complete([])).text == "un"
    assert (await cascade.complete([])).text == "un"


async def test_a_stream_gives_way_only_before_its_first_piece() -> None:
    """Halves of two answers are no answer."""
    rig = Rig(first=Provider("un", down=True))
    assert [piece async for piece in rig.cascade().stream([]) if isinstance(piece, str)] == ["deux"]
    rig = Rig(first=Provider("un", breaks_off=True))
    with pytest.raises(ModelUnavailable):
        _ = [piece async for piece in rig.cascade().stream([])]
    assert rig.second.calls == 0


async def test_a_reader_that_leaves_frees_the_probe() -> None:
    """An abandoned stream is no verdict on the provider."""
    rig = Rig(first=Provider("un", down=True), second=Provider("deux", down=True))
    cascade = rig.cascade()
    for _ in range(FAILURES):
        with pytest.raises(ModelUnavailable):
            await cascade.complete([])
    rig.clock.now += REST_SECONDS
    rig.first.down = False
    pieces = cascade.stream([])
    assert await anext(pieces) == "un"
    await pieces.aclose()  # type: ignore[attr-defined]
    assert (await cascade.complete([])).text == "un"


async def test_streams_that_fail_rest_although_whole_answers_come() -> None:
    """The model that reads succeeds each time; its streams break off each time, and are no longer waited for."""
    rig = Rig(first=Provider("un", breaks_off=True))
    cascade = rig.cascade()
    for _ in range(FAILURES):
        await cascade.complete([])
        with pytest.raises(ModelUnavailable):
            _ = [piece async for piece in cascade.stream([])]
    await cascade.complete([])
    assert [piece async for piece in cascade.stream([]) if isinstance(piece, str)] == ["deux"]
    assert (await cascade.complete([])).text == "un"


async def test_who_leaves_with_the_whole_has_had_a_success() -> None:
    """A reader may stop at the end of the answer without asking whether there is more."""
    rig = Rig()
    cascade = rig.cascade()
    for _ in range(FAILURES):
        rig.first.breaks_off = True
        with pytest.raises(ModelUnavailable):
            _ = [piece async for piece in cascade.stream([])]
        rig.first.breaks_off = False
        pieces = cascade.stream([])
        assert [await anext(pieces), (await anext(pieces)).text] == ["un", "un"]  # type: ignore[union-attr]
        await pieces.aclose()  # type: ignore[attr-defined]
    assert [piece async for piece in cascade.stream([]) if isinstance(piece, str)] == ["un"]
