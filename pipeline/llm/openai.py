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
from pipeline.ports import Completion, Message
from pipeline.types import Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI: Final = "https://api.openai.com/v1"


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
    """One model of one provider. What the provider answers 400 or 422 to is remembered and not sent again."""

    def __init__(
        self, model: str, *, api_key: str, base_url: str | None = None, limits: Limits | None = None, retries: int = 1
    ) -> None:
        self._model = model
        self._api_key = api_key
        self._base_url = base_url or OPENAI
        self._limits = limits or Limits()
        self._retries = retries
        self._client: AsyncOpenAI | None = None
        self._refused: set[str] = set()

    @property
    def name(self) -> str:
        return self._model

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        """Raises `ModelUnavailable`: unreachable, too slow, refused, or an empty answer."""
        try:
            async with asyncio.timeout(self._limits.total):
                answer = await self._create(messages, schema=schema, max_tokens=max_tokens, stream=False)
        except _broken() as error:
            raise ModelUnavailable from error
        choices = getattr(answer, "choices", None)  # a page of HTML comes back as a plain string
        text = choices[0].message.content if choices else None
        if not text:
            raise ModelUnavailable
        return Completion(text, self._usage(answer.usage))

    async def stream(self, messages: Sequence[Message], *, max_tokens: int = 1200) -> AsyncIterator[str | Usage]:
        """Pieces of text, then one `Usage` (of zero tokens when the provider tells none). Raises `ModelUnavailable`."""
        usage, said, ended = Usage(self._model), False, False
        deadline = asyncio.get_running_loop().time() + self._limits.total
        chunks = None
        try:
            # The limit is set anew for each piece: one that spanned a `yield` would cancel whoever reads us.
            async with asyncio.timeout_at(deadline):
                chunks = await self._create(messages, schema=None, max_tokens=max_tokens, stream=True)
            while True:
                async with asyncio.timeout_at(deadline):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                usage = self._usage(chunk.usage) if chunk.usage else usage
                piece = chunk.choices[0].delta.content if chunk.choices else None
                ended = ended or any(choice.finish_reason for choice in chunk.choices)
                if piece:
                    said = True
                    yield piece
        except _broken() as error:
            raise ModelUnavailable from error
        finally:
            if chunks is not None:
                await chunks.close()
        if not (said and ended):  # a dropped connection looks like the end of a stream, but for its finish reason
            raise ModelUnavailable
        yield usage

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _create(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None, max_tokens: int, stream: bool
    ) -> Any:
        """Asks again, leaving out what the provider just refused; three such lessons at most."""
        from openai import BadRequestError, UnprocessableEntityError

        for _ in range(3):
            request = self._request(messages, schema=schema, max_tokens=max_tokens, stream=stream)
            try:
                return await self._connected().chat.completions.create(**request)
            except (BadRequestError, UnprocessableEntityError) as error:
                if not self._learn(str(error), request):
                    raise
        raise ModelUnavailable

    def _request(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None, max_tokens: int, stream: bool
    ) -> dict[str, Any]:
        said = [{"role": message.role, "content": message.content} for message in messages]
        request: dict[str, Any] = {"model": self._model, "messages": said}
        request["max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"] = max_tokens
        if "temperature" not in self._refused:
            request["temperature"] = 0.0
        if stream:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        if schema is not None and "json_schema" not in self._refused:
            named = {"name": "reply", "schema": dict(schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema is not None:
            wanted = f"Réponds par un seul objet JSON conforme à ce schéma : {json.dumps(schema, ensure_ascii=False)}"
            request["messages"] = [{"role": "system", "content": wanted}, *said]
            if "json_object" not in self._refused:
                request["response_format"] = {"type": "json_object"}
        return request

    def _learn(self, complaint: str, request: Mapping[str, Any]) -> bool:
        """Notes which part of the request the provider does not know; False when it is nothing of ours."""
        kind = request.get("response_format", {}).get("type")
        named = next((part for part in ("max_tokens", "temperature") if part in request and part in complaint), None)
        part = named or kind
        if part is None or part in self._refused:
            return False
        self._refused.add(part)
        return True

    def _connected(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, Timeout

        if self._client is None:
            timeout = Timeout(self._limits.read, connect=self._limits.connect)
            self._client = AsyncOpenAI(
                api_key=self._api_key, base_url=self._base_url, timeout=timeout, max_retries=self._retries
            )
        return self._client

    def _usage(self, told: Any) -> Usage:
        if told is None:
            return Usage(self._model)
        return Usage(self._model, told.prompt_tokens or 0, told.completion_tokens or 0)
