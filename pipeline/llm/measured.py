"""A chat model whose calls are told of: model, tokens, euros, outcome; what was said only where texts are wanted."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pipeline.errors import ModelUnavailable
from pipeline.metering.telemetry import Telemetry, Tell, Told, as_messages
from pipeline.ports import ChatModel, Completion, Message


@dataclass(frozen=True, slots=True)
class Measured:
    """Any `ChatModel` at the address it is asked at, behind the pseudonyms. `job`: write, read or judge."""

    model: ChatModel
    telemetry: Telemetry
    job: str
    base_url: str | None = None

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        with self.telemetry.call("model", self.name, **self._asked(messages, schema, max_tokens)) as tell:
            try:
                said = await self.model.complete(messages, schema=schema, max_tokens=max_tokens)
            except ModelUnavailable:
                tell(outcome="unavailable")
                raise
            self._answered(tell, said)
            return said

    async def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        pieces = self.model.stream(messages, schema=schema, max_tokens=max_tokens)
        with self.telemetry.call("model", self.name, **self._asked(messages, schema, max_tokens)) as tell:
            try:
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        self._answered(tell, piece)
                    yield piece
            except ModelUnavailable:
                tell(outcome="unavailable")
                raise
            finally:
                if isinstance(pieces, AsyncGenerator):
                    await pieces.aclose()

    def _asked(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int
    ) -> Mapping[str, Told]:
        host = urlsplit(self.base_url or "https://api.openai.com").hostname or ""
        told: dict[str, Told] = {"job": self.job, "host": host, "max_tokens": max_tokens}
        if schema is not None:
            told["output"] = "json"
        if self.telemetry.texts:
            told["asked"] = as_messages((m.role, m.content) for m in messages)
        return told

    def _answered(self, tell: Tell, said: Completion) -> None:
        used = said.usage
        tell(outcome="cut" if said.cut else "ok", tokens_in=used.prompt_tokens, tokens_out=used.completion_tokens)
        if used.euros is not None:
            tell(euros=used.euros)
        if self.telemetry.texts:
            tell(said=as_messages([("assistant", said.text)]))
