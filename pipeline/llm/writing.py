"""A writer over a language model: it declares claims, code makes prose of them; streamed, with a limit on silence."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Final

from pipeline.errors import ModelUnavailable
from pipeline.llm.claims import (
    ANSWER,
    REWRITE,
    looks_like_json,
    read_answer,
    read_claim,
    read_object,
    written,
)
from pipeline.llm.view import messages_for
from pipeline.ports import ChatModel, Completion, Message
from pipeline.section_names import IN_SHORT
from pipeline.text.drafts import finished, key, mended
from pipeline.types import Brief, Claim, Draft, Usage

FIRST_SECONDS: Final = 60.0
"""Until the first piece: a cascade may have to try several providers."""
STALL_SECONDS: Final = 20.0
ANSWER_TOKENS: Final = 2_400
"""Of claims with their sources and quotes: about twice the prose."""
DEEPER_TOKENS: Final = 3_600
_FENCED: Final = re.compile(r"\s*```(?:markdown|md)?\s*\n(.*?)\n?```\s*", re.DOTALL)


class ModelWriter:
    """`Writer` over any `ChatModel`. `nonce` fences this request's untrusted text and must be unguessable."""

    def __init__(
        self,
        model: ChatModel,
        *,
        stall: float = STALL_SECONDS,
        first: float = FIRST_SECONDS,
        nonce: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self._model = model
        self._stall = stall
        self._first = first
        self._nonce = nonce

    @property
    def name(self) -> str:
        return self._model.name

    async def write(self, brief: Brief) -> Draft:
        """The draft, or the brief's draft with its refused sentences put differently. Raises `ModelUnavailable`: no
        answer, or silent for longer than its limits."""
        messages = messages_for(brief, nonce=self._nonce())
        most = DEEPER_TOKENS if brief.route.intent == "deepen" else ANSWER_TOKENS
        if brief.draft is not None and brief.refused:
            said = await self._model.complete(messages, schema=REWRITE, max_tokens=most)
            return _rewritten(brief.draft, brief.refused, said)
        return _draft(await self._streamed(messages, brief, most), brief)

    async def _streamed(self, messages: list[Message], brief: Brief, most: int) -> Completion:
        """The whole reply; what is finished of it is told as it grows."""
        text, told, whole = "", 0, None
        pieces = self._model.stream(messages, schema=ANSWER, max_tokens=most)
        async for piece in _in_time(pieces, first=self._first, stall=self._stall):
            if isinstance(piece, Completion):
                whole = piece
                continue
            text += piece
            if brief.partial is not None and "}" in piece and (part := _finished_parts(text, brief, told)) is not None:
                told, draft = part
                brief.partial(draft)
        if whole is None:
            raise ModelUnavailable
        return whole


async def _in_time(
    pieces: AsyncIterator[str | Completion], *, first: float, stall: float
) -> AsyncIterator[str | Completion]:
    """The same pieces; silence for longer than allowed is `ModelUnavailable`."""
    allowed = first
    while True:
        try:
            async with asyncio.timeout(allowed):
                piece = await anext(pieces, None)
        except TimeoutError as error:
            raise ModelUnavailable from error
        if piece is None:
            return
        yield piece
        allowed = stall


def _finished_parts(text: str, brief: Brief, told: int) -> tuple[int, Draft] | None:
    """How many parts of a reply under way are finished (its opening, each section), and these as a draft; None when
    they are no more than those `told`."""
    found = read_object(text, partial=True)
    rows = found.get("sections") if found is not None else None
    if found is None or not isinstance(rows, list):
        return None
    parts = 1 + (len(rows) if "missing" in found else max(0, len(rows) - 1))
    if parts <= told:
        return None
    done = {"answer": found.get("answer"), "sections": rows[: parts - 1], "missing": []}
    said = read_answer(done, titles=brief.sections)
    return parts, Draft(written(said, opening=IN_SHORT), Usage(model=""), claims=said.claims)


def _draft(reply: Completion, brief: Brief) -> Draft:
    """A reply in JSON as prose; one in plain text as it is. What looks like JSON and is none of ours says nothing."""
    text = _unfenced(reply.text)
    if not looks_like_json(text):
        plain = finished(text) if reply.cut else text
        return Draft(plain, reply.usage, cut=reply.cut)
    found = read_object(text)
    whole = found is not None
    if found is None and (found := read_object(text, partial=True)) is None:
        return Draft("", reply.usage, cut=reply.cut)
    said = read_answer(found, titles=brief.sections, whole=whole)
    prose = written(said, opening=IN_SHORT)
    return Draft(prose, reply.usage, claims=said.claims, missing=said.missing, cut=reply.cut or not whole)


def _rewritten(draft: Draft, refused: Sequence[tuple[str, str]], reply: Completion) -> Draft:
    """The draft with what the reply puts in the place of its refused sentences; those it does not treat go."""
    new: dict[str, Claim | None] = {key(text): None for text, _ in refused}
    found = read_object(reply.text) or {}
    rows = found.get("sentences")
    for row in rows if isinstance(rows, list) else ():
        number = row.get("number") if isinstance(row, dict) else None
        if isinstance(number, int) and 0 < number <= len(refused):
            new[key(refused[number - 1][0])] = read_claim(row.get("claim"))
    return replace(mended(draft, new), usage=reply.usage)


def _unfenced(text: str) -> str:
    """Models like to wrap Markdown in a code fence."""
    found = _FENCED.fullmatch(text)
    return (found.group(1) if found else text).strip()
