"""python -m bot ingest: add articles of one's own to the corpus; the same content twice changes nothing."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import track

from bot.settings import Settings
from bot.wiring import build_corpus
from corpus.errors import MalformedArticle
from corpus.ingest import ingest as index_documents
from corpus.sources.articles import read_article
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Document

FORMAT = "un article est un fichier .md qui commence par son en-tête YAML (voir CONTRIBUTING.md)"


async def ingest(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 1 when a file was refused; the others are indexed all the same."""
    console = Console(stderr=True)
    audience = f"channel:{options.audience}" if options.audience else PUBLIC_AUDIENCE
    tenant = options.team or SHARED_TENANT
    files = list(_files(options.paths))
    documents = [_read(path, audience=audience) for path in track(files, "Lecture", console=console)]
    async with build_corpus(settings) as corpus:
        report = await index_documents(
            documents, index=corpus.index, embedder=corpus.embedder, tenant=tenant, report=console.print
        )
    for name, reason in report.failed:
        console.print(f"[yellow]{name}[/] : {reason}")
    console.print(
        f"{report.added} ajouté(s), {report.replaced} remplacé(s), {report.unchanged} inchangé(s), "
        f"{len(report.failed)} refusé(s), {report.passages} passage(s) écrits."
    )
    return 1 if report.failed or not files else 0


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.md")) if path.is_dir() else [path]


def _read(path: Path, *, audience: str) -> Document | MalformedArticle:
    if path.suffix != ".md" or not path.is_file():
        return MalformedArticle(f"{path.name} : {FORMAT}.", document_id=path.stem)
    try:
        article = read_article(path)
    except MalformedArticle as error:
        return error
    return replace(article, id=f"own:{article.id}", audience=audience)
