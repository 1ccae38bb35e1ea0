"""A program's question: one answer at a time in a thread, made to its end whoever leaves, stored before it is given."""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from bot.api import cards
from bot.api.access import WRONG_KEY
from bot.api.parts import Api
from bot.api.problems import Problem
from bot.api.shapes import AskRequest
from bot.conversations import direct, reply
from bot.errors import StoreUnavailable, reference_of
from bot.ports import PROGRAM_PLACE
from bot.store import answers, keys, threads
from bot.store.inbox import Inbound
from bot.store.keys import Key
from pipeline.ports import Step

log = structlog.get_logger()

AT_ONCE, MOST_AT_ONCE = 4, 16
"""Answers that a key may await, and all keys together."""
QUIET_SECONDS: Final = 15.0
"""After so long without news a reader is told that somebody still works."""
NO_THREAD: Final = "Cette clé n'a pas de fil de ce nom : reprenez celui d'une de ses réponses, ou n'en donnez pas."
NO_TEXT: Final = "Il n'y a pas de question dans ce texte."
FULL: Final = "Cette clé attend déjà {count} réponses : attendez-en une."
ALL_FULL: Final = "Trop de réponses sont en cours : réessayez dans un instant."


@dataclass(slots=True)
class News:
    """What may be told while an answer is being made. Who reads slowly misses the sections that others overtook."""

    waiting: list[tuple[str, str]] = field(default_factory=list)
    _come: asyncio.Event = field(default_factory=asyncio.Event)

    def step(self, step: Step) -> None:
        self._put(("step", step.said))

    def section(self, text: str) -> None:
        self._put(("section", text))

    def _put(self, event: tuple[str, str]) -> None:
        if self.waiting and self.waiting[-1][0] == event[0] == "section":
            self.waiting.pop()
        self.waiting.append(event)
        self._come.set()

    async def until(self, task: asyncio.Task[Any]) -> AsyncIterator[tuple[str, str] | None]:
        """Each as it comes, until the task is done; None after a while without any."""
        while self.waiting or not task.done():
            if self.waiting:
                yield self.waiting.pop(0)
                continue
            self._come.clear()
            coming = asyncio.ensure_future(self._come.wait())
            await asyncio.wait({task, coming}, timeout=QUIET_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            quiet = not task.done() and not coming.done()
            coming.cancel()
            if quiet:
                yield None


@dataclass(frozen=True, slots=True)
class UnderWay:
    """An answer that is being made: it ends and is stored, whether or not somebody still waits for it."""

    key: Key
    message: Inbound
    news: News
    task: asyncio.Task[dict[str, Any]]


class Asking:
    """The same answer as Slack's reply: its memory, rights, checks and budgets."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._under_way: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[dict[str, Any]]] = set()

    async def begin(self, key: Key, asked: AskRequest) -> UnderWay:
        """Raises `Problem` for what is not answered at all."""
        text, channel = asked.text.replace("\x00", "").strip(), key.place
        if not text:
            raise Problem(400, NO_TEXT)
        if asked.thread is not None:
            known = {"team_id": key.team_id, "thread_key": f"{channel}:{asked.thread}"}
            if not await self.api.database.read(lambda c: threads.knows(c, **known)):
                raise Problem(404, NO_THREAD)
        if self._under_way[key.key_id] >= AT_ONCE:
            raise Problem(429, FULL.format(count=AT_ONCE), retry_after=2)
        if len(self._tasks) >= MOST_AT_ONCE:
            raise Problem(503, ALL_FULL, retry_after=2)
        thread = asked.thread or secrets.token_hex(8)
        message = direct.message_of(text, thread, by=key.visitor, channel=channel, channel_type=PROGRAM_PLACE)
        news = News()
        task = asyncio.create_task(self._in_turn(key, message, news))
        self._under_way[key.key_id] += 1
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(key, done))
        return UnderWay(key, message, news, task)

    async def left(self, under_way: UnderWay) -> None:
        """Nobody waits for it any more: the answer ends all the same and is stored in its thread, and the audit says
        so."""
        message = under_way.message
        log.info("api_client_gone", answer_id=message.answer_id, answer="stored")
        with contextlib.suppress(StoreUnavailable):
            await self.api.database.write(lambda c: keys.used(c, under_way.key, what="left", subject=message.answer_id))

    async def aclose(self, *, seconds: float = 20.0) -> None:
        """What is being made is waited for; then it is given up."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, key: Key, task: asyncio.Task[dict[str, Any]]) -> None:
        self._under_way[key.key_id] -= 1
        self._under_way += Counter()  # forgets who waits for nothing
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen, also where nobody waits for it

    async def _in_turn(self, key: Key, message: Inbound, news: News) -> dict[str, Any]:
        turn = self._turns.setdefault(f"{message.team_id}:{message.thread_key}", asyncio.Lock())
        async with turn:
            return await self._answer(key, message, news)

    async def _answer(self, key: Key, message: Inbound, news: News) -> dict[str, Any]:
        api, answer_id, told = self.api, message.answer_id, False
        if not await api.database.write(lambda c: keys.used(c, key, what="ask", subject=answer_id)):
            raise Problem(401, WRONG_KEY)
        try:
            answer = await direct.answered(
                message,
                database=api.database,
                deps=await api.deps_of(key.team_id),
                budgets=api.budgets,
                readers=api.readers,
                report=news.step,
                show=news.section,
                asker_email=key.adviser,
            )
            shown = await cards.shown(api, key, answer.actions, words=message.text)
            told = True
        finally:
            with contextlib.suppress(StoreUnavailable):
                await api.database.write(lambda c: answers.shown(c, answer_id, failed=not told))
        log.info("answered", answer_id=answer_id, mode=answer.route.mode, intent=answer.route.intent, by=key.key_id)
        more = {"thread": message.thread_ts, "reference": reference_of(answer_id), "cards": shown.as_json()}
        return {**reply.as_json(message.text, answer), **more}
