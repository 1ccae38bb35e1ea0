"""A scrape tells what the database holds, and is held up by nothing that is away."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.settings import Settings
from bot.store.database import Database
from bot.telemetry import scrape as module
from bot.telemetry.metrics import Metrics
from bot.telemetry.scrape import Scrape
from bot.wiring_telemetry import open_telemetry, telemetry_told
from tests.beginnings import migrated


class Ready:
    """All parts are."""

    async def look(self) -> dict[str, bool]:
        return {"start": True, "database": True}


async def told(scrape: Scrape) -> dict[str, float]:
    families = text_string_to_metric_families((await scrape.exposed()).decode())
    return {f"{s.name}{sorted(s.labels.values())}": s.value for family in families for s in family.samples}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.2)
    monkeypatch.setattr(module, "FRESH", -1.0)


async def test_a_database_that_fails_is_a_metric(tmp_path: Path) -> None:
    """Its own figures are left out, everything else is told; when it is back so are they."""
    scrape = Scrape(Metrics(), Ready(), database=Database(f"sqlite:///{tmp_path}"))  # a folder is no database
    seen = await told(scrape)
    assert seen["quartierscope_database_up[]"] == 0
    assert seen["quartierscope_part_ready['start']"] == 1
    scrape.database = Database(migrated(tmp_path / "store.sqlite3"))
    assert (await told(scrape))["quartierscope_database_up[]"] == 1
    scrape.database.close()


async def test_a_database_that_hangs_holds_up_one_thread_and_no_scrape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often Prometheus asks meanwhile."""
    begun, go = [], threading.Event()

    def hang(_connection: Any) -> dict[str, int]:
        begun.append(1)
        go.wait(60)
        return {"offered": 3}

    monkeypatch.setattr(module.proposals, "counted", hang)
    database = Database(migrated(tmp_path / "store.sqlite3"))
    scrape = Scrape(Metrics(), Ready(), database=database)
    try:
        for _ in range(3):
            assert (await told(scrape))["quartierscope_database_up[]"] == 0
        assert begun == [1]
        go.set()
        while (seen := await told(scrape))["quartierscope_database_up[]"] == 0:  # noqa: ASYNC110 - a thread lets go
            await asyncio.sleep(0.01)
        assert seen["quartierscope_proposals['offered']"] == 3
    finally:
        go.set()
        database.close()


async def test_who_wants_neither_is_told_nothing() -> None:
    """Without a port and without a backend nobody listens, and the start line says nothing of it."""
    async with open_telemetry(Settings(_env_file=None), Ready()) as found:
        assert found.scrape is None
    assert telemetry_told(Settings(_env_file=None)) == ()


def test_the_start_line_says_whether_words_leave() -> None:
    settings = Settings(
        _env_file=None, health_port=3001, otel_exporter_otlp_endpoint="https://traces.exemple.fr/otlp", otel_texts=True
    )
    assert telemetry_told(settings) == (
        "Mesures : /metrics sur 127.0.0.1:3001",
        "Traces : traces.exemple.fr, avec les textes, masqués",
    )
