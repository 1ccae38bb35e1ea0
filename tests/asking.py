"""What the offline reader and the planner make of a message, after others of its thread."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from corpus.places import Gazetteer, load_gazetteer
from corpus.ports import Vector
from pipeline.planning.asking_back import unreadable
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.thread_state import ThreadState
from pipeline.types import Question, Route
from pipeline.understanding.offline.reader import OfflineReader
from pipeline.understanding.thread.dialogue import Task, remembered
from tests.kept_vectors import kept_vectors

SUNDAY = datetime(2026, 11, 22, 15, 0, tzinfo=ZoneInfo("Europe/Paris"))


@cache
def places() -> Gazetteer:
    return load_gazetteer()


@cache
def reader() -> OfflineReader:
    return OfflineReader(kept_vectors(), places=places())


def vector_of(text: str) -> Vector:
    """As the reader has it; in a thread of its own, for a loop may run here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(kept_vectors().queries([text]))[0]).result()


def ask(text: str, *, before: Sequence[str] = (), deal_id: str | None = None, crm: bool = True) -> Route:
    """The route of the last message of a thread."""
    return in_thread(*before, text, deal_id=deal_id, crm=crm)[-1][1]


def in_thread(*messages: str, deal_id: str | None = None, crm: bool = True) -> list[tuple[Task | None, Route]]:
    """Task and route of each message; nothing is looked up or computed in between."""
    state, told = ThreadState(), []
    for text in messages:
        task, route = said_in(state, text, deal_id=deal_id, crm=crm)
        told.append((task, route))
        state = remembered(state, task) if task is not None else state
    return told


def said_in(
    state: ThreadState, text: str, *, deal_id: str | None = None, crm: bool = True
) -> tuple[Task | None, Route]:
    """Task and route of one message in a thread of this state."""
    question = Question(text=text, asked_by="U1", asked_at=SUNDAY, deal_id=deal_id)
    if (back := unreadable(question)) is not None:
        return None, back
    task = task_of(asyncio.run(reader().read(question, state)), state)
    return task, plan(task, Setting(question, state, places(), crm_available=crm))
