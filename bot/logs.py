"""JSON log lines with secrets and personal data taken out before anything is written."""

import contextlib
import json
import logging
import re
import sys
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Final, TextIO

import structlog

from pipeline.text.masking import mask
from pipeline.text.names import folded

SECRET = re.compile(
    r"xox[a-z]-[\w-]+|xapp-[\w-]+|pat-[\w-]{8,}|sk-[\w-]{8,}|gsk_\w{8,}|AIza[\w-]{20,}|tvly-[\w-]{6,}|qs_[0-9a-f]{12}_[\w-]+"
    r"|(?i:bearer\s+)[\w.~+/=-]{8,}|://[^/\s:@]+:[^/\s@]+@"
)
SECRET_KEYS = re.compile(r"token|secret|password|api_key|authorization|cookie", re.IGNORECASE)
TEXT_KEYS = {"text", "question", "body", "message_text"}
"""What people wrote is never logged, only its length."""
QUOTED = re.compile(
    r"(?<=input_value=).*?(?=, input_type=)|(?<=Failing row contains ).*?(?=\n(?:\[SQL|CONTEXT|STATEMENT)|\Z)",
    re.DOTALL,
)
"""What pydantic quotes of what it refuses, and PostgreSQL of a row."""


class _Names:
    """Words of the persons' names that the CRM told this process of; the last ones. Each is hidden where it begins
    with a capital."""

    MOST: Final = 50_000
    SHORTEST: Final = 3
    WORD: Final = re.compile(r"[^\W\d_]+")
    SHOWN: Final = re.compile(rf"\b[ABCDGTUW]0[0-9A-Z]{{5,}}\b|{WORD.pattern}")
    """Ids of Slack, whose letters are nobody's name, and words."""

    def __init__(self) -> None:
        self._words: OrderedDict[str, None] = OrderedDict()

    def add(self, names: Iterable[str]) -> None:
        for word in (word for name in names for word in self.WORD.findall(name) if len(word) >= self.SHORTEST):
            self._words[folded(word)] = None
            self._words.move_to_end(folded(word))
        while len(self._words) > self.MOST:
            self._words.popitem(last=False)

    def hidden(self, text: str) -> str:
        return self.SHOWN.sub(self._shown, unicodedata.normalize("NFC", text)) if self._words else text

    def _shown(self, found: re.Match[str]) -> str:
        word = found.group()
        return "[nom masqué]" if word[0].isupper() and folded(word) in self._words else word


_told = _Names()
"""Of the process, as logging itself is."""


def hide_names(names: Iterable[str]) -> None:
    """From now on no line shows them."""
    _told.add(names)


def redact(value: Any) -> Any:
    """A copy of any JSON-like value without secrets, NIR, IBAN, e-mail addresses, phone numbers or names that the CRM
    told of."""
    if isinstance(value, str):
        return _told.hidden(mask(QUOTED.sub("…", SECRET.sub("[secret]", value))))
    if isinstance(value, Mapping):
        return {key: _redact_entry(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redact(item) for item in value]
    if value is None or isinstance(value, int | float | bool):
        return value
    return redact(str(value))


def _redact_entry(key: str, item: Any) -> Any:
    if SECRET_KEYS.search(key):
        return "[secret]"
    if key in TEXT_KEYS and isinstance(item, str):
        return f"[{len(item)} caractères]"
    return redact(item)


def _of_libraries(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    """Below a warning a library tells whole requests, with what people wrote: of these stays what stands in its code,
    and where."""
    values, record = event.pop("positional_args", ()), event["_record"]
    if not event["_from_structlog"] and record.levelno < logging.WARNING:
        said = str(record.msg) if values else f"[{len(event['event'])} caractères]"
        event["event"], event["logger"], event["at"] = said, record.name, f"{record.module}:{record.lineno}"
        for key in ("exception", "stack"):
            if key in event:
                event[key] = f"[{len(event[key])} caractères]"
    return event


def _redaction(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    return {key: value if key in {"level", "timestamp"} else _redact_entry(key, value) for key, value in event.items()}


def _thread_died(died: threading.ExceptHookArgs) -> None:
    """What a library's thread ends with is one line too, not a trace on many."""
    if died.exc_type is not SystemExit:
        trace = (died.exc_type, died.exc_value or died.exc_type(), died.exc_traceback)
        logging.getLogger("threads").error("%s died", died.thread.name if died.thread else "a thread", exc_info=trace)


class _Line(logging.StreamHandler[TextIO]):
    """Where a line cannot be made, logging itself would print the message and its arguments as they are."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        told = {"event": "log_line_failed", "level": "error", "logger": record.name}
        told["at"] = f"{record.module}:{record.lineno}"
        told["error"] = getattr(sys.exc_info()[0], "__name__", "")
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(json.dumps(told, ensure_ascii=False) + self.terminator)


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
    line = _Line(sys.stderr)
    line.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            pass_foreign_args=True,
            processors=[
                _of_libraries,
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
