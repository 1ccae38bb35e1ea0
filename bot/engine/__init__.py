"""The only package that names DBOS: durable jobs, one at a time per partition, resumed after a crash."""

from bot.engine.letters import Letter, Letters
from bot.engine.running import Engine
from bot.engine.steps import Job, Step

__all__ = ["Engine", "Job", "Letter", "Letters", "Step"]
