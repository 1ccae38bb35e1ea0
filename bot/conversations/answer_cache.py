"""The cache of answers: rows of one team, under what an answer depends on, texts sealed."""

import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

import structlog
from pydantic import TypeAdapter, ValidationError

from bot.conversations.record import record_of
from bot.errors import StoreUnavailable
from bot.ports import AnswerId
from bot.store import kept_answers
from bot.store.database import Database
from corpus.errors import IndexUnavailable
from corpus.ports import PassageIndex
from pipeline.ports import Recalled
from pipeline.types import Answer, Question

log = structlog.get_logger()

LOOK_SECONDS: Final = 10.0
"""How long it is believed that nothing was added to a tenant's documents."""


@dataclass(slots=True)
class Caching:
    """What answers are kept by, for a whole process: for how long, under which settings and code (`version`), named by
    hashes that nobody guesses without the `secret`. Bound to a message before anything is kept: see `of`."""

    minutes: int
    version: str
    secret: bytes = field(repr=False)
    _seen: dict[str, tuple[float, str]] = field(default_factory=dict)

    def of(self, database: Database, index: PassageIndex, *, team_id: str, answer_id: AnswerId) -> "TeamCache":
        return TeamCache(self, database, index, team_id, answer_id)

    async def find(self, _question: Question, _said: str) -> Recalled | None:
        """Of no team: nothing."""
        return None

    async def keep(self, _question: Question, _said: str, _answer: Answer, *, at_most: float) -> None:
        """Of no team: nothing."""

    async def held(self, index: PassageIndex, tenant: str) -> str:
        """What the tenant's documents are now, as a hash; "" for none. Raises `IndexUnavailable`."""
        looked, known = self._seen.get(tenant, (0.0, ""))
        if not looked or time.monotonic() - looked > LOOK_SECONDS:
            digests = sorted((await index.digests(tenant=tenant)).items())
            known = hashlib.sha256(json.dumps(digests).encode()).hexdigest() if digests else ""
            self._seen[tenant] = (time.monotonic(), known)
        return known


@dataclass(frozen=True, slots=True)
class TeamCache:
    """`AnswerCache` of one team, for one message. What fails is told to the log and costs an answer nothing."""

    caching: Caching
    database: Database
    index: PassageIndex
    team_id: str
    answer_id: AnswerId

    async def find(self, question: Question, said: str) -> Recalled | None:
        try:
            key, now = await self._key(question, said), question.asked_at.isoformat()
            row = await self.database.read(lambda c: kept_answers.get(c, key, team_id=self.team_id, now=now))
            if row is None:
                return None
            return Recalled(_shape().validate_python(row["content"]), datetime.fromisoformat(row["made_at"]))
        except (StoreUnavailable, IndexUnavailable, ValidationError) as error:
            log.warning("cache_failed", error=type(error).__name__)
            return None

    async def keep(self, question: Question, said: str, answer: Answer, *, at_most: float) -> None:
        content: Any = _shape().dump_python(answer, mode="json")
        if not _is_the_same(content, answer):
            return
        seconds = min(at_most, 60.0 * self.caching.minutes)
        row = {
            "team_id": self.team_id,
            "answer_id": self.answer_id,
            "made_at": question.asked_at.isoformat(),
            "expires_at": (question.asked_at + timedelta(seconds=seconds)).isoformat(),
            "content": content,
        }
        try:
            key, now = await self._key(question, said), row["made_at"]
            await self.database.write(lambda c: kept_answers.put(c, key=key, now=now, **row))
        except (StoreUnavailable, IndexUnavailable) as error:
            log.warning("cache_failed", error=type(error).__name__)

    async def _key(self, question: Question, said: str) -> str:
        """Whoever may read another set of texts, or what has been added to since, has another key."""
        held = [await self.caching.held(self.index, tenant) for tenant in question.tenants]
        audience = sorted(question.audience) if any(held[1:]) else []
        parts = [self.team_id, list(question.tenants), held, audience, self.caching.version]
        told = json.dumps([*parts, said], ensure_ascii=False).encode("utf-8", "surrogatepass")
        return hmac.new(self.caching.secret, told, "sha256").hexdigest()


def _is_the_same(content: Any, answer: Answer) -> bool:
    """Whether what is kept says, cites and records what the answer did."""
    back = _shape().validate_python(content)
    return (back.text, back.remarks, record_of(back)) == (answer.text, answer.remarks, record_of(answer))


@cache
def _shape() -> TypeAdapter[Answer]:
    return TypeAdapter(Answer)
