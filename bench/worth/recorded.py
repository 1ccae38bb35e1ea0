"""A slow model's replies kept in a file: asked once, read as often as the checks of its readings change."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.ports import ChatModel, Completion, Message
from pipeline.types import Usage


class RecordedModel:
    """`ChatModel`. A message in its thread has one reply; what came too late stays so. Streams are not kept."""

    def __init__(self, inner: ChatModel, file: Path) -> None:
        self._inner = inner
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
        self._kept: dict[str, dict[str, Any]] = {row["key"]: row for row in map(json.loads, lines)}

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        """Raises `TimeoutError` for a reply that was too late when it was recorded."""
        key = _key(messages)
        if (row := self._kept.get(key)) is None:
            try:
                reply = await self._inner.complete(messages, schema=schema, max_tokens=max_tokens)
            except asyncio.CancelledError:  # the reader's time is up
                self._keep({"key": key, "text": None})
                raise
            usage = [reply.usage.prompt_tokens, reply.usage.completion_tokens]
            row = self._keep({"key": key, "text": reply.text, "usage": usage})
        if row["text"] is None:
            raise TimeoutError
        return Completion(row["text"], Usage(self.name, *row["usage"]))

    def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        return self._inner.stream(messages, schema=schema, max_tokens=max_tokens)

    def _keep(self, row: dict[str, Any]) -> dict[str, Any]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._kept[row["key"]] = row
        return row


def _key(messages: Sequence[Message]) -> str:
    """Of the message and those before it; what the offline reader made of it may have changed since."""
    seen = json.loads(messages[-1].content)
    said = [*seen["messages_precedents"], seen["message"]]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]
