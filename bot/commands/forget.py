"""python -m bot forget: a person, a thread or a deal out of the database, the engine's jobs, the index, the files."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from bot.engine import Letters
from bot.errors import BotError
from bot.settings import Settings
from bot.store.forgetting import Forgotten, Kind, added_by, forget, rewrite, rewrite_file, under_way
from bot.store.opening import open_database
from bot.wiring_corpus import open_corpus

NAMES: Final = {
    "answer": "réponses", "proposal": "propositions", "thread": "fils", "source": "sources", "audit": "décisions",
    "feedback": "avis", "spending": "dépenses", "watch": "veilles", "digest": "points hebdomadaires",
    "alert": "alertes",
}  # fmt: skip


class AnswerUnderWay(BotError):
    """Une réponse y est en cours : recommencez quand elle est publiée."""


async def forget_command(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also where nothing was found; prints counts, never what was erased."""
    kind: Kind = "user" if options.user else "thread" if options.thread else "deal"
    subject = str(options.user or options.thread or options.deal)
    database = open_database(settings.database_url, settings.text_keys)
    try:
        if await database.read(lambda c: under_way(c, kind, subject, team_id=options.team)):
            raise AnswerUnderWay
        if kind == "user":  # before the rows that name them: an index that is away must not keep them for good
            await _out_of_the_index(await database.read(lambda c: added_by(c, subject, options.team)), settings)
        gone = await database.write(lambda c: forget(c, kind, subject, team_id=options.team))
    finally:
        database.close()
    jobs = await _out_of_the_rest(gone, settings)
    sys.stdout.write(_said(gone, jobs))
    return 0


async def _out_of_the_index(sources: Sequence[tuple[str, str]], settings: Settings) -> None:
    """Raises `IndexUnavailable`: then nothing is erased yet, and the same command does it all later."""
    if not sources:
        return
    async with open_corpus(settings) as corpus:
        for team_id, source_id in sources:
            held = await corpus.index.digests(tenant=team_id)
            names = [name for name in held if name.partition("/")[0] == source_id]
            await corpus.index.delete(names, tenant=team_id)


async def _out_of_the_rest(gone: Forgotten, settings: Settings) -> int:
    """The engine's tables, then the free pages in which erased rows can still be read."""
    letters = Letters(settings.database_url)
    try:
        jobs = await asyncio.to_thread(letters.forget, gone.jobs)
    finally:
        letters.close()
    await asyncio.to_thread(rewrite, settings.database_url)
    if (index := settings.var_dir / "corpus.sqlite3").exists():
        await asyncio.to_thread(rewrite_file, index)
    return jobs


def _said(gone: Forgotten, jobs: int) -> str:
    found = [f"{NAMES.get(name, name)} : {count}" for name, count in sorted(gone.rows.items())]
    found += [f"travaux : {jobs}"] if jobs else []
    return f"Effacé. {' ; '.join(found)}.\n" if found else "Rien à effacer.\n"
