"""python -m bot reindex: the whole corpus under today's analyser and embedder, while the bot goes on answering."""

import argparse

from rich.console import Console

from bot.settings import Settings
from bot.wiring_corpus import open_corpus, staged_index
from corpus.reindex import reindex as renew
from corpus.reindex import reindex_beside


async def reindex(options: argparse.Namespace, settings: Settings) -> int:
    """Weaviate: a version beside the live one, put in service when it is complete. Embedded: document by document."""
    console = Console(stderr=True)
    async with open_corpus(settings) as corpus, staged_index(settings) as staged:
        if staged is None:
            done = await renew(corpus.index, embedder=corpus.embedder, report=console.print)
        else:
            done = await reindex_beside(corpus.index, staged, embedder=corpus.embedder, report=console.print)
        pruned = await staged.prune() if staged is not None and options.prune else []
    console.print(f"{done.renewed} document(s) réindexé(s), {done.unchanged} à jour, {done.retired} retiré(s).")
    if staged is not None and done.renewed and not options.prune:
        console.print("Redémarrez le bot s'il tourne encore sur l'ancienne version, puis lancez `reindex --prune`.")
    if pruned:
        console.print(f"Versions effacées : {', '.join(pruned)}.")
    return 0
