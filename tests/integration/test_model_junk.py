"""Replies of the right shape and of no sense, by the hundred: the scores of the offline reader stay what they are."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from bench.training.marked import unmarked
from bench.worth.model import MESSAGES
from bench.worth.model_answers import ASKED_AT
from bench.worth.understanding_scores import Outcome, Tally, scored
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.reading import ACTS, INTENTS, ROLES, Reading
from pipeline.schemes import schemes
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding import cues
from pipeline.understanding.model.checks import Basis, checked
from pipeline.understanding.model.schema import HOMES, KINDS_OF_WRITE, VIEWS, Reply
from pipeline.understanding.thread.dialogue import resolve
from tests.asking import places, reader

ROUNDS = 15
Junk = Callable[[Reading, random.Random], dict[str, Any]]


def _words(text: str, chance: random.Random, most: int) -> str:
    words = text.split()
    start = chance.randrange(len(words))
    return " ".join(words[start : start + chance.randint(1, most)])


def _intents(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "confidence": 0.95} for name in names]


def anything(draft: Reading, chance: random.Random) -> dict[str, Any]:
    """What a grammar lets through: any word of each vocabulary, pieces of the message for texts."""
    write = {name: _words(draft.text, chance, 4) for name in ("body", "date", "value", "deal")}
    return {
        "intents": _intents(*chance.choices(INTENTS, k=chance.randint(1, 4))),
        "act": chance.choice(ACTS),
        "query": _words(draft.text, chance, 6),
        "quantities": [{"text": q.text, "role": chance.choice(ROLES)} for q in draft.quantities],
        "schemes": chance.sample(list(schemes()), 2),
        "home": chance.choice(HOMES),
        "options": chance.sample(list(cues.patterns("options")), 2),
        "deals": [write["deal"]] * chance.randint(0, 1),
        "writes": [{"kind": chance.choice(list(KINDS_OF_WRITE)), **write}] * chance.randint(0, 1),
        "crm_view": chance.choice(VIEWS),
    }


def echo(draft: Reading, chance: random.Random) -> dict[str, Any]:
    """As small models do: the first reading said again, writes that nobody asked for, roles at random."""
    more = chance.choices(("crm_write_task", "crm_write_note", "crm_read", "rules"), k=2)
    roles = [chance.choice((q.role, "other", *ROLES)) for q in draft.quantities]
    return {
        "intents": _intents(*draft.names, *more),
        "query": draft.text,
        "quantities": [{"text": q.text, "role": role} for q, role in zip(draft.quantities, roles, strict=True)],
        "writes": [{"kind": "task", "body": _words(draft.text, chance, 4)}],
    }


def copy(draft: Reading, chance: random.Random) -> dict[str, Any]:
    """Another intent, and the message itself for a search, its numbers for nothing and its towns for its towns."""
    return {
        "intents": _intents(chance.choice(INTENTS)),
        "query": draft.text,
        "quantities": [{"text": q.text, "role": "other"} for q in draft.quantities],
        "communes": [place.text for place in draft.places],
    }


@pytest.mark.parametrize("junk", [anything, echo, copy])
async def test_junk_does_not_lower_the_scores(junk: Junk) -> None:
    """A fiftieth of the replies may do harm: they say something that the message might mean."""
    chance = random.Random(8)
    offline, state, used, worse = reader(), ThreadState(), 0, 0
    for line in MESSAGES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        question = Question(text=unmarked(row["text"])[0], asked_by="U1", asked_at=ASKED_AT)
        draft = await offline.read(question, state)
        before = _right(row, draft, question)
        for _ in range(ROUNDS):
            said = Reply.model_validate_json(json.dumps(junk(draft, chance)))
            reading, _ = checked(said, Basis(draft, state, places(), ASKED_AT))
            used += reading is not None
            worse += before and reading is not None and not _right(row, reading, question)
    assert worse <= 0.02 * 20 * ROUNDS, f"{worse} of {20 * ROUNDS} replies did harm, {used} were used"


def _right(row: dict[str, Any], reading: Reading, question: Question) -> bool:
    """All that was asked of the message, and nothing beside it."""
    task, tally = resolve(reading, ThreadState()), Tally()
    route = plan(task, Setting(question, ThreadState(), places()))
    marks = unmarked(row["text"])[1]
    outcome = Outcome(row, reading.text, marks, ThreadState(), reading, task.frame, route)
    return scored(outcome, tally, places(), thread=False) and not tally.extra["writes"]
