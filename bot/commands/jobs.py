"""python -m bot jobs: what did not end as it should, and its replay."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from typing import Final

from bot.engine import Letter, Letters
from bot.engine.letters import LetterKind
from bot.errors import reference_of
from bot.logs import redact
from bot.settings import Settings
from bot.store.migrations import migrate_database

SAID: Final[Mapping[LetterKind, str]] = {
    "poisoned": "a interrompu le programme trop souvent, dit dans son fil",
    "untold": "a échoué, sans pouvoir le dire",
    "given_up": "a échoué, dit dans son fil",
}


async def jobs(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0; 1 where the job to replay is not listed."""
    migrate_database(settings.database_url)
    letters = Letters(settings.database_url)
    try:
        if options.replay:
            return await asyncio.to_thread(_replay, letters, options.replay)
        await asyncio.to_thread(_list, letters)
    finally:
        letters.close()
    return 0


def _replay(letters: Letters, job_id: str) -> int:
    if letters.replay(job_id):
        sys.stdout.write(f"{job_id} : remis en file, un processus worker ou run le reprendra.\n")
        return 0
    sys.stdout.write(f"{job_id} : pas de travail inabouti de ce nom ; « python -m bot jobs » les liste.\n")
    return 1


def _list(letters: Letters) -> None:
    waiting = letters.waiting()
    sys.stdout.write(f"En file : {waiting.get('ENQUEUED', 0)} ; en cours : {waiting.get('PENDING', 0)}.\n")
    found = letters.listed()
    if not found:
        sys.stdout.write("Aucun travail inabouti.\n")
    for letter in found:
        sys.stdout.write(_line(letter))


def _line(letter: Letter) -> str:
    subject = letter.job_id.partition(":")[2]
    moment = letter.at.astimezone().strftime("%d/%m/%Y %H:%M")
    said = f"{letter.job_id}  {moment}  {reference_of(subject)}  {SAID[letter.kind]}, lancé {letter.attempts} fois"
    return f"{said} : {redact(letter.error)}\n" if letter.error else f"{said}\n"
