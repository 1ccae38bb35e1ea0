"""A short run of the chaos bench: two workers and a web process on PostgreSQL, killed and in bad weather."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scenario.stage import ROOT

PATIENCE_S = 300.0


@pytest.mark.servers
def test_ten_kills_lose_double_and_disorder_nothing(tmp_path: Path) -> None:
    """The whole is `make chaos`; this says that it still runs, and that the promises hold."""
    file = tmp_path / "chaos.json"
    options = ["--kills", "10", "--backend", "postgresql", "--seconds", "30", "--settle", "90", "--json", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "bench", "chaos", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    figures = json.loads(file.read_text())
    broken = {name: figures[name] for name in ("lost", "posted_twice", "crm_twice", "out_of_order", "unfinished")}
    assert not any(broken.values()), (broken, done.stderr[-2000:])
    assert done.returncode == 0
