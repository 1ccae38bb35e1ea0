"""python -m bench gold [--questions FILE] --json OUT: what answers are worth over questions whose facts are known.

Single questions and threads, through the whole path with the pretend services of the sandbox; with a model too where
one is configured. Only shares are printed: `--show` lists what was missed, for the questions one may learn from.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog
from rich.console import Console
from rich.table import Table

from bench.sandboxed import sandbox, settings_of
from bench.worth.gold_scores import GOALS, Report, Row, Score, report_of, score
from bot.commands.ask import message_of
from bot.conversations import direct
from bot.conversations.budgets import Budgets
from bot.settings import Settings
from bot.store.database import Database
from bot.store.migrations import migrate_database
from bot.wiring import build_deps
from bot.wiring_models import budgets_of
from pipeline.ports import Deps, Writer
from pipeline.types import Answer

FOLDER: Final = Path(__file__).parents[1] / "questions"
GOLD: Final = (FOLDER / "gold.jsonl", FOLDER / "threads.jsonl")
COLUMNS: Final = ("needed", "first", "refused", "over_refused", "forbidden", "wrong_figures")
OFFLINE: Final = "offline"
ASKER: Final = "camille.renaud@aubrac.example"
"""Of the sandbox's first adviser, as whom the questions were written: « mes dossiers » are hers."""
MODELS: Final = (
    "openai_api_key", "openai_base_url", "mistral_api_key", "groq_api_key", "gemini_api_key", "ollama_url",
)  # fmt: skip
"""Settings that name a model."""


def main(arguments: Sequence[str]) -> int:
    """Prints a table a path, writes the JSON, and returns 0 whatever the figures: judging is the reader's."""
    parser = argparse.ArgumentParser(prog="python -m bench gold", description=__doc__)
    parser.add_argument("--questions", type=Path, action="append", help="JSON lines; by default the whole gold set")
    parser.add_argument("--show", action="store_true", help="list the turns that miss something")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    rows = [row for file in options.questions or GOLD for row in read(file)]
    before = _before(options.json)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder, sandbox(Path(folder), bot=False) as http:
        paths = asyncio.run(_measured(rows, str(http.base_url).rstrip("/"), Path(folder)))
    report = {name: report_of(scores) for name, scores in paths.items()}
    for name, scores in paths.items():
        _print(name, report[name], before.get(name, {}))
        if options.show:
            _show(scores)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0


def read(file: Path) -> list[Row]:
    """Rows of a file, threads with their `turns`; none where the file is absent."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


async def _measured(rows: Sequence[Row], url: str, folder: Path) -> dict[str, list[Score]]:
    """The offline path, and beside it the path of the model that the environment names, if it names one."""
    given = settings_with_crm(url, folder)
    found = {OFFLINE: await answered_turns(rows, offline(url, folder), folder)}
    if any(getattr(given, name) for name in MODELS):
        found["model"] = await answered_turns(rows, given, folder)
    return {
        name: [score(turn, told, category=category) for category, turn, told in turns] for name, turns in found.items()
    }


def offline(url: str, folder: Path) -> Settings:
    """The sandbox's services, its HubSpot included, and no model."""
    return settings_with_crm(url, folder, **dict.fromkeys(MODELS))


def settings_with_crm(url: str, folder: Path, **more: None) -> Settings:
    token = "pat-eu1-bac-a-sable-fictif"
    return settings_of(url, folder / "bench", hubspot_api_url=f"{url}/hubspot", hubspot_token=token, **more)


async def answered_turns(
    rows: Sequence[Row], settings: Settings, folder: Path, *, watched: Callable[[Writer], Writer] | None = None
) -> list[tuple[str, Row, Answer]]:
    """(category, turn, answer) of every turn, in order; each thread remembers as one in Slack would. `watched`: the
    writer without a model as somebody watches it, instead of all writers."""
    url = f"sqlite:///{folder}/gold.sqlite3"
    migrate_database(url)
    database, budgets = Database(url), budgets_of(settings)
    try:
        async with build_deps(settings) as built:
            own = watched(built.fallback) if watched else None
            deps = replace(built, writer=own, fallback=own) if own else built
            return [
                told
                for number, row in enumerate(rows)
                for told in await _of_row(row, str(number), database, deps, budgets)
            ]
    finally:
        database.close()


async def _of_row(
    row: Row, thread: str, database: Database, deps: Deps, budgets: Budgets
) -> list[tuple[str, Row, Answer]]:
    found = []
    for turn in row.get("turns") or (row,):
        message = message_of(turn["text"], f"{id(database)}-{thread}", turn.get("deal") or row.get("deal"))
        answer = await direct.answered(message, database=database, deps=deps, budgets=budgets, asker_email=ASKER)
        found.append((row["category"], turn, answer))
    return found


def _before(file: Path | None) -> Mapping[str, Report]:
    """The last run's figures, as its file holds them."""
    if file is None or not file.exists():
        return {}
    return dict(json.loads(file.read_text(encoding="utf-8")))


def _print(name: str, report: Report, before: Report) -> None:
    table = Table(title=f"Questions de référence : {name}")
    for column in ("catégorie", "tours", *(f"{column} ({GOALS[column]})" for column in COLUMNS)):
        table.add_column(column)
    for category, figures in report.items():
        last = before.get(category, {})
        told = [_beside(figures[column], last.get(column)) for column in COLUMNS]
        table.add_row(category, str(figures["turns"]), *told)
    Console().print(table)


def _beside(now: float | None, last: float | None) -> str:
    """`92.1 (+1.3)`: a figure and what it gained since the last run."""
    if now is None:
        return "-"
    return f"{now:g}" if last is None or last == now else f"{now:g} ({now - last:+.1f})"


def _show(scores: Sequence[Score]) -> None:
    for one in scores:
        over = one.refused if one.answerable else not one.refused
        if one.missed or one.forbidden or one.first is False or over or one.wrong_figures:
            why = [f"manque {fact}" for fact in one.missed] + [f"interdit {fact}" for fact in one.forbidden]
            why += ["ouverture"] * (one.first is False) + ["refus"] * over + ["chiffre faux"] * bool(one.wrong_figures)
            print(f"--- [{one.category}] {one.row['text']}\n    {' ; '.join(why)}\n    {one.opening}")
