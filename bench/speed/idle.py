"""What a bot that nobody talks to takes of a core, and how long a start takes until it is connected."""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from bench.sandboxed import sandbox, until
from bench.speed.processes import cpu_seconds

GOAL_PERCENT = 2.0
SETTLING_S = 20.0
"""After the start: articles are checked, the clock has ticked once."""


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 whatever the figures; judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench idle")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long it is looked at (60)")
    parser.add_argument("--settling", type=float, default=SETTLING_S, help="seconds before that (20)")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder)) as http:
        started = _restarted(http)
        time.sleep(options.settling)
        pid = int(http.get("/sandbox/state").json()["process"]["pid"])
        before, since = cpu_seconds(pid), time.monotonic()
        time.sleep(options.seconds)
        percent = 100 * (cpu_seconds(pid) - before) / (time.monotonic() - since)
    figures = {
        "idle_percent_of_a_core": round(percent, 2),
        "goal_percent": GOAL_PERCENT,
        "start_to_connected_s": round(started, 2),
        "measured_s": options.seconds,
    }
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _restarted(http: httpx.Client) -> float:
    """Seconds from the start of the process to its connection, where tables and articles stand already."""
    http.post("/sandbox/process", json={"action": "stop"}, timeout=30)
    began = time.monotonic()
    http.post("/sandbox/process", json={"action": "start"}, timeout=60)
    until(lambda: http.get("/sandbox/state").json()["transport"]["connected"], seconds=60)
    return time.monotonic() - began
