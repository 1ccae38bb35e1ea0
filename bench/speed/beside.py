"""python -m bench beside --commit REV: the speed of answers of this tree against an older commit's, on this machine.

The other commit is checked out beside; both run `bench answers`, each with its own code over the same questions, in
turn (A B, B A, …), so that what else the machine does weighs on both. Both run with the packages of this environment.
"""

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

ROOT: Final = Path(__file__).parents[2]
QUESTIONS: Final = Path("bench/questions.txt")
MEASURES: Final = ("overhead_p95_s", "p50_s", "p95_s", "first_feedback_s", "cpu_p50_s", "cpu_p95_s", "cpu_s")
"""Of older commits, those that they measure. `cpu_s`: what the whole run computed, start and sandbox included."""
ROUNDS: Final = 5
HERE, THERE = "here", "there"

Runs = Mapping[str, Sequence[Mapping[str, Any]]]


def main(arguments: Sequence[str]) -> int:
    """Prints the table, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench beside")
    parser.add_argument("--commit", required=True, help="the other side: any revision of this repository")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="runs of each side")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with checked_out(options.commit) as other:
        runs = alternated({HERE: ROOT, THERE: other}, rounds=options.rounds, measure=measured)
    report = {"commit": options.commit, "rounds": options.rounds, **compared(runs), "runs": runs}
    _print(report)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The commit in a worktree of its own, asked the questions of this one. Raises `CalledProcessError`."""
    with tempfile.TemporaryDirectory(prefix="bench-beside-") as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            (tree / QUESTIONS).write_bytes((ROOT / QUESTIONS).read_bytes())
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *arguments], check=True)


def alternated(
    trees: Mapping[str, Path], *, rounds: int, measure: Callable[[Path], dict[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """One run of each before the figures that count: the first compiles, and fills the machine's caches."""
    sides = list(trees)
    for side in sides:
        measure(trees[side])
    runs: dict[str, list[dict[str, Any]]] = {side: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 == 0 else reversed(sides):
            runs[side].append(measure(trees[side]))
            print(f"{number + 1}/{rounds} {side}: {runs[side][-1][MEASURES[0]]} s", file=sys.stderr, flush=True)
    return runs


def measured(tree: Path) -> dict[str, Any]:
    """What `bench answers` of this tree measures. Raises `CalledProcessError`."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "answers.json"
        command = [sys.executable, "-m", "bench", "answers", "--json", str(written)]
        environment = dict(os.environ) | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(tree)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
        return found | {"cpu_s": round(spent, 2)}


def compared(runs: Runs) -> dict[str, dict[str, float]]:
    """Of each measure: the median of either side, the median of the rounds' ratios (here / there), their ends, and the
    ratio of the best runs, which other programs disturbed least."""
    found = {}
    for name in (name for name in MEASURES if all(name in run for side in (HERE, THERE) for run in runs[side])):
        here, there = ([float(run[name]) for run in runs[side]] for side in (HERE, THERE))
        by_round = sorted(ours / theirs for ours, theirs in zip(here, there, strict=True))
        found[name] = {
            HERE: round(statistics.median(here), 4),
            THERE: round(statistics.median(there), 4),
            "ratio": round(statistics.median(by_round), 3),
            "ratio_lowest": round(by_round[0], 3),
            "ratio_highest": round(by_round[-1], 3),
            "ratio_of_best": round(min(here) / min(there), 3),
        }
    return found


def _print(report: Mapping[str, Any]) -> None:
    table = Table(title=f"Cet arbre à côté de {report['commit']}, {report['rounds']} passages chacun, en alternance")
    for column in ("mesure", "ici", "là-bas", "ici ÷ là-bas", "de … à …", "meilleurs"):
        table.add_column(column)
    for name in (name for name in MEASURES if name in report):
        row = report[name]
        ends = f"{row['ratio_lowest']:g} … {row['ratio_highest']:g}"
        table.add_row(name, f"{row[HERE]:g}", f"{row[THERE]:g}", f"{row['ratio']:g}", ends, f"{row['ratio_of_best']:g}")
    Console().print(table)
