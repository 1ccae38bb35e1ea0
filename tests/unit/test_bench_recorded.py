"""A slow model's replies, kept: asked once, and the same at the next measure."""

import asyncio
import json
from pathlib import Path

import pytest

from bench.worth.recorded import RecordedModel
from bench.worth.understanding import spread
from pipeline.llm.openai import Limits, OpenAIChatModel
from pipeline.ports import Message
from pipeline.understanding.model.schema import json_schema
from tests.loopback import served
from tests.scripted_openai import Log, application


def _asked(message: str, *, first: str = "rules") -> list[Message]:
    seen = {"messages_precedents": [], "premiere_lecture": {"intents": [first]}, "message": message}
    return [Message("system", "x"), Message("user", json.dumps(seen))]


async def test_a_reply_is_asked_for_once_also_by_the_next_process(tmp_path: Path) -> None:
    """Whatever the offline reader makes of the message meanwhile; another message is asked."""
    log = Log(reads='{"intents": []}')
    with served(application(log)) as address:
        inner = OpenAIChatModel("scripted", api_key="x", base_url=f"{address}/v1", retries=0)
        texts = []
        for first in ("rules", "prices"):
            model = RecordedModel(inner, tmp_path / "replies.jsonl")
            texts += [
                (await model.complete(_asked("prix à Metz", first=first), schema=json_schema(), max_tokens=9)).text
            ]
        assert texts == ['{"intents": []}'] * 2
        assert len(log.requests) == 1
        await model.complete(_asked("loyers à Metz"), schema=json_schema(), max_tokens=9)
        assert len(log.requests) == 2
        await inner.aclose()


async def test_a_late_reply_stays_late(tmp_path: Path) -> None:
    """Nobody waits for it again."""
    with served(application()) as address:
        inner = OpenAIChatModel("hang", api_key="x", base_url=f"{address}/v1", limits=Limits(), retries=0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await RecordedModel(inner, tmp_path / "r.jsonl").complete(
                    _asked("a"), schema=json_schema(), max_tokens=9
                )
        again = RecordedModel(inner, tmp_path / "r.jsonl")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(again.complete(_asked("a"), schema=json_schema(), max_tokens=9), 60)
        await inner.aclose()


def test_a_sample_is_spread_over_the_file() -> None:
    """Not its beginning, where one subject may stand; the same rows each time."""
    rows = [{"n": n} for n in range(300)]
    assert [row["n"] for row in spread(rows, 4)] == [0, 75, 150, 225]
    assert len(spread(rows, 60)) == 60
    assert list(spread(rows, None)) == list(spread(rows, 500)) == rows
