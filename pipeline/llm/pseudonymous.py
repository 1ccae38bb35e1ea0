"""A chat model that never learns who the clients are: their names, birth dates and addresses leave as pseudonyms."""

import re
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pipeline.ports import ChatModel, Completion, Message
from pipeline.text.pseudonyms import Cover, known_in

_UNFINISHED: Final = re.compile(r"[\w-]*\Z")
"""The end of a piece that may be the beginning of a pseudonym."""


@dataclass(frozen=True, slots=True)
class Pseudonymous:
    """Any `ChatModel` behind pseudonyms: the same for all calls of one process, put right in what comes back."""

    model: ChatModel
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        cover, hidden = self._hidden(messages)
        said = await self.model.complete(hidden, schema=schema, max_tokens=max_tokens)
        return replace(said, text=cover.restored(said.text))

    async def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        cover, hidden = self._hidden(messages)
        waiting = ""
        async for piece in self.model.stream(hidden, schema=schema, max_tokens=max_tokens):
            if isinstance(piece, Completion):
                if waiting:
                    yield cover.restored(waiting)
                yield replace(piece, text=cover.restored(piece.text))
                return
            waiting += piece
            end = _UNFINISHED.search(waiting)
            whole = waiting[: end.start()] if end else waiting
            waiting = waiting[len(whole) :]
            yield cover.restored(whole)

    def _hidden(self, messages: Sequence[Message]) -> tuple[Cover, list[Message]]:
        """The rules are ours and name nobody; everything else may."""
        told = [message for message in messages if message.role != "system"]
        names = [name for message in told for name in message.persons]
        known = known_in([message.content for message in told], names)
        cover = Cover(self.secret)
        hidden = [
            message
            if message.role == "system"
            else replace(message, content=cover.hide(message.content, known), persons=())
            for message in messages
        ]
        return cover, hidden
