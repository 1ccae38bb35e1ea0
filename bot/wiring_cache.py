"""The cache of answers: Settings -> for how long, and what an answer depends on besides its question."""

import asyncio
import hashlib
from pathlib import Path
from typing import Final

from bot.conversations.answer_cache import Caching
from bot.settings import Settings

ROOT: Final = Path(__file__).parents[1]
MAKING: Final = ("pipeline", "corpus")
KINDS: Final = frozenset({".py", ".md", ".toml", ".json", ".jsonl", ".tsv", ".txt"})
"""What code, prompts, rules and records are written in."""
HEAVY: Final = frozenset({".npz", ".gz"})
"""Vectors, weights and lists: known by their size."""
ELSEWHERE: Final = frozenset({
    "database_url", "var_dir", "host", "port", "health_port", "api_port", "api_per_minute", "log_level", "executor_id",
    "job_days", "retention_days", "cache_minutes", "tool_cache_seconds", "otel_service_name", "otel_texts",
})  # fmt: skip
"""Settings that no answer depends on; every other one changes what an answer is kept by, secrets aside."""


async def build_cache(settings: Settings) -> Caching | None:
    """None where CACHE_MINUTES is 0."""
    if not settings.cache_minutes:
        return None
    version = hashlib.sha256(f"{await asyncio.to_thread(_code)}{_settings(settings)}".encode()).hexdigest()
    secret = hashlib.sha256(settings.text_keys[0].encode() if settings.text_keys else b"").digest()
    return Caching(settings.cache_minutes, version, secret)


def _settings(settings: Settings) -> str:
    return settings.model_dump_json(exclude=set(ELSEWHERE))  # a secret is written as whether it is set


def _code() -> str:
    """Of all that makes an answer: another release answers anew."""
    found = hashlib.sha256()
    for path in sorted(path for part in MAKING for path in (ROOT / part).rglob("*") if path.suffix in KINDS | HEAVY):
        held = str(path.stat().st_size).encode() if path.suffix in HEAVY else path.read_bytes()
        found.update(f"{path.relative_to(ROOT)}\0".encode() + held)
    return found.hexdigest()
