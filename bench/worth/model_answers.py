"""What a model's answers are worth over questions whose facts are known, beside the answers made of extracts."""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.ranking.measures import percentile
from bench.sandboxed import sandbox, settings_of
from bench.worth.gold_facts import Found, facts_found
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.errors import ModelUnavailable
from pipeline.grounding import GateFailed, ground
from pipeline.ports import Deps, Writer
from pipeline.types import Answer, Brief, Draft, Question, Turn
from pipeline.writing.drafting import MODEL_POORER

ASKED_AT: Final = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
POORER: Final = MODEL_POORER.split("(")[0]


@dataclass(slots=True)
class Observed:
    """`Writer`: the model's, with a count of what the gate does with the sentences of each first draft."""

    inner: Writer
    sentences: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return self.inner.name

    async def write(self, brief: Brief) -> Draft:
        self.sentences["drafts" if brief.draft is None else "rewrites"] += 1
        try:
            draft = await self.inner.write(brief)
        except ModelUnavailable:
            self.sentences["failed"] += 1
            raise
        if brief.draft is None:
            self._count(draft, brief)
        return draft

    def _count(self, draft: Draft, brief: Brief) -> None:
        try:
            passed = ground(draft, brief.evidence, question=brief.question.text)
        except GateFailed:
            self.sentences["refused_whole"] += 1
            return
        self.sentences["kept"] += len(passed.kept)
        self.sentences["replaced"] += len(passed.replaced)
        self.sentences["dropped"] += len(passed.dropped)
        reasons = (*(reason for _, reason in passed.dropped), *(reason for _, _, reason in passed.replaced))
        self.reasons.update(reason.split(" : ")[0] for reason in reasons)


@dataclass(frozen=True, slots=True)
class Told:
    """One turn answered both ways. `shown`: seconds until something of the model's answer could be read."""

    extracts: Answer
    model: Answer
    facts: tuple[Found, Found]
    shown: float


class Seen:
    """When something could first be read, in seconds from its making; 0 while nothing was."""

    def __init__(self) -> None:
        self._began, self.first = time.perf_counter(), 0.0

    def __call__(self, _: str) -> None:
        self.first = self.first or time.perf_counter() - self._began


async def measured_answers(settings: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`settings`: those of the model; `rows`: `{text, needed, forbidden}`, or threads of them under `turns`."""
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
        given = settings_of(str(http.base_url).rstrip("/"), Path(folder) / "bench")
        async with build_deps(given.model_copy(update=dict(settings))) as deps:
            observed = Observed(deps.writer)
            told = [one for row in rows for one in await _of_row(row, replace(deps, writer=observed))]
    return report_of(told, observed)


async def _of_row(row: Mapping[str, Any], deps: Deps) -> list[Told]:
    """The turns of a thread follow the extracts' memory, so that both ways answer the same questions."""
    alone = replace(deps, writer=deps.fallback, model_reader=None, judge=None)
    found: list[Told] = []
    history: tuple[Turn, ...] = ()
    memory: Mapping[str, Any] = {}
    for turn in row.get("turns") or (row,):
        question = Question(turn["text"], "U1", ASKED_AT, history=history, memory=memory)
        extracts = await answer(question, deps=alone, report=lambda _: None)
        seen = Seen()
        model = await answer(question, deps=deps, report=lambda _: None, show=seen)
        facts = (facts_found(turn, extracts), facts_found(turn, model))
        found.append(Told(extracts, model, facts, seen.first or model.seconds))
        memory = extracts.memory
        history = (*history, Turn("user", turn["text"]), Turn("assistant", extracts.text))
    return found


def report_of(told: Sequence[Told], observed: Observed) -> dict[str, Any]:
    """Shares in per cent; euros None where the model has no known price."""
    drafted = observed.sentences["kept"] + observed.sentences["replaced"] + observed.sentences["dropped"]
    written = [one for one in told if one.model.cost is not None and one.model.cost.prompt_tokens]
    costs = [one.model.cost.euros for one in written if one.model.cost is not None]
    priced = [euros for euros in costs if euros is not None]
    gave_way = Counter(gap for one in told for gap in one.model.degraded if gap.startswith(POORER))
    gains = Counter(_sign(one.facts[1].worth - one.facts[0].worth) for one in told)
    return {
        "turns": len(told),
        "drafts": observed.sentences["drafts"],
        "rewrites": observed.sentences["rewrites"],
        "failed": observed.sentences["failed"],
        "sentences": {name: observed.sentences[name] for name in ("kept", "replaced", "dropped")},
        "kept_percent": round(100 * observed.sentences["kept"] / drafted, 1) if drafted else None,
        "reasons": dict(observed.reasons.most_common(8)),
        "gave_way_to_extracts": dict(gave_way.most_common()),
        "against_extracts": {name: gains[name] for name in ("better", "same", "worse")},
        "extracts": _facts([one.facts[0] for one in told], [one.extracts.seconds for one in told]),
        "model": _facts([one.facts[1] for one in told], [one.model.seconds for one in told]),
        "seconds_until_something_shows_p50": round(percentile([one.shown for one in told], 0.5), 2) if told else None,
        "tokens_per_answer": _mean([one.model.cost.prompt_tokens for one in written if one.model.cost]),
        "tokens_said_per_answer": _mean([one.model.cost.completion_tokens for one in written if one.model.cost]),
        "euros_per_answer": sum(priced) / len(priced) if priced and len(priced) == len(costs) else None,
    }


def _facts(found: Sequence[Found], seconds: Sequence[float]) -> dict[str, Any]:
    needed = sum(one.needed for one in found)
    return {
        "needed_percent": round(100 * sum(one.found for one in found) / needed, 1) if needed else None,
        "forbidden": sum(one.forbidden for one in found),
        "seconds_p50": round(percentile(list(seconds), 0.5), 2) if seconds else None,
        "seconds_p95": round(percentile(list(seconds), 0.95), 2) if seconds else None,
    }


def _mean(counts: Sequence[int]) -> int | None:
    return round(sum(counts) / len(counts)) if counts else None


def _sign(gain: int) -> str:
    return "better" if gain > 0 else "worse" if gain < 0 else "same"


def read_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
