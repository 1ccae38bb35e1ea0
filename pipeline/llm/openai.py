"""`ChatModel` over any OpenAI-compatible provider, in the subset of the API that all of them have.

Measured against openai 3.5x: read timeout is 600 s unless set, and broken streams surface as bare httpx2 errors.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pipeline.errors import ModelUnavailable
from pipeline.llm.dialect import MOST_LESSONS, Dialect
from pipeline.llm.thinking import ThoughtFilter, without_thoughts
from pipeline.metering.costs import Price, estimated_tokens
from pipeline.ports import Completion, Message
from pipeline.types import Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI: Final = "https://api.openai.com/v1"
ENDED_EARLY: Final = frozenset({"length", "content_filter"})
LONGEST_REPLY: Final = 60_000
"""Characters, thoughts included: a model that goes round in circles is not listened to any longer."""


@cache
def _broken() -> tuple[type[Exception], ...]:
    """What a failing provider raises. The client is imported at the first call: it takes a second and 35 MB."""
    import httpx2
    from openai import OpenAIError

    return (OpenAIError, httpx2.HTTPError, TimeoutError, json.JSONDecodeError)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: to connect, between two pieces of an answer, for the whole call."""

    connect: float = 5.0
    read: float = 20.0
    total: float = 45.0


class OpenAIChatModel:
    """One model of one provider. `price`: of a million tokens, None where it is not known; `effort`: sent as
    `reasoning_effort` where it is set."""

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str | None = None,
        limits: Limits | None = None,
        retries: int = 1,
        price: Price | None = None,
        effort: str = "",
    ) -> None:
        self._model = model
        self._api_key = api_key
        self._base_url = base_url or OPENAI
        self._limits = limits or Limits()
        self._retries = retries
        self._price = price
        self._client: AsyncOpenAI | None = None
        self._dialect = Dialect(effort)

    @property
    def name(self) -> str:
        return self._model

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        """Raises `ModelUnavailable`: unreachable, too slow, refused, or an empty answer."""
        try:
            async with asyncio.timeout(self._limits.total):
                said = await self._completed(messages, schema, max_tokens)
                if not said.text and said.cut and not self._dialect.thinks:
                    self._dialect.thinks = True  # it spent all its output on thoughts
                    said = await self._completed(messages, schema, max_tokens)
        except _broken() as error:
            raise ModelUnavailable from error
        if not said.text:
            raise ModelUnavailable
        return said

    async def _completed(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int
    ) -> Completion:
        answer = await self._create(messages, schema=schema, max_tokens=max_tokens, stream=False)
        choices = getattr(answer, "choices", None)  # a page of HTML comes back as a plain string
        if not choices:
            raise ModelUnavailable
        whole = choices[0].message.content or ""
        text = without_thoughts(whole).strip()
        self._dialect.thinks |= text != whole.strip() and len(text) < len(whole) / 2
        usage = self._usage(answer.usage, messages, whole)
        return Completion(text, usage, cut=choices[0].finish_reason in ENDED_EARLY)

    async def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        """Pieces of text, then the whole as one `Completion`. Raises `ModelUnavailable`."""
        deadline = asyncio.get_running_loop().time() + self._limits.total
        for room in (False, True):
            ending = None
            async for piece in self._streamed(messages, schema, max_tokens, deadline):
                if isinstance(piece, Completion):
                    ending = piece
                else:
                    yield piece
            if ending is not None and ending.text:
                yield ending
                return
            if room or ending is None or not ending.cut or self._dialect.thinks:
                break
            self._dialect.thinks = True  # it spent all its output on thoughts
        raise ModelUnavailable

    async def _streamed(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, deadline: float
    ) -> AsyncIterator[str | Completion]:
        thoughts, told, said, shown, reason = ThoughtFilter(), None, "", "", None
        chunks = None
        try:
            # The limit is set anew for each piece: one that spanned a `yield` would cancel whoever reads us.
            async with asyncio.timeout_at(deadline):
                chunks = await self._create(messages, schema=schema, max_tokens=max_tokens, stream=True)
            while True:
                async with asyncio.timeout_at(deadline):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                told = chunk.usage or told
                piece = (chunk.choices[0].delta.content or "") if chunk.choices else ""
                reason = next((choice.finish_reason for choice in chunk.choices if choice.finish_reason), reason)
                said += piece
                visible = thoughts.feed(piece)
                shown += visible
                if chunk.choices:
                    yield visible
                if len(said) > LONGEST_REPLY:
                    reason = "length"
                    break
        except _broken() as error:
            raise ModelUnavailable from error
        finally:
            if chunks is not None:
                await chunks.close()
        if reason is None:  # a dropped connection looks like the end of a stream, but for its finish reason
            raise ModelUnavailable
        rest = thoughts.end()
        if rest:
            yield rest
        text = without_thoughts(shown + rest).strip()
        yield Completion(text, self._usage(told, messages, said), cut=reason in ENDED_EARLY)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _create(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None, max_tokens: int, stream: bool
    ) -> Any:
        """Asks again, leaving out what the provider just refused; `MOST_LESSONS` at most."""
        from openai import BadRequestError, UnprocessableEntityError

        for _ in range(MOST_LESSONS):
            request = self._dialect.request(self._model, messages, schema=schema, max_tokens=max_tokens, stream=stream)
            try:
                return await self._connected().chat.completions.create(**request)
            except (BadRequestError, UnprocessableEntityError) as error:
                if not self._dialect.learn(str(error), request):
                    raise
        raise ModelUnavailable

    def _connected(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, Timeout

        if self._client is None:
            timeout = Timeout(self._limits.read, connect=self._limits.connect)
            self._client = AsyncOpenAI(
                api_key=self._api_key, base_url=self._base_url, timeout=timeout, max_retries=self._retries
            )
        return self._client

    def _usage(self, told: Any, messages: Sequence[Message], said: str) -> Usage:
        """What the provider counted; estimated where it counts nothing, so that a budget holds all the same."""
        asked = getattr(told, "prompt_tokens", 0) or estimated_tokens("".join(m.content for m in messages))
        answered = getattr(told, "completion_tokens", 0) or estimated_tokens(said)
        details = getattr(told, "completion_tokens_details", None)
        self._dialect.thinks |= bool(getattr(details, "reasoning_tokens", 0))
        return Usage(self._model, asked, answered, self._price.of(asked, answered) if self._price else None)
