"""python -m bench chaos: kills and bad weather, then the same with a guard taken out each, which must be caught."""

import argparse
import asyncio
import json
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import structlog

from bench.chaos.boundaries import WEB, WORKER
from bench.chaos.mutants import MUTANTS, WHERE
from bench.chaos.run import Outcome, Plan, run

FULL = 200
"""From so many kills on each boundary is died at five times or more, as often as makes so many, and the mutants are
tried."""
EACH = 5
MUTANT_KILLS = 6
MUTANT_S = 60.0


def main(arguments: Sequence[str]) -> int:
    """Exit status 1 where a promise was broken, a mutant got through or a full storm ended before its aim."""
    options = _parser().parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    full = options.kills >= FULL
    plan = Plan(
        seed=options.seed,
        aim=options.kills,
        each=max(EACH, math.ceil(options.kills / len((*WEB, *WORKER)))) if full else 0,
        backend=options.backend,
        longest=options.seconds,
        settle=options.settle,
    )
    outcome = _run(plan, options.keep, "all")
    tried = list(MUTANTS) if full and options.mutants is None else [m for m in (options.mutants or "").split(",") if m]
    caught = [name for name in tried if not _run(_with(plan, name), options.keep, name).count.clean]
    figures = _figures(options, plan, outcome, tried, caught)
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if outcome.count.clean and caught == tried and figures["reached"] else 1


def _with(plan: Plan, mutant: str) -> Plan:
    """A short run that dies where the missing guard would have mattered, in fair weather."""
    return replace(
        plan,
        aim=MUTANT_KILLS,
        each=0,
        longest=MUTANT_S,
        settle=30.0,
        only=WHERE[mutant],
        mutant=mutant,
        renamed=mutant == "no_reap",
        stormy=False,
    )


def _run(plan: Plan, keep: Path | None, name: str) -> Outcome:
    def say(line: str) -> None:
        sys.stderr.write(f"{name}: {line}\n")

    if keep is not None:
        folder = keep / name
        folder.mkdir(parents=True)
        return asyncio.run(run(plan, folder, say=say))
    with tempfile.TemporaryDirectory() as temporary:
        return asyncio.run(run(plan, Path(temporary), say=say))


def _reached(plan: Plan, kills: Mapping[str, int]) -> bool:
    """Whether the storm killed as often as it was to; its time may end before."""
    return sum(kills.values()) >= plan.aim and all(kills.get(name, 0) >= plan.each for name in (*WEB, *WORKER))


def _figures(
    options: argparse.Namespace, plan: Plan, outcome: Outcome, tried: Sequence[str], caught: Sequence[str]
) -> dict[str, Any]:
    kills = outcome.boundaries
    return {
        "kills": sum(kills.values()),
        "reached": not plan.each or _reached(plan, kills),
        "boundaries": {name: kills.get(name, 0) for name in (*WEB, *WORKER)},
        **asdict(outcome.count),
        "mutants_caught": list(caught),
        "mutants_tried": list(tried),
        "backend": options.backend,
        "seed": options.seed,
        "questions": outcome.questions,
        "notes": outcome.notes,
        "weather": outcome.weather,
        "seconds": outcome.seconds,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench chaos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=FULL, help=f"at least so many (from {FULL} on: each boundary 5)")
    parser.add_argument(
        "--backend", choices=("sqlite", "postgresql"), default="sqlite", help="DATABASE_URL for the second"
    )
    parser.add_argument("--seconds", type=float, default=2_400.0, help="the longest storm")
    parser.add_argument("--settle", type=float, default=180.0, help="the longest calm before the count")
    parser.add_argument("--mutants", help="these, separated by commas; by default all, in a full run")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path, help="keep databases and logs in this folder")
    return parser
