"""python -m bot ingest https://… wikipedia:Titre, and `--refresh`: addresses read into the corpus, and read again."""

import argparse
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.documents.web_sources import Owner, SourceLate, Taken, WebIngestion, add_file, read_again, remove
from bot.settings import Settings
from bot.store import web_sources
from bot.store.opening import open_database
from bot.wiring import web_ingestion_of
from bot.wiring_corpus import build_corpus
from corpus.errors import UnreadableSource
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT

CLI: Final = "cli"
SAID: Final = {"added": "ajoutée", "changed": "mise à jour", "unchanged": "inchangée", "gone": "disparue, retirée"}
NOTHING: Final = "Aucune adresse n'est encore retenue : ajoutez-en par « python -m bot ingest https://… »."

Reading = tuple[str, Callable[[WebIngestion], Awaitable[Taken]]]
"""What to call it, and how to read it."""


async def ingest_urls(urls: Sequence[str], *, options: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Exit code 1 when an address was refused; the others are indexed all the same, and all of those remembered."""
    owner = _owner(options)
    readings: list[Reading] = [
        (url, lambda web_ingestion, url=url: add_file(url, web_ingestion=web_ingestion, owner=owner))  # type: ignore[misc]
        for url in dict.fromkeys(urls)
    ]
    async with _web_desk(settings) as web_ingestion:
        return await _all(readings, web_ingestion, console)


async def refresh_all(*, options: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Every remembered address, of `--team` or of all; exit code 1 when one could not be read."""
    async with _web_desk(settings) as web_ingestion:
        rows = await web_ingestion.database.read(lambda c: web_sources.remembered(c, team_id=options.team))
        if not rows:
            console.print(NOTHING)
            return 0
        readings: list[Reading] = [
            (row["name"], lambda web_ingestion, row=row: read_again(row, web_ingestion=web_ingestion))  # type: ignore[misc]
            for row in rows
        ]
        return await _all(readings, web_ingestion, console)


async def remove_urls(urls: Sequence[str], *, options: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Exit code 1 when one of them was not remembered for this team and audience."""
    owner, refused = _owner(options), 0
    async with _web_desk(settings) as web_ingestion:
        for url in dict.fromkeys(urls):
            try:
                console.print(f"{escape(await remove(url, web_ingestion=web_ingestion, owner=owner))} : retirée.")
            except (UnreadableSource, SourceLate) as error:
                refused += 1
                console.print(f"[yellow]{escape(url)}[/] : {escape(str(error))}")
    return 1 if refused else 0


def _owner(options: argparse.Namespace) -> Owner:
    audience = f"channel:{options.audience}" if options.audience else PUBLIC_AUDIENCE
    return Owner(options.team or SHARED_TENANT, audience, CLI)


@asynccontextmanager
async def _web_desk(settings: Settings) -> AsyncIterator[WebIngestion]:
    database = open_database(settings.database_url, settings.text_keys)
    try:
        async with build_corpus(settings) as corpus:
            yield web_ingestion_of(settings, database, corpus)
    finally:
        database.close()


async def _all(readings: Sequence[Reading], web_ingestion: WebIngestion, console: Console) -> int:
    """One after the other: whoever serves these addresses should not notice us."""
    counts = dict.fromkeys(SAID, 0)
    refused = passages = 0
    started = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        for name, read in progress.track(readings, description="Adresses"):
            try:
                taken = await read(web_ingestion)
            except (UnreadableSource, SourceLate) as error:
                refused += 1
                console.print(f"[yellow]{escape(name)}[/] : {escape(str(error))}")
                continue
            counts[taken.state] += 1
            passages += taken.report.passages
            console.print(f"{escape(taken.name)} : {_said(taken)}")
            for sentence in taken.skipped:
                console.print(f"  [dim]{escape(sentence)}[/]")
    rate = f"{passages / max(time.monotonic() - started, 0.001):.1f}".replace(".", ",")
    console.print(
        f"{counts['added']} adresse(s) ajoutée(s), {counts['changed']} mise(s) à jour, {counts['unchanged']} "
        f"inchangée(s), {counts['gone']} disparue(s), {refused} refusée(s) ; {passages} passage(s) écrits ({rate}/s)."
    )
    return 1 if refused else 0


def _said(taken: Taken) -> str:
    written, retired = taken.report.added + taken.report.replaced, taken.report.retired
    more = f", {written} document(s) écrits" if written > 1 else ""
    return f"{SAID[taken.state]}{more}{f', {retired} document(s) retiré(s)' if retired else ''}"
