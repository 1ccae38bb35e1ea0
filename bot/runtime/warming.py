"""What the first answer would load is loaded before it is asked for, once the bot has connected."""

import asyncio
from dataclasses import replace

import structlog

from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT
from pipeline.answer import answer
from pipeline.metering.telemetry import SILENT
from pipeline.ports import Deps
from pipeline.steps import quietly
from pipeline.types import Question

log = structlog.get_logger()

QUESTIONS = ("le Pinel est-il encore ouvert à Toulon ?", "quel rendement pour un T2 en LMNP ?")


async def warm(deps: Deps) -> None:
    """Answers a few questions for nobody: without tools and models, so that nothing leaves the process."""
    alone = replace(
        deps, tools={}, writer=deps.fallback, model_reader=None, judge=None, reranker=None, crm=None, telemetry=SILENT
    )
    began = asyncio.get_running_loop().time()
    for text in QUESTIONS:
        question = Question(
            text=text,
            asked_by="",
            asked_at=deps.now(),
            history=(),
            audience=frozenset({PUBLIC_AUDIENCE}),
            tenants=(SHARED_TENANT,),
        )
        await answer(question, deps=alone, report=quietly)
    log.info("warm", seconds=round(asyncio.get_running_loop().time() - began, 3))
