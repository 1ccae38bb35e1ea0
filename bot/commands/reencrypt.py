"""python -m bot reencrypt: every text at rest under the first key of TEXT_KEY; --new-key prints a key."""

import argparse
import asyncio
import sys

from bot.errors import WrongSetting
from bot.sealing import new_key
from bot.settings import Settings
from bot.store.forgetting import rewrite, rewrite_file
from bot.store.opening import open_database
from bot.store.resealing import seal_anew
from corpus.index.sealing import seal_file_anew


async def reencrypt(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0; the bot may run meanwhile, with the same keys."""
    if options.new_key:
        sys.stdout.write(f"{new_key()}\n")
        return 0
    if not settings.text_keys:
        raise WrongSetting("TEXT_KEY manque : « python -m bot reencrypt --new-key » en donne une.")
    database = open_database(settings.database_url, settings.text_keys)
    try:
        rows = await seal_anew(database)
    finally:
        database.close()
    passages, index = 0, settings.var_dir / "corpus.sqlite3"
    if settings.weaviate_url is None and index.exists():
        passages = await asyncio.to_thread(seal_file_anew, index, database.sealing)
        await asyncio.to_thread(rewrite_file, index)
    await asyncio.to_thread(rewrite, settings.database_url)  # what stood there before is still in the free pages
    sys.stdout.write(f"Chiffré sous la première clé. lignes : {rows} ; passages : {passages}.\n")
    return 0
