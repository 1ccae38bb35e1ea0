"""python -m bot ingest: files, folders and addresses into the corpus; the same content twice changes nothing."""

import argparse
import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape

from bot.commands.ingest_web import ingest_urls, refresh_all, remove_urls
from bot.documents.progress import Counted, progress_bars
from bot.settings import Settings
from bot.wiring_corpus import Corpus, build_corpus
from corpus.errors import MalformedArticle, UnreadableFile
from corpus.ingest import IngestReport
from corpus.ingest import ingest as index_documents
from corpus.sources.articles import read_article
from corpus.sources.files.reading import read_file, upload_document
from corpus.types import PUBLIC_AUDIENCE, SHARED_TENANT, Document

BATCH: Final = 8
READERS: Final = 2
"""Files read at a time: each may take a gigabyte."""
LONGEST_FRONT_MATTER: Final = 64_000
_ADDRESS: Final = re.compile(r"(?:[a-z][a-z0-9+.-]+://|wikipedia:)", re.IGNORECASE)
_FRONT_MATTER: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n.*?\n---[ \t]*\r?(?:\n|\Z)", re.DOTALL)
NO_PATH: Final = "Donner au moins un fichier, un dossier ou une adresse ; --retire demande un dossier."
REFRESH_ALONE: Final = "--refresh relit toutes les adresses ajoutées auparavant : ne rien donner avec."
EMPTY_FOLDER: Final = "« {name} » ne contient aucun fichier : rien n'en a été retiré."
WORDS_ONLY: Final = "document(s) cherchés par mots seulement, faute de vecteurs : relancer la commande plus tard."

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Read:
    """A file's document, or why there is none, and what of it was left out."""

    path: Path
    document: Document | MalformedArticle
    skipped: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.document.id if isinstance(self.document, Document) else self.document.document_id


@dataclass(slots=True)
class _Run:
    """Where documents go, and what has been done so far; `partly`: files with something to know about them."""

    corpus: Corpus
    tenant: str
    audience: str
    say: Say
    report: IngestReport = IngestReport()  # noqa: RUF009  (frozen)
    partly: int = 0


