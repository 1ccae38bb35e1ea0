"""The reader that asks a language model, in one call, and believes only what code can check; whatever goes wrong, the
offline reading stands."""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import structlog
from pydantic import ValidationError

from corpus.places import Gazetteer
from pipeline.errors import ModelUnavailable
from pipeline.metering.breaker import FAILURES, Breaker
from pipeline.ports import ChatModel, ModelReading
from pipeline.reading import SURE_UNSAFE, Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question, Usage
from pipeline.understanding.model.checks import Basis, checked
from pipeline.understanding.model.schema import Reply, json_schema
from pipeline.understanding.model.view import messages_for
from pipeline.understanding.own_words import says_something

log = structlog.get_logger()

SECONDS: Final = 6.0
"""Until the offline reading is taken: the search for it runs meanwhile."""
REPLY_TOKENS: Final = 700
LONGEST_REPLY: Final = 20_000
SURE_TALK: Final = 0.8
THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
FENCE: Final = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)

Outcome = Literal["used", "rejected", "invalid", "late", "unavailable", "resting"]


@dataclass(frozen=True, slots=True)
class Attempt(ModelReading):
    """`reading` is the draft itself unless the outcome is `used`; `stood`, `fell`: what of the reply did and did not
    stand up to the checks."""

    outcome: Outcome = "used"
    stood: tuple[str, ...] = ()
    fell: tuple[str, ...] = ()


class ModelReader:
    """Reads over any `ChatModel`. `seconds`: for the whole call. After `most` useless replies in a row it rests."""

    def __init__(
        self,
        model: ChatModel,
        *,
        places: Gazetteer,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
        most: int = FAILURES,
    ) -> None:
        self._model = model
        self._places = places
        self._seconds = seconds
        self._breaker = Breaker(clock, most=most)

    @property
    def name(self) -> str:
        return self._model.name

    def worth_asking(self, draft: Reading) -> bool:
        """Not for what is surely talk, nor for what the offline reader refuses: a model may not turn that off."""
        refused = draft.main == "unsafe" and draft.confidence >= SURE_UNSAFE
        if refused or not says_something(draft.text):
            return False
        talk = draft.main in ("smalltalk", "recall", "capabilities") and len(draft.intents) == 1
        bare = not (draft.quantities or draft.places or draft.schemes or draft.writes)
        return not (talk and bare and draft.confidence >= SURE_TALK)

    async def read(self, question: Question, state: ThreadState, *, draft: Reading) -> Attempt:
        """Never raises: a model that is late, down, wrong or absurd leaves the draft as it is."""
        if not self._breaker.admits():
            return Attempt(draft, Usage(model=""), "resting")
        try:
            read = await self._read(question, state, draft)
            if read.outcome == "used":
                self._breaker.succeeded()
            else:
                self._breaker.failed()
                log.info("model_reading_unused", outcome=read.outcome, fell=len(read.fell))
            return read
        finally:
            self._breaker.left()

    async def _read(self, question: Question, state: ThreadState, draft: Reading) -> Attempt:
        messages = messages_for(draft, state, asked_at=question.asked_at, places=self._places)
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._model.complete(messages, schema=json_schema(), max_tokens=REPLY_TOKENS)
        except TimeoutError:
            return Attempt(draft, Usage(model=""), "late")
        except ModelUnavailable:
            return Attempt(draft, Usage(model=""), "unavailable")
        reply = parsed(answer.text)
        if reply is None:
            return Attempt(draft, answer.usage, "invalid")
        reading, claims = checked(reply, Basis(draft, state, self._places, question.asked_at))
        outcome: Outcome = "rejected" if reading is None else "used"
        return Attempt(reading or draft, answer.usage, outcome, tuple(claims.stood), tuple(claims.fell))


def parsed(text: str) -> Reply | None:
    """The reply that is all of the text, but for thoughts before it and a fence around it; None for anything else."""
    if len(text) > LONGEST_REPLY:
        return None
    said = THINKING.sub("", text).strip()
    fenced = FENCE.match(said)
    try:
        return Reply.model_validate_json(fenced[1] if fenced else said)
    except ValidationError:
        return None
