"""python -m bot export: the compliance record of a period as CSV and PDF."""

import argparse
import asyncio
import csv
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from bot.compliance.entries import COLUMNS, Entry, entry_of
from bot.compliance.pdf import write_pdf
from bot.errors import BotError
from bot.settings import Settings
from bot.store.compliance import answered_between
from bot.store.opening import open_database

PARIS: Final = ZoneInfo("Europe/Paris")


class WrongPeriod(BotError):
    """La période est à l'envers : --from vient après --to."""


class NoFile(BotError):
    """Dites où écrire : --csv FICHIER, --pdf FICHIER, ou les deux."""


class NotWritten(BotError):
    """Le fichier ne peut pas être écrit."""


async def export(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also for a period without an answer. Days are days of Paris, both included."""
    if options.to < options.since:
        raise WrongPeriod
    if not (options.csv or options.pdf):
        raise NoFile
    database = open_database(settings.database_url, settings.text_keys)
    since, until = paris_midnights(options.since, options.to)
    title = f"Registre des réponses du {options.since:%d/%m/%Y} au {options.to:%d/%m/%Y}"

    def written(connection: object) -> int:
        def entries() -> Iterator[Entry]:
            return map(entry_of, answered_between(connection, since, until, team_id=options.team))  # type: ignore[arg-type]

        told = [write_csv(entries(), options.csv)] if options.csv else []
        told += [write_pdf(entries(), options.pdf, title=title)] if options.pdf else []
        return told[0]

    try:
        count = await database.read(written)
    except OSError as error:
        raise NotWritten(f"Le fichier ne peut pas être écrit : {error.strerror} ({error.filename}).") from error
    finally:
        await asyncio.to_thread(database.close)
    named = " et ".join(str(path) for path in (options.csv, options.pdf) if path)
    sys.stdout.write(f"{count} réponse{'s' if count > 1 else ''} dans {named}.\n")
    return 0


def write_csv(entries: Iterator[Entry], path: Path) -> int:
    """As a French spreadsheet opens it: semicolons, a byte order mark; how many answers."""
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file, delimiter=";", lineterminator="\r\n")
        rows.writerow(COLUMNS)
        for entry in entries:
            rows.writerow(entry.row)
            count += 1
    return count


def paris_midnights(since: date, to: date) -> tuple[str, str]:
    """[from, until) in UTC, for days of Paris that are both included."""
    return _moment(since), _moment(to + timedelta(days=1))


def _moment(day: date) -> str:
    return datetime.combine(day, time.min, PARIS).astimezone(UTC).isoformat(timespec="milliseconds")