async def ingest(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 1 when something was refused (the rest is indexed all the same), 2 when nothing was asked for."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    addresses = [path for path in options.paths if _ADDRESS.match(path)]
    paths = [Path(path) for path in options.paths if not _ADDRESS.match(path)]
    if options.refresh and options.paths:
        console.print(REFRESH_ALONE)
        return 2
    if options.refresh:
        return await refresh_all(options=options, settings=settings, console=console)
    if not options.paths or (options.retire and not any(path.is_dir() for path in paths)):
        console.print(NO_PATH)
        return 2
    code = await _ingest_files(paths, options, settings, console) if paths else 0
    if addresses and options.remove:
        code = max(code, await remove_urls(addresses, options=options, settings=settings, console=console))
    elif addresses:
        code = max(code, await ingest_urls(addresses, options=options, settings=settings, console=console))
    return code


async def _ingest_files(
    paths: Sequence[Path], options: argparse.Namespace, settings: Settings, console: Console
) -> int:
    started = time.monotonic()
    files = list(dict.fromkeys(file.absolute() for file in _files(paths)))
    seen: set[str] = set()
    async with build_corpus(settings) as corpus:
        with progress_bars(console) as progress:
            bar = progress.add_task("Fichiers", total=len(files), unit="fichiers/s")
            written = progress.add_task("Passages", total=None, unit="passages/s")
            run = _Run(
                replace(corpus, embedder=Counted(corpus.embedder, lambda count: progress.advance(written, count))),
                tenant=options.team or SHARED_TENANT,
                audience=f"channel:{options.audience}" if options.audience else PUBLIC_AUDIENCE,
                say=progress.console.print,
            )
            for start in range(0, len(files), BATCH):
                batch = await _read_all(files[start : start + BATCH], audience=run.audience)
                seen.update(read.id for read in batch)
                await _index(run, batch, one_more=lambda: progress.advance(bar))
            progress.update(written, total=run.report.passages)
        if options.retire:
            await _retire(run, [path for path in paths if path.is_dir()], files, seen)
    _say_all(run, len(files), time.monotonic() - started)
    return 1 if run.report.failed or not files else 0


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Folders with all that is in them, but for hidden files and Office's locks."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for inner in sorted(path.rglob("*")):
            parts = inner.relative_to(path).parts
            if inner.is_file() and not any(part.startswith((".", "~$")) for part in parts):
                yield inner


async def _read_all(files: Sequence[Path], *, audience: str) -> list[_Read]:
    free = asyncio.Semaphore(READERS)

    async def one(path: Path) -> _Read:
        async with free:
            return await _read(path, audience=audience)

    return await asyncio.gather(*map(one, files))


async def _read(path: Path, *, audience: str) -> _Read:
    """An article of one's own keeps its id; any other file is known by where it lies."""
    if path.suffix == ".md" and await asyncio.to_thread(_has_front_matter, path):
        try:
            article = await asyncio.to_thread(read_article, path)
        except MalformedArticle as error:
            return _Read(path, error)
        return _Read(path, replace(article, id=f"own:{article.id}", audience=audience))
    name = f"file:{path}"
    try:
        read = await read_file(path, name=path.name)
    except UnreadableFile as error:
        return _Read(path, MalformedArticle(str(error), document_id=name))
    return _Read(path, upload_document(read, id=name, url="", audience=audience, published=None), read.skipped)


def _has_front_matter(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _FRONT_MATTER.match(file.read(LONGEST_FRONT_MATTER)) is not None
    except OSError:
        return False


async def _index(run: _Run, batch: Sequence[_Read], *, one_more: Callable[[], None]) -> None:
    """Says one line a file as soon as it is indexed: the index's report comes in the documents' order."""
    waiting = iter(batch)

    def say(outcome: str) -> None:
        read = next(waiting)
        if isinstance(read.document, MalformedArticle):
            run.say(f"[yellow]{escape(outcome)}[/]")
        else:
            run.say(escape(f"{read.path.name} : {outcome.rsplit(' : ', 1)[-1]}"))
        for sentence in read.skipped:
            run.say(f"  [dim]{escape(sentence)}[/]")
        one_more()

    done = await index_documents(
        [read.document for read in batch],
        index=run.corpus.index,
        embedder=run.corpus.embedder,
        tenant=run.tenant,
        report=say,
    )
    run.partly += sum(1 for read in batch if read.skipped)
    run.report = _sum(run.report, done)


async def _retire(run: _Run, folders: Sequence[Path], files: Sequence[Path], seen: set[str]) -> None:
    """Remove what came from these folders and is in them no more; articles (`own:…`) do not say where they came from.

    An empty folder may be a disk that is not there: it keeps its documents. So does a file that could not be read now.
    """
    prefixes = []
    for folder in folders:
        inside = f"{folder.absolute()}/"
        if any(str(file).startswith(inside) for file in files):
            prefixes.append(f"file:{inside}")
        else:
            run.say(f"[yellow]{escape(EMPTY_FOLDER.format(name=folder.name))}[/]")
    done = await index_documents(
        [],
        index=run.corpus.index,
        embedder=run.corpus.embedder,
        tenant=run.tenant,
        report=lambda line: run.say(escape(line)),
        retire=lambda name: name.startswith(tuple(prefixes)) and name not in seen,
    )
    run.report = _sum(run.report, done)


def _sum(first: IngestReport, second: IngestReport) -> IngestReport:
    return IngestReport(
        added=first.added + second.added,
        unchanged=first.unchanged + second.unchanged,
        replaced=first.replaced + second.replaced,
        retired=first.retired + second.retired,
        passages=first.passages + second.passages,
        failed=(*first.failed, *second.failed),
        without_vectors=first.without_vectors + second.without_vectors,
    )


def _say_all(run: _Run, files: int, seconds: float) -> None:
    report = run.report
    if report.without_vectors:
        run.say(f"[yellow]{report.without_vectors} {WORDS_ONLY}[/]")
    took, files_rate, passages_rate = (
        f"{value:.1f}".replace(".", ",") for value in (seconds, files / seconds, report.passages / seconds)
    )
    run.say(
        f"{report.added} ajouté(s), {report.replaced} remplacé(s), {report.unchanged} inchangé(s), "
        f"{report.retired} retiré(s), {len(report.failed)} refusé(s), {run.partly} lu(s) avec une remarque.\n"
        f"{files} fichier(s), {report.passages} passage(s) écrits en {took} s "
        f"({files_rate} fichiers/s, {passages_rate} passages/s)."
    )
