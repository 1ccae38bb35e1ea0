"""python -m bot costs: what language models cost in a period, by team, person and model, and answer by answer."""

import argparse
import asyncio
import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.commands.export import PARIS, NotWritten, WrongPeriod, paris_midnights
from bot.errors import reference_of
from bot.settings import Settings
from bot.store.costs import AnswerCost, costs_between, counted_for_budgets
from bot.store.opening import open_database

COLUMNS: Final = (
    "date", "référence", "espace", "personne", "modèle", "jetons lus", "jetons écrits", "euros", "secondes"
)  # fmt: skip
GROUPS: Final[dict[str, Callable[[AnswerCost], str]]] = {
    "Espace": lambda cost: cost.team_id,
    "Personne": lambda cost: cost.person,
    "Modèle": lambda cost: cost.model or "sans modèle",
}


@dataclass(frozen=True, slots=True)
class Sum:
    """Of several answers. `unpriced`: those whose model has no known price, which `euros` leaves out."""

    name: str
    answers: int
    tokens_in: int
    tokens_out: int
    euros: float
    unpriced: int

    @property
    def each(self) -> float | None:
        priced = self.answers - self.unpriced
        return self.euros / priced if priced else None


async def costs(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also for a period without an answer. Days are days of Paris, both included."""
    if options.to < options.since:
        raise WrongPeriod
    database = open_database(settings.database_url, settings.text_keys)
    since, until = paris_midnights(options.since, options.to)
    try:
        found = await database.read(lambda c: list(costs_between(c, since, until, team_id=options.team)))
        held = await database.read(lambda c: counted_for_budgets(c, options.since, options.to, team_id=options.team))
    finally:
        await asyncio.to_thread(database.close)
    show(found, held, console=Console(file=sys.stdout))
    if options.csv:
        try:
            write_csv(found, options.csv)
        except OSError as error:
            raise NotWritten(f"Le fichier ne peut pas être écrit : {error.strerror} ({error.filename}).") from error
        sys.stdout.write(f"{len(found)} réponse{'s' if len(found) > 1 else ''} dans {options.csv}.\n")
    return 0


def sums(found: Iterable[AnswerCost], key: Callable[[AnswerCost], str]) -> list[Sum]:
    """The dearest first."""
    groups: dict[str, list[AnswerCost]] = {}
    for cost in found:
        groups.setdefault(key(cost), []).append(cost)
    summed = [_sum(name, group) for name, group in groups.items()]
    return sorted(summed, key=lambda one: (-one.euros, -one.answers, one.name))


def _sum(name: str, group: Sequence[AnswerCost]) -> Sum:
    return Sum(
        name,
        answers=len(group),
        tokens_in=sum(cost.tokens_in for cost in group),
        tokens_out=sum(cost.tokens_out for cost in group),
        euros=sum(cost.euros or 0.0 for cost in group),
        unpriced=sum(cost.euros is None for cost in group),
    )


def show(found: Sequence[AnswerCost], held: float, *, console: Console) -> None:
    """One table a grouping, then the whole."""
    for title, key in GROUPS.items():
        table = Table(box=None, pad_edge=False, header_style="dim")
        for column in (title, "réponses", "jetons lus", "jetons écrits", "euros", "par réponse", "prix inconnu"):
            table.add_column(column, justify="left" if column == title else "right")
        for one in sums(found, key):
            counts = (one.answers, one.tokens_in, one.tokens_out)
            told = (_euros(one.euros), "-" if one.each is None else _euros(one.each), str(one.unpriced))
            table.add_row(Text(one.name), *map(str, counts), *told)
        console.print(table)
        console.print()
    whole = _sum("", found)
    console.print(f"{whole.answers} réponses, {_euros(whole.euros)} €.", highlight=False)
    if held - whole.euros > 0.005:
        console.print(f"Réponses effacées depuis : {_euros(held - whole.euros)} € de plus.", highlight=False)


def _euros(value: float) -> str:
    return f"{value:.4f}".replace(".", ",")


def write_csv(found: Iterable[AnswerCost], path: Path) -> None:
    """As a French spreadsheet opens it: semicolons, decimal commas, a byte order mark; a line an answer."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file, delimiter=";", lineterminator="\r\n")
        rows.writerow(COLUMNS)
        for cost in found:
            at = datetime.fromisoformat(cost.answered_at).astimezone(PARIS)
            euros = "" if cost.euros is None else f"{cost.euros:.6f}".replace(".", ",")
            seconds = f"{cost.seconds:.3f}".replace(".", ",")
            who = (reference_of(cost.answer_id), cost.team_id, cost.person, cost.model)
            rows.writerow((f"{at:%Y-%m-%d %H:%M:%S}", *who, cost.tokens_in, cost.tokens_out, euros, seconds))
