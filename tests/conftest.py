"""What holds for every test: property tests without a clock, and test ids that are the same in every worker."""

import gc
import os
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.server_postgres import of_worker

settings.register_profile(
    "unhurried", deadline=None, derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")  # the same examples in every run; a busy machine is no failure

SHOWN, WHOLE = 40, 160
"""Characters of one text in an id, and of all an id's parameters."""
SERVERS_ONLY = {"test_weaviate_server.py"}
ORDER = {"scenario": 0, "integration": 1, "contract": 2, "unit": 3}
UNSTABLE = re.compile(r"\b0x[0-9a-f]{6,}|\\x[0189][0-9a-f]")
"""An address in memory; control characters, as raw bytes have them."""


def pytest_configure(config: pytest.Config) -> None:
    """Of several workers each has a PostgreSQL of its own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and os.environ.get("DATABASE_URL", "").startswith("postgres"):
        stack = ExitStack()
        os.environ |= stack.enter_context(of_worker(worker))
        config.add_cleanup(stack.close)


def pytest_collection() -> None:
    """Every worker imports every file: looking for garbage among what stays takes a quarter of that time."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A text is shown on one line and cut; bytes are numbered, for a compressed file tells the second of its making."""
    if isinstance(val, bytes) or (isinstance(val, int) and len(str(val)) > SHOWN):
        return argname
    if not isinstance(val, str):
        return None
    line = " ".join("".join(c if c.isprintable() else " " for c in val).split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A suite that is all for a server is not imported where none is asked for: every worker collects every file."""
    return (collection_path.name in SERVERS_ONLY and "not servers" in str(config.getoption("markexpr"))) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuses ids that two workers could read differently: xdist would stop, and only on a bad day. What lasts longest
    comes first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: ORDER.get(item.path.parent.name, len(ORDER)))
    refused = [item.nodeid for item in items if unstable(item.name.partition("[")[2])]
    if refused:
        listed = "\n  ".join(nodeid[:200] for nodeid in refused)
        raise pytest.UsageError(f"test ids must be short and the same in every run; give ids= to:\n  {listed}")


def unstable(parameters: str) -> bool:
    return len(parameters) > WHOLE or bool(UNSTABLE.search(parameters))
