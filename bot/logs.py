"""JSON log lines with secrets and personal data taken out before anything is written."""

import logging
import re
import sys
import threading
from collections.abc import Mapping
from typing import Any

import structlog

from pipeline.text.masking import mask

SECRET = re.compile(
    r"xox[a-z]-[\w-]+|xapp-[\w-]+|pat-[\w-]{8,}|sk-[\w-]{8,}|gsk_\w{8,}|AIza[\w-]{20,}|tvly-[\w-]{6,}|qs_[0-9a-f]{12}_[\w-]+"
    r"|(?i:bearer\s+)[\w.~+/=-]{8,}|://[^/\s:@]+:[^/\s@]+@"
)
SECRET_KEYS = re.compile(r"token|secret|password|api_key|authorization|cookie", re.IGNORECASE)
TEXT_KEYS = {"text", "question", "body", "message_text"}
"""What people wrote is never logged, only its length."""


def redact(value: Any) -> Any:
    """A copy of any JSON-like value without secrets, NIR, IBAN, e-mail addresses or phone numbers."""
    if isinstance(value, str):
        return mask(SECRET.sub("[secret]", value))
    if isinstance(value, Mapping):
        return {key: _redact_entry(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redact(item) for item in value]
    if value is None or isinstance(value, int | float | bool):
        return value
    return mask(SECRET.sub("[secret]", str(value)))


def _redact_entry(key: str, item: Any) -> Any:
    if SECRET_KEYS.search(key):
        return "[secret]"
    if key in TEXT_KEYS and isinstance(item, str):
        return f"[{len(item)} caractères]"
    return redact(item)


def _redaction(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    return {key: value if key in {"level", "timestamp"} else _redact_entry(key, value) for key, value in event.items()}


def _thread_died(died: threading.ExceptHookArgs) -> None:
    """What a library's thread ends with is one line too, not a trace on many."""
    if died.exc_type is not SystemExit:
        trace = (died.exc_type, died.exc_value or died.exc_type(), died.exc_traceback)
        logging.getLogger("threads").error("%s died", died.thread.name if died.thread else "a thread", exc_info=trace)


def configure_logs(level: str) -> None:
    """One JSON line an event on stderr, for our own lines and for those of the libraries."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    line = logging.StreamHandler(sys.stderr)
    line.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _redaction,
                structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
            ],
        )
    )
    logging.captureWarnings(capture=True)
    threading.excepthook = _thread_died
    root = logging.getLogger()
    root.handlers[:] = [line]
    root.setLevel(level)
    for noisy in (
        "aiohttp.access",
        "httpx",
        "httpx2",
        "uvicorn",
        "mcp",
        "slack_bolt",
        "slack_sdk",
        "apscheduler",
        "dbos",
        "alembic",
    ):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLevelName(level)))
