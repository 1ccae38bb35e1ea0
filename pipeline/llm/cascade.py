"""`ChatModel` over several providers in order: a slow or failing one gives way to the next, and rests for a while."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Final

from pipeline.errors import ModelUnavailable
from pipeline.metering.breaker import Breaker
from pipeline.ports import ChatModel, Completion, Message

PROVIDER_SECONDS: Final = 20.0


class Cascade:
    """Tries each model in order. `seconds`: what one provider may take for a whole answer, or for its first piece.
    Whole answers and streams fail apart: a provider that completes may well break off its streams."""

    def __init__(
        self,
        models: Sequence[ChatModel],
        *,
        seconds: float = PROVIDER_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models = [(model, Breaker(clock), Breaker(clock)) for model in models]
        self._seconds = seconds

    @property
    def name(self) -> str:
        return " > ".join(model.name for model, *_ in self._models)

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        """The first provider's answer in time. Raises `ModelUnavailable` when none is left."""
        for model, breaker, _ in self._models:
            if not breaker.admits():
                continue
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await model.complete(messages, schema=schema, max_tokens=max_tokens)
                breaker.succeeded()
                return answer
            except (ModelUnavailable, TimeoutError):
                breaker.failed()
            finally:
                breaker.left()
        raise ModelUnavailable

    async def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        """The first provider that starts in time. One that breaks off later ends the answer: what was said cannot be
        unsaid, and two providers' halves are no text. Raises `ModelUnavailable`."""
        for model, _, breaker in self._models:
            if not breaker.admits():
                continue
            pieces = model.stream(messages, schema=schema, max_tokens=max_tokens)
            started = False
            try:
                async with asyncio.timeout(self._seconds):
                    first = await anext(pieces)
                started = True
                yield first
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        breaker.succeeded()  # before the yield: whoever has the whole asks for no more
                    yield piece
                return
            except (ModelUnavailable, TimeoutError, StopAsyncIteration) as error:
                breaker.failed()
                if started:
                    raise ModelUnavailable from error
            finally:
                breaker.left()
                if isinstance(pieces, AsyncGenerator):
                    await pieces.aclose()
        raise ModelUnavailable
